// Owns that this process ends where its event loop hangs, and hears neither timers nor signals. Knows no build.
import { Worker } from 'node:worker_threads'
import { priorityOf } from './log.ts'

/**
 * Counts down the time that it waited itself, by no wall clock. A tenth of a second that took much longer was spent
 * suspended (SIGSTOP, a frozen container) and counts as no more, so that a process that is resumed, even for moments
 * only, has its time to wind up first. The line for the log is left to another thread, because its disk may hang, too.
 */
const THREAD = `
const { workerData: { left, program, begin, silenceMs } } = require('node:worker_threads')
const { write } = require('node:fs')
const message = 'the event loop was silent for ' + silenceMs / 1000 + ' s after --deadline: the process ends itself; the next build repairs'
const isOver = (ms) => Atomics.wait(left, 1, 0, ms) !== 'timed-out'
for (let at = performance.now(); !isOver(100); at = performance.now()) {
  const waitedMs = Math.floor(performance.now() - at)
  Atomics.sub(left, 0, waitedMs > 250 ? 100 : waitedMs)
  if (Atomics.load(left, 0) > 0) continue
  write(2, begin + JSON.stringify({ level: 'error', time: new Date().toISOString(), program, message }) + '\\n', () => {})
  if (!isOver(200) && Atomics.load(left, 0) <= 0) process.kill(process.pid, 'SIGKILL')
}`

/**
 * Ends the process by SIGKILL (process.exit would end the thread) when its loop has been silent for `silenceMs` after its
 * time, not counting when it was suspended; it never ends one that lives. Costs 25 ms of another processor, and 10 MB.
 * @param leftMs how much is left of the time of the process
 * @param silenceMs as long as others respect a lock that nobody touches
 * @returns a function that ends the watch
 */
export function endWhenHung(program: string, leftMs: () => number, warn: (why: string) => void, silenceMs = 30_000) {
  /** How many ms are left; whether the work is over. */
  const left = new Int32Array(new SharedArrayBuffer(8))
  const wind = (): void => void Atomics.store(left, 0, Math.ceil(Math.max(0, leftMs()) + silenceMs))
  wind()
  const timer = setInterval(wind, 1000).unref()
  const failed = (error: unknown): void => warn(`no thread: a build that hangs would stay: ${(error as Error).message}`)
  try {
    const workerData = { left, program, begin: priorityOf('error'), silenceMs }
    new Worker(THREAD, { eval: true, env: {}, execArgv: [], workerData }).on('error', failed).unref()
  } catch (error) {
    failed(error)
  }
  return (): void => {
    clearInterval(timer)
    Atomics.store(left, 1, 1)
    Atomics.notify(left, 1)
  }
}
