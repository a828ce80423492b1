// Owns the programs' log: JSON lines, or readable ones on a terminal. Knows no secrets and must be given none.
import { pino, type DestinationStream } from 'pino'
import { harmless } from './printable.ts'

export interface Log {
  debug(fields: object, message: string): void
  info(fields: object, message: string): void
  warn(fields: object, message: string): void
  error(fields: object, message: string): void
}

/** Logs to stderr, synchronously: the last line before an exit is never lost. */
export function createLog(program: string, stream: NodeJS.WriteStream = process.stderr): Log {
  const destination: DestinationStream = { write: (line) => void stream.write(stream.isTTY ? readable(line) : line) }
  return pino(
    {
      base: { program },
      level: 'info',
      messageKey: 'message',
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (level) => ({ level }) },
    },
    destination,
  )
}

export const SILENT: Log = { debug() {}, info() {}, warn() {}, error() {} }

const COLOURS: Readonly<Record<string, string>> = { warn: '\u001B[33m', error: '\u001B[31m' }

function readable(line: string): string {
  const { level, time, program: _, message, ...fields } = JSON.parse(line) as Record<string, unknown>
  const colour = COLOURS[String(level)] ?? ''
  const rest = Object.entries(fields).map(
    ([key, value]) =>
      `${key}=${(typeof value === 'string' ? value : JSON.stringify(value)).split('\n').map(harmless).join('\n')}`,
  )
  const label = level === 'info' ? '' : `${String(level)}: `
  return `${String(time).slice(11, 19)} ${colour}${label}${harmless(String(message))}${colour === '' ? '' : '\u001B[0m'}${rest.length > 0 ? `  ${rest.join(' ')}` : ''}\n`
}
