// Owns the deadline of a command that uses a database: a signal that aborts with the reason. Knows no command.
import { showDuration } from '../../process/value-syntax.ts'
import { SourceError } from '../../source/database/source-error.ts'

export interface Deadline {
  readonly signal: AbortSignal
  clear(): void
}

/**
 * @param what as in `the build`
 * @param option the flag that sets it; null = nothing does
 */
export function startDeadline(what: string, deadlineMs: number, option: string | null = '--deadline'): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    const limit = `${what} took longer than ${option === null ? '' : `${option} `}${showDuration(deadlineMs)}`
    const text = `${limit}; ${option === null ? 'does the server answer?' : 'raise it, or see which query is slow'}`
    controller.abort(new SourceError('source', text))
  }, deadlineMs)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}
