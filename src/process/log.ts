// Owns the programs' log: JSON lines, or readable ones on a terminal, and writing them to a file descriptor whose reader may leave, stop
// reading or come back, or whose disk may be full. Knows no secrets and must be given none.
import { harmless } from './printable.ts'
import { fstatSync, writeSync } from 'node:fs'

export interface Log {
  info: (fields: object, message: string) => void
  warn: (fields: object, message: string) => void
  error: (fields: object, message: string) => void
}

export interface LogTarget {
  readonly isTTY: boolean
  write(line: string): unknown
}

/**
 * Logs to stderr, each line at once: the last one before an exit is not lost.
 * @param target what stands for stderr
 * @param beforeLine called before each line is written
 */
export function createLog(program: string, target?: LogTarget, beforeLine: () => void = () => {}): Log {
  // Looking at process.stderr makes its pipe one that does not block.
  const { isTTY } = target ?? process.stderr
  const lineAt = (level: keyof Log, fields: object, message: string): string =>
    priorityOf(level) + lineOf(isTTY, level, program, fields, message)
  const lost = (lines: number): string =>
    lineAt('warn', { lines }, `${lines} lines of this log were lost: they could not be written`)
  const sink = target ?? logSink(2, lost)
  const at = (level: keyof Log) => (fields: object, message: string) => {
    beforeLine()
    sink.write(lineAt(level, fields, message))
  }
  return { info: at('info'), warn: at('warn'), error: at('error') }
}

function lineOf(isTTY: boolean, level: keyof Log, program: string, fields: object, message: string): string {
  const time = new Date().toISOString()
  if (!isTTY) return `${JSON.stringify({ level, time, program, ...fields, message })}\n`
  const rest = Object.entries(fields)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]): [string, string] => [key, typeof value === 'string' ? value : JSON.stringify(value)])
    .map(([key, text]) => `${key}=${text.split('\n').map(harmless).join('\n')}`)
  const label = level === 'info' ? '' : `${level}: `
  return `${time.slice(11, 19)} ${label}${harmless(message)}${rest.length > 0 ? `  ${rest.join(' ')}` : ''}\n`
}

/** The priority of a line as journald reads it (sd-daemon(3)), so that `journalctl -p err` shows what went wrong. */
const PRIORITY: Readonly<Record<keyof Log, string>> = { error: '<3>', warn: '<4>', info: '<6>' }

/** What a line on standard error begins with: its priority, if that goes to journald, which says so by a variable (systemd.exec(5)). */
export function priorityOf(level: keyof Log, stream = process.env['JOURNAL_STREAM']): string {
  try {
    const { dev, ino } = fstatSync(2)
    return stream === `${dev}:${ino}` ? PRIORITY[level] : ''
  } catch {
    // Standard error is closed.
    return ''
  }
}

/** For what a program can go on without: null = it failed, which is logged. */
export async function orLog<T>(
  log: Log,
  level: 'warn' | 'error',
  failed: string,
  work: () => Promise<T>,
): Promise<T | null> {
  try {
    return await work()
  } catch (error) {
    log[level]({}, `${failed}: ${(error as Error).message}`)
    return null
  }
}

export const SILENT: Log = { info() {}, warn() {}, error() {} }

/** How much is kept for a reader that does not read. */
const MAX_WAITING_BYTES = 64 * 1024
const RETRY_MS = 1000
/** How long an exit waits for a reader that is only slow. */
const EXIT_WAIT_MS = 200
const EXIT_STEP_MS = 10

/**
 * Writes each line at once, so that the last one before an exit is not lost, and never fails. What cannot be written (EPIPE,
 * EIO of a closed terminal, ENOSPC, a pipe that is full) waits for the next line or second; beyond 64 KiB lines are left
 * out and counted, and a line says how many once there is a reader again.
 * @param fd if a pipe or socket, it must not block: process.stderr, once looked at, has made it so
 */
export function logSink(
  fd: number,
  lostLine: (lines: number) => string,
  write: (fd: number, bytes: Buffer) => number = writeSync,
  target: Pick<NodeJS.Process, 'on'> = process,
): Pick<LogTarget, 'write'> {
  let waiting: Buffer = Buffer.alloc(0)
  let lost = 0
  let retry: NodeJS.Timeout | undefined
  /** Writes what waits; returns the code of the error that ended it; null = all is written. */
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
