// Owns names of tables that a SELECT which the server rejected has without the quotes that they need ("User", "order"). Pure.
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { folded, isReserved } from '../sql/names.ts'
import { tokens } from '../sql/tokens.ts'

const AFTER_FROM = /\b(?:from|join)\s+(?:only\s+)?(?:[a-z_][\w$]*\s*\.\s*)?([a-z_][\w$]*)/gi

/** How each must be written: with the quotes of a table that has the name, else as it is written, in quotes. */
export function unquotedNames(sql: string, catalog: readonly CatalogTable[]): string[] {
  const code = tokens(sql).map(({ kind, text }) => (kind === 'code' ? text : kind === 'comment' ? ' ' : '""'))
  const names = [...code.join('').matchAll(AFTER_FROM)].map(([, name = '']) => name)
  const hints = [...new Set(names)].flatMap((name) => {
    const alike = catalog.filter((table) => table.name.toLowerCase() === name.toLowerCase())
    if (!isReserved(folded(name)) && alike.some((table) => table.name === folded(name))) return []
    return alike.map((table) => `${name} must be written ${tableText(table)}`)
  })
  return [...new Set(hints)]
}
