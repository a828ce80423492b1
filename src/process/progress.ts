// Owns the one moving line of long work: on a terminal only, never in a log.

export interface Progress {
  show(text: string): void
  clear(): void
}

export const NO_PROGRESS: Progress = { show() {}, clear() {} }

const REDRAW_MS = 100

/** @param stream where the log goes, too: clear() before every log line */
export function createProgress(stream: NodeJS.WriteStream, nowMs: () => number = Date.now): Progress {
  if (!stream.isTTY) return NO_PROGRESS
  let drawnMs = 0
  let visible = false
  return {
    show(text) {
      if (nowMs() - drawnMs < REDRAW_MS) return
      drawnMs = nowMs()
      visible = true
      stream.write(`\r\u001B[2K${text.slice(0, Math.max(10, stream.columns - 1))}`)
    },
    clear() {
      if (visible) stream.write('\r\u001B[2K')
      visible = false
    },
  }
}
