// Owns which table a SELECT probably meant where it names one that is not there. Pure; the server says what failed.
import { probablyMeant } from '../../process/near-name.ts'
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { referencedTables, type ParsedSelect } from './referenced-columns.ts'

/** A sentence for each name that is no table's, but nearly. */
export function nearTables(select: ParsedSelect | null, catalog: readonly CatalogTable[]): string[] {
  if (select === null) return []
  const byName = new Map(catalog.map((table) => [table.name, table]))
  return referencedTables(select).flatMap((name) => {
    const near = byName.has(name) ? null : probablyMeant(name, [...byName.keys()])
    const table = near === null ? undefined : byName.get(near)
    return table === undefined ? [] : [`there is no table ${name}; did you mean ${tableText(table)}?`]
  })
}
