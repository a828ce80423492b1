// Owns checking each section by itself: whether the server accepts it, its columns, its number of rows; of section `closed`,
// whether it gives an answer, and which. Knows no build.
import { CliError } from '../../process/cli-error.ts'
import { NO_ROW, queryClosed } from '../read/closed.ts'
import { columnTypesOf, lineOf } from '../read/column-types.ts'
import { error, isError, warning } from '../mapping/finding.ts'
import { filledIn } from '../mapping/mapping.ts'
import { asTable } from '../sql/template.ts'
import { checkColumns, type Relation } from '../mapping/relations.ts'
import { explain } from '../database/source-error.ts'
import { queryOne, attempt } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'

export async function checkSections(context: CheckContext) {
  const sections: Awaited<ReturnType<typeof checkSection>>[] = []
  /** The SELECTs with the parameters' values in them; a section that needs a value which is not given is absent. */
  const selects = new Map<Relation, string>()
  for (const [relation, text] of context.fitted.sections) {
    const about = `section ${relation}`
    const sql = filledIn(context, about, text)
    if (sql instanceof CliError) context.findings.push(error(about, sql.message))
    if (typeof sql !== 'string') continue
    selects.set(relation, sql)
    sections.push(await checkSection(context, relation, sql))
  }
  return { sections, selects }
}

/** The columns that a section returns, null = the server rejected it; and how many rows, null = not counted, because of an error. */
async function checkSection(context: CheckContext, relation: Relation, sql: string) {
  const { client, findings } = context
  const about = `section ${relation}`
  const answer = await attempt(client, () => columnTypesOf(client, sql))
  if (!answer.ok) {
    reject(context, about, sql, answer.error)
    return { relation, columns: null, rows: null }
  }
  const { errors, warnings } = checkColumns(relation, answer.value)
  findings.push(...errors.map((problem) => error(about, problem)))
  findings.push(...warnings.map((problem) => warning(about, problem)))
  const counted = await attempt(client, () =>
    queryOne<{ rows: number }>(client, `SELECT count(*)::float8 AS rows FROM ${asTable(sql)}`),
  )
  if (!counted.ok) reject(context, about, sql, counted.error)
  return { relation, columns: answer.value, rows: counted.ok ? (counted.value[0]?.rows ?? 0) : null }
}

/** The SQLSTATEs of a table, a column or a grant that is missing. */
const REPORTED: readonly unknown[] = ['42P01', '42703', '42501']

/** Reports that the server rejected a SELECT, unless `requires` has already reported why. */
function reject({ required, findings }: CheckContext, about: string, sql: string, cause: unknown): void {
  const { code } = (cause ?? {}) as { code?: unknown }
  if (required.some(isError) && REPORTED.includes(code)) return
  findings.push(error(`${about}${lineOf(cause, sql)}`, explain(cause).message))
}

/** What a build would learn from section `closed`; null = there is no such section, or it gave no answer. */
export async function checkClosed(context: CheckContext) {
  const { begun, fitted, findings } = context
  const about = 'section closed'
  const sql = fitted.closed === null ? null : filledIn(context, about, fitted.closed)
  if (sql instanceof CliError) findings.push(error(about, sql.message))
  if (typeof sql !== 'string') return null
  const answer = await attempt(context.client, () => queryClosed(begun.instant, sql))
  if (!answer.ok) reject(context, about, sql, answer.error)
  else if (typeof answer.value !== 'string')
    return { closed: answer.value !== null, reason: answer.value?.reason ?? null }
  // A wrong parameter has already been reported, and it explains why there is no row.
  else if (answer.value !== NO_ROW || !findings.some((one) => isError(one) && one.about.startsWith('param ')))
    findings.push(error(about, answer.value))
  return null
}
