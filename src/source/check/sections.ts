// Owns checking each section by itself: whether the server accepts it, its columns, its number of rows; of section `closed`,
// whether it gives an answer, and which. Knows no build.
import { NO_ROW, queryClosed } from '../read/closed.ts'
import { columnTypesOf, lineOf } from '../read/column-types.ts'
import { error, isError, warning, type Finding } from '../mapping/finding.ts'
import { trySubstitute } from '../mapping/mapping.ts'
import { asTable } from '../sql/template.ts'
import { checkColumns, type ReturnedColumn, type Relation } from '../mapping/relations.ts'
import { explain, SourceError } from '../database/source-error.ts'
import { queryOne, attempt } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'

export interface CheckedSection {
  readonly relation: Relation
  /** As the section returns them; null = the server rejected the section. */
  readonly columns: readonly ReturnedColumn[] | null
  /** null = not counted, because of an error. */
  readonly rows: number | null
}

interface CheckedSections {
  readonly sections: readonly CheckedSection[]
  /** With the parameters' values; a section that needs one which is not given is absent. */
  readonly selects: ReadonlyMap<Relation, string>
  readonly findings: readonly Finding[]
}

export async function checkSections(context: CheckContext): Promise<CheckedSections> {
  const sections: CheckedSection[] = []
  const selects = new Map<Relation, string>()
  const findings: Finding[] = []
  for (const [relation, text] of context.source.file.sections) {
    const about = `section ${relation}`
    const sql = trySubstitute(context, about, text)
    if (sql instanceof SourceError) findings.push(error(about, sql.message))
    if (typeof sql !== 'string') continue
    selects.set(relation, sql)
    sections.push(await checkSection(context, relation, sql, findings))
  }
  return { sections, selects, findings }
}

async function checkSection(
  context: CheckContext,
  relation: Relation,
  sql: string,
  findings: Finding[],
): Promise<CheckedSection> {
  const { client } = context
  const about = `section ${relation}`
  const answer = await attempt(client, () => columnTypesOf(client, sql))
  if (!answer.ok) {
    findings.push(...rejection(context, about, sql, answer.error))
    return { relation, columns: null, rows: null }
  }
  const { errors, warnings } = checkColumns(relation, answer.value)
  findings.push(...errors.map((problem) => error(about, problem)))
  findings.push(...warnings.map((problem) => warning(about, problem)))
  const counted = await attempt(client, () =>
    queryOne<{ rows: number }>(client, `SELECT count(*)::float8 AS rows FROM ${asTable(sql)}`),
  )
  if (!counted.ok) findings.push(...rejection(context, about, sql, counted.error))
  return { relation, columns: answer.value, rows: counted.ok ? (counted.value[0]?.rows ?? 0) : null }
}

/** The SQLSTATEs of a table, a column or a grant that is missing. */
const REPORTED: readonly unknown[] = ['42P01', '42703', '42501']

/** The finding for a SELECT that the server rejected, unless `requires` has reported why. */
function rejection(context: CheckContext, about: string, sql: string, cause: unknown): Finding[] {
  const { code } = (cause ?? {}) as { code?: unknown }
  if (context.required.some(isError) && REPORTED.includes(code)) return []
  return [error(`${about}${lineOf(cause, sql)}`, explain(cause).message)]
}

/** What a build would learn. */
export interface SiteState {
  readonly closed: boolean
  readonly reason: string | null
}

interface CheckedClosed {
  /** null = there is no such section, or no answer. */
  readonly site: SiteState | null
  readonly findings: readonly Finding[]
}

/** @param isParamWrong it has been said, and is why no row is there */
export async function checkClosed(context: CheckContext, isParamWrong: boolean): Promise<CheckedClosed> {
  const about = 'section closed'
  const none = (...findings: readonly Finding[]): CheckedClosed => ({ site: null, findings })
  const text = context.source.file.closed
  const sql = text === null ? null : trySubstitute(context, about, text)
  if (text === null || sql === null) return none()
  if (typeof sql !== 'string') return none(error(about, sql.message))
  const answer = await attempt(context.client, () => queryClosed(context.client, sql))
  if (!answer.ok) return none(...rejection(context, about, sql, answer.error))
  if (answer.value === NO_ROW && isParamWrong) return none()
  if (typeof answer.value === 'string') return none(error(about, answer.value))
  return { site: { closed: answer.value !== null, reason: answer.value?.reason ?? null }, findings: [] }
}
