// Owns checking each section by itself: whether the server accepts it, its columns, its number of rows.
import { escapeIdentifier } from 'pg'
import type pg from 'pg'
import { grantName, type CatalogTable } from '../database/catalog.ts'
import { columnTypesOf, lineOf } from '../read/column-types.ts'
import type { Finding } from '../mapping/finding.ts'
import { parseSelects, referencedColumns } from '../mapping/referenced-columns.ts'
import { asTable } from '../sql/template.ts'
import { checkColumns, type ReturnedColumn, type Relation } from '../mapping/relations.ts'
import { notUsable } from '../mapping/requirements.ts'
import { grantLine } from '../mapping/role-script.ts'
import { explain } from '../database/source-error.ts'
import { written } from '../sql/names.ts'
import { queryOne, attempt } from './attempt.ts'

export interface CheckedSection {
  readonly relation: Relation
  /** As the section returns them; null = the server rejected the section. */
  readonly columns: readonly ReturnedColumn[] | null
  /** null = not counted, because of an error. */
  readonly rows: number | null
  readonly findings: readonly Finding[]
  /** The SQLSTATE with which the server refused it. */
  readonly refused: string | null
}

/** @param role the session's, for the GRANT line */
export async function checkSection(
  client: pg.Client,
  relation: Relation,
  sql: string,
  catalog: readonly CatalogTable[],
  role: string,
): Promise<CheckedSection> {
  const about = `section ${relation}`
  const answer = await attempt(client, () => columnTypesOf(client, sql))
  if (!answer.ok) {
    const findings = [await failed(`${about}${lineOf(answer.error, sql)}`, answer.error, sql, catalog, role)]
    return { relation, columns: null, rows: null, findings, refused: codeOf(answer.error) }
  }
  const columns = answer.value
  const { errors, warnings } = checkColumns(relation, columns)
  const findings: Finding[] = [
    ...errors.map((problem): Finding => ({ level: 'error', about, problem, fix: '' })),
    ...warnings.map((problem): Finding => ({ level: 'warning', about, problem, fix: '' })),
  ]
  const counted = await attempt(client, () =>
    queryOne<{ rows: number }>(client, `SELECT count(*)::float8 AS rows FROM ${asTable(sql)}`),
  )
  if (!counted.ok) findings.push(await failed(about, counted.error, sql, catalog, role))
  return { relation, columns, rows: counted.ok ? (counted.value[0]?.rows ?? 0) : null, findings, refused: null }
}

const DENIED = '42501'

export function codeOf(error: unknown): string | null {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : null
}

/** The finding for a section that the server rejected, with the grants if privileges are missing. */
export async function failed(
  about: string,
  error: unknown,
  sql: string,
  catalog: readonly CatalogTable[],
  role: string,
): Promise<Finding> {
  const { message } = explain(error, '')
  const denied = codeOf(error) === DENIED
  return {
    level: 'error',
    about,
    problem: message.replace(/^: /, ''),
    fix: denied ? (await grantsFor(sql, catalog, role)).join('\n') : '',
  }
}

/** What the section reads and the role may not. */
async function grantsFor(sql: string, catalog: readonly CatalogTable[], role: string): Promise<string[]> {
  const [select = null] = await parseSelects([sql])
  return [...referencedColumns(select, catalog)].flatMap(([table, names]) => {
    const hidden = names.filter((name) => table.columns.some((column) => column.name === name && !column.readable))
    return [
      ...(table.usable ? [] : [notUsable(table, role).fix]),
      ...(hidden.length === 0 ? [] : [grantLine(grantName(table), hidden.map(written), escapeIdentifier(role))]),
    ]
  })
}
