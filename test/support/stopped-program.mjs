// Loaded into a program that a test starts (node --import): it stops, or hangs, where it sends a query. The variable STOP_AT
// says where, as JSON: `query`, a pattern; `nth`, which one of those that match; `when`, before or after it is sent; `waitMs`, of
// which it sleeps first, so that less of its time is left; instead of a stop, `hang` in ms (null = for ever).
import { Socket } from 'node:net'
import { isMainThread } from 'node:worker_threads'

const { query, nth = 1, when = 'before', waitMs = 0, deadlineMs = 0, hang } = JSON.parse(process.env.STOP_AT ?? '{}')
const pattern = new RegExp(query, 's')
let matches = 0
let sinceMs

const block = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

function stop() {
  block(waitMs)
  process.stderr.write(`left ${(deadlineMs - (performance.now() - sinceMs)) / 1000} s\n`)
  if (hang === undefined) return process.kill(process.pid, 'SIGSTOP')
  block(hang ?? Number.POSITIVE_INFINITY)
  process.stderr.write('no longer hung\n')
}

// Not the names that a child looks up, nor the thread that watches.
if (isMainThread && query !== undefined && process.argv[1]?.endsWith('analytics-build.js')) {
  const write = Reflect.get(Socket.prototype, 'write')
  Socket.prototype.write = function (bytes, ...rest) {
    const text = String(bytes)
    // The first query of a session comes as soon as the time runs.
    if (text.includes('tcp_user_timeout')) sinceMs ??= performance.now()
    const isHere = pattern.test(text) && ++matches === nth
    if (isHere && when === 'before') stop()
    const written = write.call(this, bytes, ...rest)
    if (isHere && when === 'after') stop()
    return written
  }
}
