// Owns the one moving line of long work: on a terminal only, never in a log.
import { age } from './age.ts'
import { short } from './printable.ts'

export interface Progress {
  show(line: string): void
  clear(): void
}

export const NO_PROGRESS: Progress = { show() {}, clear() {} }

const REDRAW_MS = 100
/** While nothing is reported: somebody who waits sees that it goes on. */
const TICK_MS = 1000
/** From then on a line that stays says since when. */
const LONG_MS = 2000

/** @param stream where the log goes, too: clear() before every log line */
export function createProgress(
  stream: NodeJS.WriteStream,
  nowMs: () => number = Date.now,
  term: string | undefined = process.env['TERM'],
): Progress {
  if (!stream.isTTY || term === 'dumb') return NO_PROGRESS
  let drawnMs = 0
  let visible = false
  let line = ''
  let sinceMs = 0
  let ticking: NodeJS.Timeout | undefined
  const draw = (): void => {
    drawnMs = nowMs()
    visible = true
    const lastedMs = drawnMs - sinceMs
    const text = lastedMs < LONG_MS ? line : `${line}, ${age(lastedMs)}`
    stream.write(`\r\u001B[2K${short(text, Math.max(10, stream.columns - 1))}`)
  }
  return {
    show(next) {
      if (next !== line) sinceMs = nowMs()
      line = next
      ticking ??= setInterval(draw, TICK_MS).unref()
      if (nowMs() - drawnMs >= REDRAW_MS) draw()
    },
    clear() {
      clearInterval(ticking)
      ticking = undefined
      if (visible) stream.write('\r\u001B[2K')
      visible = false
    },
  }
}
