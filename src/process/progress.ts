// Owns the one moving line of long work: on a terminal only, never in a log.
import { short } from './printable.ts'

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
