// Owns detecting which known platform a database holds, by the tables and columns that each mapping requires. Pure.
import { findTable, type CatalogTable } from '../database/catalog.ts'
import type { MappingFile } from './file-format.ts'
import { fillRequires, nearSchemas, schemaParams, type SchemaChoice } from './identifiers.ts'
import { folded } from '../sql/names.ts'

export interface PlatformMatch {
  readonly name: string
  readonly tables: { readonly found: number; readonly of: number }
  readonly columns: { readonly found: number; readonly of: number }
  /** What is missing: `posts.is_approved`, or `tenants` for a whole table. */
  readonly missing: readonly string[]
  /** By parameter that names a schema: those that it may be, the likely one first, which the numbers are of. */
  readonly schemas: ReadonlyMap<string, readonly SchemaChoice[]>
}

/** Best match first. */
export function detectPlatform(mappings: readonly MappingFile[], catalog: readonly CatalogTable[]): PlatformMatch[] {
  return mappings
    .map((file) => matchOf(file, catalog))
    .sort((a, b) => share(b) - share(a) || b.columns.of - a.columns.of)
}

/** Good enough for a copy: every table, and most of the columns; an older version lacks a few. */
export function isMatch({ tables, columns }: PlatformMatch): boolean {
  return tables.found === tables.of && columns.found / columns.of >= 0.75
}

function share({ columns }: PlatformMatch): number {
  return columns.found / Math.max(1, columns.of)
}

function matchOf(file: MappingFile, catalog: readonly CatalogTable[]): PlatformMatch {
  const { name } = file
  const schemas = new Map(
    schemaParams(file.requires).map((param) => [param, nearSchemas(file.requires, param, catalog)]),
  )
  // A parameter that names anything else has its default, or a name that nothing has.
  const nameOf = (param: string): string =>
    schemas.get(param)?.[0]?.name ?? file.params.find((one) => one.name === param)?.default ?? `:${param}`
  const requires = fillRequires(file.requires, nameOf).filter(({ optional }) => !optional)
  const tables = new Set(requires.map(({ table }) => table))
  const absent = [...tables].filter((table) => findTable(table, catalog) === undefined)
  let found = 0
  const missing: string[] = [...absent]
  for (const { table, columns } of requires)
    for (const column of columns) {
      const there = findTable(table, catalog)?.columns.some((one) => one.name === folded(column)) ?? false
      if (there) found += 1
      else if (!absent.includes(table)) missing.push(`${table}.${column}`)
    }
  return {
    name,
    tables: { found: tables.size - absent.length, of: tables.size },
    columns: { found, of: requires.reduce((sum, { columns }) => sum + columns.length, 0) },
    missing,
    schemas: new Map([...schemas].map(([param, near]) => [param, near.filter(({ whole }) => whole)])),
  }
}
