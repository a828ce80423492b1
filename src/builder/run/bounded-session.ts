// Owns a session for one piece of work, bounded in time and closed at its end. Knows no command and no query.
import type pg from 'pg'
import { connect } from '../../source/database/connect.ts'
import type { Target } from '../../source/database/parse-target.ts'
import { startDeadline, type Deadline } from './deadline.ts'

export const MINUTE_MS = 60_000

/** @param limit is cleared at the end */
export async function during<T>(
  target: Target,
  signal: AbortSignal,
  work: (client: pg.Client) => Promise<T>,
  limit: Deadline = startDeadline('looking at the database', MINUTE_MS, null),
): Promise<T> {
  const either = AbortSignal.any([signal, limit.signal])
  try {
    const connection = await connect(target, either)
    try {
      return await work(connection.client)
    } catch (error) {
      either.throwIfAborted()
      throw error
    } finally {
      await connection.close()
    }
  } finally {
    limit.clear()
  }
}
