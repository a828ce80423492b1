// Owns writing lines to a file descriptor whose reader may leave, stop reading or come back, or whose disk may be full.
// Knows no log.
import { writeSync } from 'node:fs'

export interface LogSink {
  write(line: string): void
}

/** Kept for a reader that does not read. */
const MAX_WAITING_BYTES = 64 * 1024
const RETRY_MS = 1000
/** How long an exit waits for a reader that is only slow. */
const EXIT_WAIT_MS = 200
const EXIT_STEP_MS = 10

type Write = (fd: number, bytes: Buffer) => number

/**
 * Writes each line at once, so that the last one before an exit is not lost, and never fails. What cannot be written (EPIPE,
 * EIO of a closed terminal, ENOSPC, a pipe that is full) waits for the next line or second; beyond 64 KiB lines are left
 * out and counted, and a line says how many once there is a reader again.
 * @param fd if a pipe or socket, it must not block: process.stderr, once looked at, has made it so
 */
export function logSink(
  fd: number,
  lostLine: (lines: number) => string,
  write: Write = writeSync,
  target: Pick<NodeJS.Process, 'on'> = process,
): LogSink {
  let waiting: Buffer = Buffer.alloc(0)
  let lost = 0
  let retry: NodeJS.Timeout | undefined
  /** The error that ended it; null = all is written. */
  const flush = (): string | null => {
    try {
      while (waiting.length > 0) {
        waiting = waiting.subarray(write(fd, waiting))
        if (waiting.length > 0 || lost === 0) continue
        waiting = Buffer.from(lostLine(lost))
        lost = 0
      }
      return null
    } catch (error) {
      return (error as NodeJS.ErrnoException).code ?? 'unknown'
    }
  }
  const flushOrWait = (): void => {
    clearTimeout(retry)
    if (flush() !== null) retry = setTimeout(flushOrWait, RETRY_MS).unref()
  }
  target.on('exit', () => {
    const wait = new Int32Array(new SharedArrayBuffer(4))
    for (let waitedMs = 0; flush() === 'EAGAIN' && waitedMs < EXIT_WAIT_MS; waitedMs += EXIT_STEP_MS)
      Atomics.wait(wait, 0, 0, EXIT_STEP_MS)
  })
  return {
    write(line) {
      const bytes = Buffer.from(line)
      if (waiting.length > 0 && waiting.length + bytes.length > MAX_WAITING_BYTES) lost += 1
      else waiting = waiting.length === 0 ? bytes : Buffer.concat([waiting, bytes])
      flushOrWait()
    },
  }
}
