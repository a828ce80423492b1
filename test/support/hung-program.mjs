// A process whose time is over when it begins, and which then hangs in its event loop (`hangMs`), does so until it has been
// suspended for so long in all (`suspendedMs`), or waits outside it (`livesMs`). Where it ends by itself it exits with 3.
import { setTimeout as delay } from 'node:timers/promises'
import { endWhenHung } from '../../dist/process/hung-loop.js'

const { silenceMs, hangMs = 0, suspendedMs = 0, livesMs = 0 } = JSON.parse(process.argv[2])
const hang = (ms) => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, ms)

const end = endWhenHung(
  'a test',
  () => 0,
  (why) => process.stderr.write(why),
  silenceMs,
)
// From before it is said, so that no suspension is missed.
let atMs = performance.now()
process.stderr.write('begun\n')
hang(hangMs)
for (let seenMs = 0; seenMs < suspendedMs;) {
  hang(5)
  const nowMs = performance.now()
  if (nowMs - atMs > 800) seenMs += nowMs - atMs
  atMs = nowMs
}
await delay(livesMs)
end()
process.stderr.write('over\n')
process.exitCode = 3
