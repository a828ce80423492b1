// Owns what setup reads of the database: bounded in time, each time in a read-only transaction of its own. Asks nothing.
import type pg from 'pg'
import { ianaName } from '../../contract/time-zone.ts'
import { queryOne } from '../../source/database/attempt.ts'
import { checkSource } from '../../source/check/check.ts'
import { contextOf, type CheckRequest } from '../../source/check/context.ts'
import { checkParams } from '../../source/check/params.ts'
import { type MappingSource, filledIn } from '../../source/mapping/mapping.ts'
import { readCatalog } from '../../source/database/catalog.ts'
import type { Target } from '../../source/database/parse-target.ts'
import { beginRead, type Begun, type ReadOptions } from '../../source/database/transaction.ts'
import { paramValues } from '../../source/mapping/parameters.ts'
import { withSession, MINUTE_MS, startDeadline } from '../run/session.ts'
import { pageQuery, type PageRow } from './page-proposal.ts'

const BRIEFLY = { rowSecurity: 'off', statementTimeoutMs: 30_000, lockTimeoutMs: 5000 } as const
const LIKE_A_BUILD = { ...BRIEFLY, statementTimeoutMs: 10 * MINUTE_MS } as const

/** Values of the parameters of a mapping, by name, as they are given or answered. */
export type Params = Readonly<Record<string, string>>

export type Look = ReturnType<typeof lookAt>

/** A proposal is not worth a minute. */
const PAGE_MS = 2000

export function lookAt(target: Target, signal: AbortSignal) {
  const { searchPath } = target
  const reading = <T>(work: (client: pg.Client, begun: Begun) => Promise<T>): Promise<T> =>
    withSession(target, signal, async (client) => work(client, await beginRead(client, { ...BRIEFLY, searchPath })))
  const request = (source: MappingSource, given: Params, options: ReadOptions = BRIEFLY): CheckRequest => ({
    source,
    values: paramValues(source.file, given, {}),
    ...options,
    searchPath,
  })
  return {
    catalog: () => reading((client) => readCatalog(client, null)),
    /** What each parameter may be, as far as the values that are given tell. */
    params: (source: MappingSource, given: Params) =>
      reading(async (client, begun) => checkParams(await contextOf(client, request(source, given), begun))),
    /** What section `page` returns: at most two rows; none where there is no such section, or it fails. */
    page: (source: MappingSource, given: Params): Promise<readonly PageRow[]> =>
      // Not even a lost connection or a signal matters: what is looked at next has a session of its own.
      reading((client) => readPage(client, request(source, given))).catch(() => []),
    /** The time zone (IANA) of the database, or that of the machine where it is UTC. */
    timeZone: () => reading(readTimeZone),
    check: (source: MappingSource, given: Params) =>
      withSession(
        target,
        signal,
        (client) => checkSource(client, request(source, given, LIKE_A_BUILD)),
        startDeadline('the check', 15 * MINUTE_MS, null),
      ),
  }
}

/** The time zone that a session begins with; builds read in UTC. */
async function readTimeZone(client: pg.Client): Promise<string> {
  const sql = "SELECT reset_val AS zone FROM pg_settings WHERE name = 'TimeZone'"
  const [row] = await queryOne<{ zone: string }>(client, sql)
  const ofDatabase = ianaName(row?.zone ?? 'UTC') ?? 'UTC'
  const ofMachine = Intl.DateTimeFormat().resolvedOptions().timeZone
  return ofDatabase === 'UTC' ? (ianaName(ofMachine) ?? 'UTC') : ofDatabase
}

async function readPage(client: pg.Client, asked: CheckRequest): Promise<readonly PageRow[]> {
  const { page } = asked.source.file
  const sql = page === null ? null : filledIn(asked, 'section page', page)
  if (typeof sql !== 'string') return []
  await client.query(`SET LOCAL statement_timeout = ${PAGE_MS}`)
  return queryOne<PageRow>(client, pageQuery(sql))
}
