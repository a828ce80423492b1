// Owns noticing that a database holds several sites and the mapping does not tell them apart.
import { escapeIdentifier } from 'pg'
import type pg from 'pg'
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { error, warning, type Finding } from '../mapping/finding.ts'
import { SelectReader } from '../mapping/referenced-columns.ts'
import { foldedName, sqlName } from '../sql/names.ts'
import { wordsIn } from '../sql/tokens.ts'
import { queryOne, attempt } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'

/** What platforms with several sites call one of them; some have an account for each site. */
const SITES = 'tenant|organi[sz]ation|org|site|workspace|instance|community|account'
/** Names of the column by which they separate sites within a table. */
const TENANT = new RegExp(`^(?:${SITES})_?id$`, 'i')
/** What the parameter of such a column is called. */
const PARAM = new RegExp(`^(?:${SITES})(?:_?id)?$`, 'i')
/** At most so many values are read: enough to see that there are several. */
const MAX_SEEN = 6

/**
 * Looks at the tables of section `ideas`: a column that names a tenant, holds several values and is not used in
 * the mapping means that the ideas of several sites are counted as one, unless the mapping says that they belong together.
 * Where the mapping tells sites apart in another way, the finding is only a warning.
 */
export async function checkTenants({ client, source, fitted, parsed, catalog, findings }: CheckContext): Promise<void> {
  const { sections } = fitted
  // Tables of the same name in other schemas may be other sites.
  const { columns } = new SelectReader([parsed.get(sections.get('ideas') ?? '') ?? null], catalog)
  const words = new Set([...sections.values()].flatMap((sql) => [...wordsIn(sql)].map(foldedName)))
  const tellsApart =
    source.file.params.some(({ name }) => PARAM.test(name)) || [...words].some((word) => TENANT.test(word))
  for (const table of columns.keys())
    for (const { name, type, readable } of table.columns) {
      if (!TENANT.test(name) || !readable || words.has(foldedName(name))) continue
      const seen = await tenantsOf(client, table, name)
      if (seen.length > 1) findings.push(severalTenants(table, { name, type }, seen, tellsApart ? warning : error))
    }
}

async function tenantsOf(client: pg.Client, table: CatalogTable, column: string): Promise<string[]> {
  const text = `SELECT DISTINCT ${escapeIdentifier(column)}::text AS tenant FROM ${tableText(table)} WHERE ${escapeIdentifier(column)} IS NOT NULL LIMIT ${MAX_SEEN}`
  const answer = await attempt(client, () => queryOne<{ tenant: string }>(client, text))
  return answer.ok ? answer.value.map(({ tenant }) => tenant).sort() : []
}

function severalTenants(
  table: CatalogTable,
  { name, type }: Pick<CatalogTable['columns'][number], 'name' | 'type'>,
  seen: readonly string[],
  level: typeof error,
): Finding {
  const column = sqlName(name)
  const paramType = type === 'bigint' ? 'bigint' : type === 'integer' ? 'int' : 'text'
  const several = seen.length === MAX_SEEN ? `at least ${MAX_SEEN}` : String(seen.length)
  const compared = paramType === 'text' && type !== 'text' ? `${column}::text` : column
  return level(
    'tenants',
    `${tableText(table)}.${column} holds ${several} values (${seen.slice(0, 3).join(', ')}…), and the mapping does not mention it: several sites would count as one`,
    `add the line "-- param tenant : ${paramType}" and, to each section, WHERE ${compared} = :tenant\nor, if all of them are one site, WHERE ${column} IS NOT NULL in section ideas says so`,
  )
}
