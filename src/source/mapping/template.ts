// Owns which known platform a database holds, by the tables and columns that each mapping requires, and the text that a new mapping
// starts from: the built-in mapping of that platform, or the template with the tables of the database.
import { readFileSync } from 'node:fs'
import { usageError } from '../../process/cli-error.ts'
import { meantOf } from '../../process/near.ts'
import { packagePath } from '../../process/package-root.ts'
import { harmless, wrap } from '../../process/printable.ts'
import { tableText, type CatalogTable, columnOf, findTable } from '../database/catalog.ts'
import { builtInMappings, openMapping } from './mapping.ts'
import { paramFlag } from './parameters.ts'
import { sqlName, foldedName } from '../sql/names.ts'
import type { MappingFile } from './mapping-file.ts'
import { fillRequires, nearSchemas, schemaParams } from './requires-line.ts'

export interface MappingTemplate {
  readonly name: string
  readonly text: string
  /** Where the text comes from, and why it was chosen, one sentence per line. */
  readonly why: readonly string[]
  /** Required parameters, with the value that the database suggests: `--param tenant=town`. */
  readonly params: readonly string[]
  /** What a copy reads and the database lacks, because it holds another version of the platform. */
  readonly missing: readonly string[]
  /** Whether it must be written before it is of use, because it is no copy. */
  readonly edit: boolean
}

/**
 * A built-in mapping by its name; any other name gets the template.
 * @param isChosen the name was chosen on purpose: the file to write was given, too
 * @throws CliError where it was not
 */
export function templateByName(name: string, isChosen: boolean): MappingTemplate {
  const known = builtInMappings()
  if (known.includes(name)) return copyOf(name, ['a copy of the built-in mapping, to be changed'])
  if (isChosen) return template(name, null, [`the template: no built-in mapping is called ${name}`])
  throw usageError(
    `NAME: there is no built-in mapping "${name}"${meantOf(name, known)}; there are: ${known.join(', ')}. For the template under that name give --output too: analytics-build init ${name} --output ${name}.sql`,
  )
}

/** Chooses the text by what the database looks like, and says why. */
export function templateByTables(catalog: readonly CatalogTable[]): MappingTemplate {
  const files = builtInMappings().map((name) => openMapping(name).file)
  const [best] = detectPlatform(files, catalog)
  if (best !== undefined && isMatch(best)) {
    const { missing } = best
    const why = [
      `the database looks like ${best.name}${missing.length === 0 ? '' : ', an older or newer version'}: ${matchText(best)}`,
      ...(missing.length === 0 ? [] : [`not there: ${missing.join(', ')}`]),
    ]
    return copyOf(best.name, why, missing, (param) => best.schemas.get(param) ?? null)
  }
  const nearest = best === undefined || best.tables.found === 0 ? '' : `; the nearest, ${best.name}: ${matchText(best)}`
  const why = [`the template: the database looks like no platform that is built in${nearest}`]
  return template('my-platform', catalog, why)
}

function matchText({ tables, columns }: PlatformMatch): string {
  return `${tables.found} of ${tables.of} tables and ${columns.found} of ${columns.of} columns that its mapping reads`
}

/** Lists at the head of a copy what must be changed. */
function withMissing(text: string, missing: readonly string[]): string {
  if (missing.length === 0) return text
  const lines = [
    'Of what this copy reads the database lacks what follows. Change each SELECT and take out each requires line that names it:',
    ...wrap(missing, WIDTH).map((line) => `  ${line}`),
  ]
  const head = lines.map((line) => `-- ${harmless(line)}\n`).join('')
  return text.replace(/^-- mapping:.*\n/, (first) => `${first}${head}`)
}

function copyOf(
  name: string,
  why: readonly string[],
  missing: readonly string[] = [],
  likely: (param: string) => string | null = () => null,
): MappingTemplate {
  const { text, file } = openMapping(name)
  const required = file.params.filter((param) => param.default === null)
  const params = required.map((param) => paramFlag(param.name, likely(param.name) ?? 'VALUE'))
  return { name, text: withMissing(text, missing), why, params, missing, edit: false }
}

function template(name: string, catalog: readonly CatalogTable[] | null, why: readonly string[]): MappingTemplate {
  const text = readFileSync(packagePath('src', 'source', 'mapping', 'template.sql'), 'utf8')
    .replace('-- mapping: NAME', `-- mapping: ${name}`)
    .replace('-- TABLES\n', () => (catalog === null ? '' : tableLines(catalog)))
  return { name, text, why, params: [], missing: [], edit: true }
}

const WIDTH = 116
const INDENT = '      '
/** A longer list would hide the tables that matter. */
const MAX_TABLES = 80

