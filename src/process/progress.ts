// Owns the one moving line of long work: on a terminal only, never in a log.
import { age, count, short } from './printable.ts'

export interface Progress {
  show(line: string): void
  clear(): void
}

export const NO_PROGRESS: Progress = { show() {}, clear() {} }

const REDRAW_MS = 100

/** @param stream where the log goes, too: clear() before every log line */
export function createProgress(
  stream: NodeJS.WriteStream,
  nowMs: () => number = Date.now,
  term: string | undefined = process.env['TERM'],
): Progress {
  if (!stream.isTTY || term === 'dumb') return NO_PROGRESS
  let drawnMs = 0
  let visible = false
  return {
    show(line) {
      if (nowMs() - drawnMs < REDRAW_MS) return
      drawnMs = nowMs()
      visible = true
      stream.write(`\r\u001B[2K${short(line, Math.max(10, stream.columns - 1))}`)
    },
    clear() {
      if (visible) stream.write('\r\u001B[2K')
      visible = false
    },
  }
}

/** In less time nobody waits, and the speed says nothing. */
const MEASURED_MS = 2000

/**
 * @param what is done, as in `reading ideas`
 * @param expected how much there will be; null = nobody knows
 * @returns to be told how much is done: it shows that, of how much, and how much longer the rest takes at this speed
 */
export function countedOn(
  progress: Progress,
  what: string,
  expected: number | null,
  { of = 'of', show = count, nowMs = () => performance.now() } = {},
): (done: number) => void {
  let first: { readonly atMs: number; readonly done: number } | null = null
  return (done) => {
    first ??= { atMs: nowMs(), done }
    if (expected === null || expected < done) return progress.show(`${what}: ${show(done)}`)
    const ms = nowMs() - first.atMs
    const left = (ms * (expected - done)) / (done - first.done)
    const long = ms < MEASURED_MS || !Number.isFinite(left) ? '' : `, ${age(left)} left`
    progress.show(`${what}: ${show(done)} ${of} ${show(expected)}${long}`)
  }
}
