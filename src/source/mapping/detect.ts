// Owns detecting which known platform a database holds, by the tables and columns that each mapping requires. Pure.
import { columnNames, findTable, type CatalogTable } from '../database/catalog.ts'
import type { MappingFile } from './mapping-file.ts'
import { fillRequires, nearSchemas, schemaParams, type MappingRequires } from './requires-line.ts'
import { folded } from '../sql/names.ts'

interface Share {
  readonly found: number
  readonly of: number
}

/** How much of what the lines of a mapping require a database has. */
export interface PlatformMatch {
  readonly name: string
  readonly tables: Share
  readonly columns: Share
  /** Of these columns, those whose names say which platform it is. */
  readonly telling: Share
  /** `posts.is_approved`, or `tenants` for a whole table. */
  readonly missing: readonly string[]
  /** By parameter that names a schema: the likely one, which the numbers are of. */
  readonly schemas: ReadonlyMap<string, string>
}

/** Best match first. */
export function detectPlatform(mappings: readonly MappingFile[], catalog: readonly CatalogTable[]): PlatformMatch[] {
  return mappings
    .map((file) => matchOf(file, catalog))
    .sort((a, b) => share(b) - share(a) || b.columns.of - a.columns.of)
}

/** Its tables are our own, of one version: a database that lacks one is another platform. */
const WITHOUT_VERSIONS = 'native'

/**
 * Good enough for a copy: every table, and most of the columns; or of another version of the platform, which lacks some tables, but
 * has the columns that no other application is likely to call so.
 */
export function isMatch({ name, tables, columns, telling }: Omit<PlatformMatch, 'missing' | 'schemas'>): boolean {
  const isThere = ({ found, of }: Share, atLeast: number): boolean => found / of >= atLeast
  if (isThere(tables, 1) && isThere(columns, 3 / 4)) return true
  return name !== WITHOUT_VERSIONS && isThere(telling, 1 / 2) && isThere(tables, 2 / 3) && isThere(columns, 3 / 5)
}

function share({ columns }: PlatformMatch): number {
  return columns.found / Math.max(1, columns.of)
}

function matchOf(file: MappingFile, catalog: readonly CatalogTable[]): PlatformMatch {
  const { name } = file
  const near = schemaParams(file.requires).map(
    (param) => [param, nearSchemas(file.requires, param, catalog)[0]] as const,
  )
  const likely = new Map(near)
  // A parameter that names anything else has its default, or a name that nothing has.
  const nameOf = (param: string): string =>
    likely.get(param)?.name ?? file.params.find((one) => one.name === param)?.default ?? `:${param}`
  return {
    name,
    ...likenessOf(fillRequires(file.requires, nameOf), catalog),
    schemas: new Map(near.flatMap(([param, one]) => (one?.whole === true ? [[param, one.name] as const] : []))),
  }
}

/** @param requires with names in place of parameters */
function likenessOf(requires: readonly MappingRequires[], catalog: readonly CatalogTable[]) {
  const lines = requires.filter(({ optional }) => !optional)
  const tables = [...new Set(lines.map(({ table }) => table))]
  const absent = new Set(tables.filter((table) => findTable(table, catalog) === undefined))
  const columns = lines.flatMap(({ table, columns: names }) => {
    const there = columnNames(findTable(table, catalog))
    return names.map((name) => ({ table, name, found: there.includes(folded(name)) }))
  })
  const telling = columns.filter(({ name }) => isTelling(folded(name)))
  return {
    tables: { found: tables.length - absent.size, of: tables.length },
    columns: shareOf(columns),
    telling: shareOf(telling),
    missing: [
      ...absent,
      ...columns
        .filter(({ table, found }) => !found && !absent.has(table))
        .map(({ table, name }) => `${table}.${name}`),
    ],
  }
}

const shareOf = (columns: readonly { readonly found: boolean }[]): Share => ({
  found: columns.filter(({ found }) => found).length,
  of: columns.length,
})

/** What many applications call a column, of whatever they are about. */
const COMMON =
  /^(?:id|uuid|.*_(?:id|uuid|type)|slug|path|url|uri|key|value|type|kind|mode|action|locale|host|schema|context|settings|position|parent|version|vote|name|title|status|state|category|active|visible|hidden|closed|archived|approved|published|public|private|system|internal|selected|is_(?:active|admin|deleted|hidden|archived)|(?:created|updated|deleted|hidden|archived|closed|published|confirmed|approved|started|finished|email_verified)_at)$/

/** `createdAt` is created_at. */
function isTelling(column: string): boolean {
  return !COMMON.test(column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}
