// Owns what the names of a SELECT that the server rejected were probably meant to be: names of tables that it must quote and
// does not ("User", "order"), and those of no table, but nearly. Runs no query; the server says what failed.
import { probablyMeant } from '../../process/near-name.ts'
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { folded, isReserved } from '../sql/names.ts'
import { tokens } from '../sql/tokens.ts'
import { parseSelects, referencedTables, type ParsedSelect } from './referenced-columns.ts'

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

const AFTER_FROM = /\b(?:from|join)\s+(?:only\s+)?(?:[a-z_][\w$]*\s*\.\s*)?([a-z_][\w$]*)/gi

/** How each must be written: with the quotes of a table that has the name, else as it is written, in quotes. */
function unquotedNames(sql: string, catalog: readonly CatalogTable[]): string[] {
  const code = tokens(sql).map(({ kind, text }) => (kind === 'code' ? text : kind === 'comment' ? ' ' : '""'))
  const names = [...code.join('').matchAll(AFTER_FROM)].map(([, name = '']) => name)
  const hints = [...new Set(names)].flatMap((name) => {
    const alike = catalog.filter((table) => table.name.toLowerCase() === name.toLowerCase())
    if (!isReserved(folded(name)) && alike.some((table) => table.name === folded(name))) return []
    return alike.map((table) => `${name} must be written ${tableText(table)}`)
  })
  return [...new Set(hints)]
}

export function nearTables(select: ParsedSelect, catalog: readonly CatalogTable[]): string[] {
  const byName = new Map(catalog.map((table) => [table.name, table]))
  return referencedTables(select).flatMap((name) => {
    const near = byName.has(name) ? null : probablyMeant(name, [...byName.keys()])
    const table = near === null ? undefined : byName.get(near)
    return table === undefined ? [] : [`there is no table ${name}; did you mean ${tableText(table)}?`]
  })
}
