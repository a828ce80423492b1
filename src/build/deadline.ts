// Owns the deadline of a command that asks a database: a signal that aborts with the reason. Knows no command.
import { showDuration } from '../process/value-syntax.ts'
import { SourceError } from '../source/source-error.ts'

export interface Deadline {
  readonly signal: AbortSignal
  clear(): void
}

/** @param what as in `the build` */
export function startDeadline(what: string, deadlineMs: number): Deadline {
  const controller = new AbortController()
  const timer = setTimeout(() => {
    const text = `${what} took longer than --deadline ${showDuration(deadlineMs)}; raise it, or see which query is slow`
    controller.abort(new SourceError('source', text))
  }, deadlineMs)
  return { signal: controller.signal, clear: () => clearTimeout(timer) }
}
