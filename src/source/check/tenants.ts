// Owns noticing that a database holds several sites and the mapping does not tell them apart.
import { escapeIdentifier } from 'pg'
import type pg from 'pg'
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { error, type Finding } from '../mapping/finding.ts'
import { referencedColumns } from '../mapping/referenced-columns.ts'
import { folded, written } from '../sql/names.ts'
import { tokens } from '../sql/tokens.ts'
import { queryOne, attempt } from './attempt.ts'
import type { CheckContext } from './context.ts'

/** Names of the column by which platforms separate sites within a table. */
const TENANT = /^(?:tenant|organi[sz]ation|org|site|workspace|instance|community|account)_?id$/i
/** Enough to see that there are several. */
const MAX_SEEN = 6

/**
 * Looks at the tables of section `ideas`: a column that names a tenant, holds several values and is not used in
 * the mapping means that the ideas of several sites are counted as one.
 */
export async function checkTenants({ client, source, catalog, parsed }: CheckContext): Promise<Finding[]> {
  const { sections } = source.file
  // Tables of the same name in other schemas may be other sites.
  const tables = referencedColumns(parsed.get(sections.get('ideas') ?? '') ?? null, catalog).keys()
  const code = [...sections.values()].flatMap((sql) => tokens(sql).filter(({ kind }) => kind !== 'comment'))
  const words = new Set(code.flatMap(({ text }) => (text.match(/[\w$\u0080-\uffff]+/g) ?? []).map(folded)))
  const findings: Finding[] = []
  for (const table of tables)
    for (const { name, type, readable } of table.columns)
      if (TENANT.test(name) && readable && !words.has(folded(name))) {
        const seen = await tenantsOf(client, table, name)
        if (seen.length > 1) findings.push(severalTenants(table, name, type, seen))
      }
  return findings
}

async function tenantsOf(client: pg.Client, table: CatalogTable, column: string): Promise<string[]> {
  const text = `SELECT DISTINCT ${escapeIdentifier(column)}::text AS tenant FROM ${tableText(table)} WHERE ${escapeIdentifier(column)} IS NOT NULL LIMIT ${MAX_SEEN}`
  const answer = await attempt(client, () => queryOne<{ tenant: string }>(client, text))
  return answer.ok ? answer.value.map(({ tenant }) => tenant).sort() : []
}

function severalTenants(table: CatalogTable, column: string, type: string, seen: readonly string[]): Finding {
  const param = type === 'integer' || type === 'bigint' ? (type === 'bigint' ? 'bigint' : 'int') : 'text'
  const several = seen.length === MAX_SEEN ? `at least ${MAX_SEEN}` : String(seen.length)
  const compared = param === 'text' && type !== 'text' ? `${written(column)}::text` : written(column)
  return error(
    'tenants',
    `${tableText(table)}.${written(column)} holds ${several} values (${seen.slice(0, 3).join(', ')}…), and the mapping does not mention it: several sites would count as one`,
    `add the line "-- param tenant : ${param}" and, to each section, WHERE ${compared} = :tenant`,
  )
}
