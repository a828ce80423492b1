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
 * Whether a question may ask for the time: in its own words, a view's, or those of a function that somebody made. now()
 * is when a transaction began, which another session's did later: what asks for it must then be asked in the first.
 */
export async function asksTheTime(client: pg.Client, sql: string): Promise<boolean> {
  const { rows } = await client.query<{ 'QUERY PLAN': string }>(`EXPLAIN (VERBOSE, COSTS OFF) ${sql}`)
  const plan = rows.map((row) => row['QUERY PLAN']).join('\n')
  return CLOCKS.test(plan) || (await callsMadeFunction(client, plan))
}

/** Of PostgreSQL's manual, "Date/Time Functions", as plans write them. A name like one of them only costs the second session. */
const CLOCKS =
  /\b(?:now|age|timeofday|(?:transaction|statement|clock)_timestamp)\(|\b(?:CURRENT_|LOCAL)(?:DATE|TIME)|'now'/i

/** As plans write a name before what it is called with. */
const CALLED = /([a-z_][a-z0-9_$]*|"(?:[^"]|"")+")\(/g

/** Whether a function is called that is not PostgreSQL's, and not immutable: what it asks for inside no plan shows. */
async function callsMadeFunction(client: pg.Client, plan: string): Promise<boolean> {
  const names = [...plan.matchAll(CALLED)].map(([, name = '']) => name.replace(/^"|"$/g, '').replaceAll('""', '"'))
  const { rows } = await client.query<{ calls: boolean }>(
    `SELECT EXISTS (SELECT FROM pg_catalog.pg_proc
              WHERE proname = ANY ($1::text[]) AND provolatile <> 'i'
                AND pronamespace <> 'pg_catalog'::pg_catalog.regnamespace) AS calls`,
    [[...new Set(names)]],
  )
  return rows[0]?.calls === true
}
