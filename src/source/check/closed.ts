// Owns checking section `closed`: whether it gives an answer, and which.
import type pg from 'pg'
import type { CatalogTable } from '../database/catalog.ts'
import { queryClosed } from '../read/closed.ts'
import { lineOf } from '../read/column-types.ts'
import type { Finding } from '../mapping/finding.ts'
import type { ParamValue } from '../mapping/parameters.ts'
import { fillIn, type MappingSource } from '../mapping/mapping.ts'
import { SourceError } from '../database/source-error.ts'
import { attempt } from './attempt.ts'
import { codeOf, failed } from './sections.ts'

/** What a build would learn. */
export interface SiteState {
  readonly closed: boolean
  readonly reason: string | null
}

export interface CheckedClosed {
  /** null = there is no such section, or no answer. */
  readonly site: SiteState | null
  readonly findings: readonly Finding[]
  /** The SQLSTATE with which the server refused the section. */
  readonly refused: string | null
}

const ABOUT = 'section closed'

/** @param role the session's, for the GRANT line */
export async function checkClosed(
  client: pg.Client,
  source: MappingSource,
  values: readonly ParamValue[],
  catalog: readonly CatalogTable[],
  role: string,
): Promise<CheckedClosed> {
  const nothing: CheckedClosed = { site: null, findings: [], refused: null }
  const error = (problem: string): CheckedClosed => ({
    ...nothing,
    findings: [{ level: 'error', about: ABOUT, problem, fix: '' }],
  })
  if (source.file.closed === null) return nothing
  let sql: string
  try {
    sql = fillIn(source, ABOUT, source.file.closed, values)
  } catch (fault) {
    if (!(fault instanceof SourceError)) throw fault
    // It needs a value, which is a finding of the parameters.
    return values.some(({ text }) => text === null) ? nothing : error(fault.message)
  }
  const answer = await attempt(client, () => queryClosed(client, sql))
  if (!answer.ok)
    return {
      ...nothing,
      findings: [await failed(`${ABOUT}${lineOf(answer.error, sql)}`, answer.error, sql, catalog, role)],
      refused: codeOf(answer.error),
    }
  if (typeof answer.value === 'string') return error(answer.value)
  return { ...nothing, site: { closed: answer.value !== null, reason: answer.value?.reason ?? null } }
}
