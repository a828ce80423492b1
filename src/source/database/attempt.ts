// Owns trying one query within a transaction that must go on when it fails. Knows no query.
import type pg from 'pg'

export type Attempt<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly error: unknown }

/**
 * Runs `run` behind a savepoint (allowed in a read-only transaction and on a standby), and returns its failure as a value.
 * @throws when the connection is gone
 */
export async function attempt<T>(client: pg.Client, run: () => Promise<T>): Promise<Attempt<T>> {
  await client.query('SAVEPOINT attempt')
  try {
    const value = await run()
    await client.query('RELEASE SAVEPOINT attempt')
    return { ok: true, value }
  } catch (error) {
    await client.query('ROLLBACK TO SAVEPOINT attempt')
    return { ok: false, error }
  }
}

/**
 * Runs one statement, whatever the text holds: the extended protocol rejects a second one, which could end the transaction.
 */
export async function queryOne<R extends pg.QueryResultRow>(client: pg.Client, text: string): Promise<R[]> {
  const query = { text, queryMode: 'extended' }
  return (await client.query<R>(query)).rows
}
