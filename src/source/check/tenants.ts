// Owns noticing that a database holds several sites and the mapping does not tell them apart.
import { escapeIdentifier } from 'pg'
import type pg from 'pg'
import { readCatalog, tableText, type CatalogTable } from '../database/catalog.ts'
import { error, warning, type Finding } from '../mapping/finding.ts'
import { catalogTables } from '../mapping/referenced-columns.ts'
import type { Relation } from '../mapping/relations.ts'
import { folded, written } from '../sql/names.ts'
import { tokens } from '../sql/tokens.ts'
import { queryOne, attempt } from '../database/attempt.ts'
import type { CheckContext } from './context.ts'

/** What platforms call a site where they have several; some have an account for each site. */
const SITES = 'tenant|organi[sz]ation|org|site|workspace|instance|community|account'
/** Names of the column by which they separate sites within a table. */
const TENANT = new RegExp(`^(?:${SITES})_?id$`, 'i')
/** What the parameter of such a column is called. */
const PARAM = new RegExp(`^(?:${SITES})(?:_?id)?$`, 'i')
/** Enough to see that there are several. */
const MAX_SEEN = 6
/** A table of more rows is of files or addresses rather than of sites. */
const MOST_SITES = 1000

/**
 * Looks at the tables of section `ideas`: a column that names a tenant, holds several values and is not used in
 * the mapping means that the ideas of several sites are counted as one, unless the mapping says that they belong together.
 * Where it tells sites apart in another way, or only a foreign key says that there are sites, this is for review only.
 */
export async function checkTenants(context: CheckContext): Promise<Finding[]> {
  const { client, source } = context
  const { sections, params } = source.file
  // Tables of the same name in other schemas may be other sites.
  const tables = tablesOf(context, 'ideas')
  const sites = await referredByAll(context)
  const code = [...sections.values()].flatMap((sql) => tokens(sql).filter(({ kind }) => kind !== 'comment'))
  const words = new Set(code.flatMap(({ text }) => (text.match(/[\w$\u0080-\uffff]+/g) ?? []).map(folded)))
  const tellsApart = params.some(({ name }) => PARAM.test(name)) || [...words].some((word) => TENANT.test(word))
  const findings: Finding[] = []
  for (const table of tables)
    for (const { name, type, readable } of table.columns) {
      const named = TENANT.test(name)
      const refers = table.foreignKeys.some((key) => key.column === name && sites.has(keyOf(key.schema, key.table)))
      if ((named || refers) && readable && !words.has(folded(name))) {
        const seen = await tenantsOf(client, table, name)
        const level = named && !tellsApart ? error : warning
        if (seen.length > 1) findings.push(severalTenants(table, { name, type }, seen, level))
      }
    }
  return findings
}

const keyOf = (schema: string, name: string): string => JSON.stringify([schema, name])

function tablesOf({ source, parsed, catalog }: CheckContext, ...relations: readonly Relation[]): CatalogTable[] {
  const selects = relations.map((relation) => parsed.get(source.file.sections.get(relation) ?? '') ?? null)
  return selects.flatMap((select) => catalogTables(select, catalog))
}

/** The small tables to which ideas, users and categories refer, whatever the columns are called: of sites, probably. */
async function referredByAll(context: CheckContext): Promise<Set<string>> {
  const groups = [
    tablesOf(context, 'ideas'),
    tablesOf(context, 'users'),
    tablesOf(context, 'categories', 'idea_categories'),
  ]
  const own = new Set(groups.flat().map(({ schema, name }) => keyOf(schema, name)))
  const [ofIdeas = [], ...others] = groups.map((tables) =>
    tables.flatMap(({ foreignKeys }) => foreignKeys.map(({ schema, table }) => keyOf(schema, table))),
  )
  const shared = ofIdeas.filter((key) => !own.has(key) && others.every((keys) => keys.includes(key)))
  if (shared.length === 0) return new Set()
  const small = (await readCatalog(context.client, null)).filter(({ rows }) => rows <= MOST_SITES)
  return new Set(small.map(({ schema, name }) => keyOf(schema, name)).filter((key) => shared.includes(key)))
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
  const column = written(name)
  const paramType = type === 'bigint' ? 'bigint' : type === 'integer' ? 'int' : 'text'
  const several = seen.length === MAX_SEEN ? `at least ${MAX_SEEN}` : String(seen.length)
  const compared = paramType === 'text' && type !== 'text' ? `${column}::text` : column
  return level(
    'tenants',
    `${tableText(table)}.${column} holds ${several} values (${seen.slice(0, 3).join(', ')}…), and the mapping does not mention it: several sites would count as one`,
    `add the line "-- param tenant : ${paramType}" and, to each section, WHERE ${compared} = :tenant\nor, if all of them are one site, WHERE ${column} IS NOT NULL in section ideas says so`,
  )
}