function tableLines(catalog: readonly CatalogTable[]): string {
  const tables = catalog.filter(({ isPartition }) => !isPartition).toSorted((a, b) => b.rows - a.rows)
  const listed = tables.slice(0, MAX_TABLES)
  const lines = [
    '',
    'The tables of this database, the largest first:',
    ...listed.flatMap(tableLine),
    ...(tables.length > listed.length ? [`and ${tables.length - listed.length} more tables`] : []),
    '',
  ]
  return lines.map((line) => `--${line === '' ? '' : ` ${line}`}\n`).join('')
}

/** A name may hold any character, but must not end the comment. */
function tableLine(table: CatalogTable): string[] {
  const columns = table.columns.map(({ name, type }) => `${sqlName(name)} ${type}`)
  const [first = '', ...more] = columns
  const lines = wrap([`${tableText(table)}(${first}`, ...more], WIDTH - INDENT.length)
  return lines.map((line, i) => `${i === 0 ? '  ' : INDENT}${harmless(line)}${i === lines.length - 1 ? ')' : ''}`)
}

type Share = Readonly<Record<'found' | 'of', number>>

/** How much a database has of what the lines of a mapping require. */
export type PlatformMatch = ReturnType<typeof matchOf>

/** Best match first. */
export function detectPlatform(mappings: readonly MappingFile[], catalog: readonly CatalogTable[]): PlatformMatch[] {
  return mappings
    .map((file) => matchOf(file, catalog))
    .sort((a, b) => share(b) - share(a) || b.columns.of - a.columns.of)
}

/** The tables of this platform are our own and have one version: a database that lacks one is another platform. */
const WITHOUT_VERSIONS = 'native'

/**
 * Whether a match is good enough for a copy: every table is there, and most of the columns; or it is another version of
 * the platform, which lacks some tables, but has columns whose names no other application is likely to use.
 */
export function isMatch({ name, tables, columns, telling }: Omit<PlatformMatch, 'missing' | 'schemas'>): boolean {
  const isThere = ({ found, of }: Share, atLeast: number): boolean => found / of >= atLeast
  if (isThere(tables, 1) && isThere(columns, 3 / 4)) return true
  return name !== WITHOUT_VERSIONS && isThere(telling, 1 / 2) && isThere(tables, 2 / 3) && isThere(columns, 3 / 5)
}

function share({ columns }: PlatformMatch): number {
  return columns.found / Math.max(1, columns.of)
}

function matchOf({ name, params, requires }: MappingFile, catalog: readonly CatalogTable[]) {
  const likely = new Map(schemaParams(requires).map((param) => [param, nearSchemas(requires, param, catalog)[0]]))
  // A parameter that names anything else stands for its default, or for a name that nothing has.
  const nameOf = (param: string): string =>
    likely.get(param)?.name ?? params.find((one) => one.name === param)?.default ?? `:${param}`
  const lines = fillRequires(requires, nameOf).filter(({ optional }) => !optional)
  const tables = [...new Set(lines.map(({ table }) => table))]
  const absent = new Set(tables.filter((table) => findTable(table, catalog) === undefined))
  const columns = lines.flatMap(({ table, columns: names }) =>
    names.map((column) => ({ table, column, found: columnOf(findTable(table, catalog), column) !== undefined })),
  )
  const lost = columns.filter(({ table, found }) => !found && !absent.has(table))
  return {
    name,
    tables: { found: tables.length - absent.size, of: tables.length },
    columns: shareOf(columns),
    /** The columns among these whose names say which platform it is. */
    telling: shareOf(columns.filter(({ column }) => isTelling(foldedName(column)))),
    /** `posts.is_approved`, or `tenants` for a whole table. */
    missing: [...absent, ...lost.map(({ table, column }) => `${table}.${column}`)],
    /** By parameter that names a schema, the likely one, which the numbers are about. */
    schemas: new Map([...likely].flatMap(([param, one]) => (one?.whole === true ? [[param, one.name] as const] : []))),
  }
}

const shareOf = (columns: readonly { readonly found: boolean }[]): Share => ({
  found: columns.filter(({ found }) => found).length,
  of: columns.length,
})

/** Names that many applications give to columns, whatever they are about. */
const COMMON =
  /^(?:id|uuid|.*_(?:id|uuid|type)|slug|path|url|uri|key|value|type|kind|mode|action|locale|host|schema|context|settings|position|parent|version|vote|name|title|status|state|category|active|visible|hidden|closed|archived|approved|published|public|private|system|internal|selected|is_(?:active|admin|deleted|hidden|archived)|(?:created|updated|deleted|hidden|archived|closed|published|confirmed|approved|started|finished|email_verified)_at)$/

/** Whether a name says which platform it is; `createdAt` is judged as created_at. */
function isTelling(column: string): boolean {
  return !COMMON.test(column.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`))
}
