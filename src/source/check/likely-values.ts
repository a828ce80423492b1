// Owns which values a status or the like may have in a database that nobody knows: labels of enums, names in a table of statuses,
// distinct values. Bounded in time and in number. Reads no column that its name does not make one of those.
import { escapeLiteral } from 'pg'
import type pg from 'pg'
import { grantName, type CatalogTable } from '../database/catalog.ts'
import { rankTables, TABLE_ROLES } from '../mapping/likely-tables.ts'
import { statusColumns } from '../mapping/status-columns.ts'
import { columnKey, type ColumnValues } from '../mapping/template.ts'
import { written } from '../sql/names.ts'
import { attempt, queryOne } from '../database/attempt.ts'

/** More values than this are none of a status; longer ones are texts, perhaps of people. */
const MOST_VALUES = 30
const LONGEST_VALUE = 40
/** Of one table without an index on its status; what is slower is answered from the statistics. */
const DISTINCT_MS = 1000
/** Candidates of a role, of which the values are read. */
const TABLES_PER_ROLE = 2

/**
 * Lowers the statement_timeout of the transaction, and leaves it so.
 * @param tables whose statuses are read; labels of enums are those of every table
 * @returns what cannot be read or has too many values is missing
 */
export async function likelyValues(
  client: pg.Client,
  catalog: readonly CatalogTable[],
  tables: Iterable<CatalogTable> = firstCandidates(catalog),
): Promise<ColumnValues> {
  const values = new Map(await enumLabels(client))
  await client.query(`SET LOCAL statement_timeout = ${DISTINCT_MS}`)
  for (const table of new Set(tables))
    for (const { column, source, of } of statusColumns(table, catalog)) {
      const key = columnKey(table, column)
      const found = values.get(key) ?? (await distinctValues(client, source, of))
      if (found.length > 0) values.set(key, found)
    }
  return values
}

function firstCandidates(catalog: readonly CatalogTable[]): CatalogTable[] {
  const { candidates, aroundIdeas } = rankTables(catalog)
  return [...TABLE_ROLES.flatMap((role) => candidates[role].slice(0, TABLES_PER_ROLE)), ...aroundIdeas]
}

/** Of every column whose type is an enum, in the order of the type. */
async function enumLabels(client: pg.Client): Promise<ColumnValues> {
  const { rows } = await client.query<{ schema: string; name: string; column: string; labels: string[] }>(
    `SELECT n.nspname AS schema, c.relname AS name, a.attname AS column,
            (SELECT pg_catalog.array_agg(e.enumlabel::text ORDER BY e.enumsortorder)
               FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid) AS labels
       FROM pg_catalog.pg_attribute a
       JOIN pg_catalog.pg_type t ON t.oid = a.atttypid AND t.typtype = 'e'
       JOIN pg_catalog.pg_class c ON c.oid = a.attrelid AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
       JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
      WHERE a.attnum > 0 AND NOT a.attisdropped`,
  )
  return new Map(rows.map(({ column, labels, ...table }) => [columnKey(table, column), labels]))
}

/**
 * The distinct values of a column as text, sorted; none where there are too many or too long ones. Where counting them takes
 * longer than the statement_timeout, those that ANALYZE found most common.
 */
async function distinctValues(client: pg.Client, table: CatalogTable, column: string): Promise<readonly string[]> {
  const name = written(column)
  const text = `SELECT DISTINCT ${name}::text AS value FROM ${grantName(table)} WHERE ${name} IS NOT NULL LIMIT ${MOST_VALUES + 1}`
  const answer = await attempt(client, () => queryOne<{ value: string }>(client, text))
  const values = answer.ok ? answer.value.map(({ value }) => value) : await commonValues(client, table, column)
  const isList = values.length <= MOST_VALUES && values.every((value) => value.length <= LONGEST_VALUE)
  return isList ? values.sort() : []
}

async function commonValues(client: pg.Client, table: CatalogTable, column: string): Promise<string[]> {
  const text = `SELECT pg_catalog.unnest(most_common_vals::text::text[]) AS value FROM pg_catalog.pg_stats
                 WHERE n_distinct > 0 AND schemaname = ${escapeLiteral(table.schema)}
                   AND tablename = ${escapeLiteral(table.name)} AND attname = ${escapeLiteral(column)}`
  const answer = await attempt(client, () => queryOne<{ value: string }>(client, text))
  return answer.ok ? answer.value.map(({ value }) => value) : []
}
