// Owns asking one question beside another: a second session that sees what the first one sees. Knows no mapping.
import type pg from 'pg'
import type { Connection } from './connect.ts'
import { beginReadOf, type ReadOptions, type SharedSnapshot } from './transaction.ts'

/** @throws where the server has no session to spare */
export type OpenSession = () => Promise<Connection>

/**
 * @returns null when there is no second session to be had here (the role's connection limit, a pooler that gave a session
 * of another server): then it is asked where everything else is
 * @throws what `ask` throws
 */
export async function askBeside<T extends object>(
  open: OpenSession,
  shared: SharedSnapshot,
  options: ReadOptions,
  ask: (client: pg.Client) => Promise<T>,
): Promise<T | null> {
  const connection = await open().catch(() => null)
  if (connection === null) return null
  try {
    const begun = await beginReadOf(connection.client, shared, options).then(
      () => true,
      () => false,
    )
    return begun ? await ask(connection.client) : null
  } finally {
    await connection.close()
  }
}

/**
 * Whether a question asks for the time, in its own words or a view's. now() is when a transaction began, which another
 * session's did later: what it asks for must then be asked in the first.
 */
export async function asksTheTime(client: pg.Client, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (VERBOSE, COSTS OFF) ${sql}`)
  return rows.some((row) => CLOCKS.test(row['QUERY PLAN']))
}

/** Of PostgreSQL's manual, "Date/Time Functions", as plans write them. A name like one of them only costs the second session. */
const CLOCKS =
  /\b(?:now|age|timeofday|(?:transaction|statement|clock)_timestamp)\(|\b(?:CURRENT_|LOCAL)(?:DATE|TIME)|'now'/i
