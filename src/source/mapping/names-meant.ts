// Owns what the names of a SELECT that the server rejected were probably meant to be. Runs no query.
import type { CatalogTable } from '../database/catalog.ts'
import { nearTables } from './near-tables.ts'
import { parseSelects } from './referenced-columns.ts'
import { unquotedNames } from './unquoted-names.ts'

/** The SQLSTATEs that a wrong name, or one without its quotes, can bring. Of a column the server itself says which was meant. */
const NAMES_OR_SYNTAX: readonly unknown[] = ['42P01', '42703', '42601']

/**
 * A sentence for each name; none = nobody knows, or the server rejected the SELECT for something else.
 * @param sql with the parameters' values
 * @param allTables asked only where they can help
 */
export async function namesMeant(
  cause: unknown,
  sql: string,
  allTables: () => Promise<readonly CatalogTable[]>,
): Promise<string[]> {
  if (!NAMES_OR_SYNTAX.includes((cause as { code?: unknown } | null)?.code)) return []
  const tables = await allTables()
  const unquoted = unquotedNames(sql, tables)
  if (unquoted.length > 0) return unquoted
  const [select = null] = await parseSelects([sql])
  return nearTables(select, tables)
}
