// Owns the error that ends a program with a chosen exit code and one line, and that line. Only bin/ exits.
import { priorityOf } from './log.ts'
import { harmless } from './printable.ts'

export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

/** An error that was said before: nothing is printed, and its exit code says the same again. */
export class SaidBefore extends CliError {}

/** Bad usage or configuration: exit 2. */
export function usageError(message: string): CliError {
  return new CliError(2, message)
}

/** The line for a terminal or journald, without what could harm: it may quote anything from a file, a variable or an argument. */
export function errorLine(program: string, { message }: Error): string {
  return `${priorityOf('error')}${program}: ${harmless(message)}\n`
}

/** A refused connection to several addresses is an AggregateError, which has a code but no message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  if (error.message !== '') return error.message
  return 'code' in error ? String(error.code) : error.name
}
