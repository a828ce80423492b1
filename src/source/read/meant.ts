// Owns looking up what was meant where the server has rejected a section: the failed read is over, the server's message stays.
import type pg from 'pg'
import { some } from '../../process/printable.ts'
import { readCatalog } from '../database/catalog.ts'
import { beginRead, type ReadOptions } from '../database/transaction.ts'
import { namesMeant } from '../mapping/names-meant.ts'

/** What to do about a section that the server rejected; empty = nobody knows. Never fails. */
export type Meant = (error: unknown, sql: string) => Promise<string>

export const NOTHING_MEANT: Meant = () => Promise.resolve('')

/** The build fails already: what helps only to understand why has little time. */
const LOOK_UP_MS = 3000

/** Looks into the catalogue in a transaction of its own: that of the read is aborted. */
export function meantIn(client: pg.Client, options: ReadOptions): Meant {
  const short = { ...options, statementTimeoutMs: LOOK_UP_MS, lockTimeoutMs: LOOK_UP_MS }
  return async (error, sql) => {
    try {
      const names = await namesMeant(error, sql, async () => {
        await client.query('ROLLBACK')
        await beginRead(client, short)
        return readCatalog(client, null)
      })
      return some(names, 3, '; ')
    } catch {
      return ''
    }
  }
}
