// A table of the server's catalogue, as far as a test is about it: visible in schema public, empty, of no columns.
import type { CatalogTable } from '../../src/source/database/catalog.ts'

export function catalogTable(about: Partial<CatalogTable> & Pick<CatalogTable, 'name'>): CatalogTable {
  return {
    schema: 'public',
    visible: true,
    usable: true,
    rowSecurity: false,
    rows: 0,
    columns: [],
    isPartition: false,
    ...about,
  }
}

/** Columns of text that may be read. */
export function textColumns(names: Iterable<string>): CatalogTable['columns'] {
  return Array.from(names, (name) => ({ name, type: 'text', readable: true }))
}
