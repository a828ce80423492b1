// Owns how long work with a database may take: a signal that aborts with the reason, and a session that is closed at its end.
// Knows no command and no query.
import type pg from 'pg'
import { showDuration } from '../../process/value-syntax.ts'
import { connect } from '../../source/database/connect.ts'
import type { Target } from '../../source/database/parse-target.ts'
import { SourceError } from '../../source/database/source-error.ts'

/**
 * Keeps no program from ending, and when it aborts later, nobody listens any more.
 * @param what as in `the build`
 * @param option the flag that sets it; null = nothing does
 */
export function startDeadline(what: string, deadlineMs: number, option: string | null = '--deadline') {
  const controller = new AbortController()
  const endMs = performance.now() + deadlineMs
  const abort = (): void => {
    const limit = `${what} took longer than ${option === null ? '' : `${option} `}${showDuration(deadlineMs)}`
    const text = `${limit}; ${option === null ? 'does the server answer?' : 'raise it, or see which query is slow'}`
    // Whoever was not waiting for the database says the cause, and what it was waiting for.
    controller.abort(new SourceError(text, false, new Error(limit)))
  }
  setTimeout(abort, deadlineMs).unref()
  /** Below 0 when it is over. */
  const leftMs = (): number => endMs - performance.now()
  return { signal: controller.signal, leftMs }
}

export const MINUTE_MS = 60_000

/** However it ends, the connection does not stay open. */
export async function withSession<T>(
  target: Target,
  stop: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
  limit = startDeadline('looking at the database', MINUTE_MS, null),
): Promise<T> {
  const signal = AbortSignal.any([stop, limit.signal])
  const connection = await connect(target, signal, limit.leftMs)
  try {
    return await work(connection.client)
  } catch (error) {
    // The error of a cut connection says less than the reason why it was cut.
    signal.throwIfAborted()
    throw error
  } finally {
    await connection.close()
  }
}
