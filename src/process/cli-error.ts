// Owns the error that ends a program with a chosen exit code and one line. Only bin/ exits.

export class CliError extends Error {
  override readonly name = 'CliError'
  readonly exitCode: number

  constructor(exitCode: number, message: string, cause?: unknown) {
    super(message, { cause })
    this.exitCode = exitCode
  }
}

/** Bad usage or configuration: exit 2. */
export function usageError(message: string): CliError {
  return new CliError(2, message)
}
