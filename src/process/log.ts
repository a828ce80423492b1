// Owns the programs' log: JSON lines, or readable ones on a terminal. Knows no secrets and must be given none.
import { pino } from 'pino'
import { logSink } from './log-sink.ts'
import { harmless } from './printable.ts'

export interface Log {
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

export interface LogTarget {
  readonly isTTY: boolean
  write(line: string): unknown
}

/**
 * Logs to stderr, each line at once: the last one before an exit is not lost.
 * @param beforeLine called before each line is written
 */
export function createLog(
  program: string,
  target: LogTarget = standardError(program),
  beforeLine: () => void = () => {},
): Log & { level: string } {
  const write = (line: string): void => {
    beforeLine()
    target.write(target.isTTY ? readable(line) : line)
  }
  return pino(
    {
      base: { program },
      level: 'info',
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    { write },
  )
}

function standardError(program: string): LogTarget {
  // Looking at it makes a pipe one that does not block.
  const { isTTY } = process.stderr
  const lost = (lines: number): string => {
    const message = `${lines} lines of this log were lost: they could not be written`
    const line = `${JSON.stringify({ level: 'warn', time: new Date().toISOString(), program, lines, message })}\n`
    return isTTY ? readable(line) : line
  }
  return { isTTY, ...logSink(2, lost) }
}

export const SILENT: Log = { info() {}, warn() {}, error() {} }

function readable(line: string): string {
  const { level, time, program: _, message, ...fields } = JSON.parse(line) as Record<string, unknown>
  const rest = Object.entries(fields).map(
    ([key, value]) =>
      `${key}=${(typeof value === 'string' ? value : JSON.stringify(value)).split('\n').map(harmless).join('\n')}`,
  )
  const label = level === 'info' ? '' : `${String(level)}: `
  const said = `${label}${harmless(String(message))}`
  return `${String(time).slice(11, 19)} ${said}${rest.length > 0 ? `  ${rest.join(' ')}` : ''}\n`
}
