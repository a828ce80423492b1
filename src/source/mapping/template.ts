// Owns the text of a new mapping file: a copy of a built-in one, or the template with the
// database's own tables in it. Does not know where the file is written.
import { readFileSync } from 'node:fs'
import { packagePath } from '../../process/package-root.ts'
import { harmless, wrap } from '../../process/printable.ts'
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { builtInMappings, openMapping } from './mapping.ts'
import { isMatch, detectPlatform, type PlatformMatch } from './detect.ts'
import { paramFlag } from './parameters.ts'
import { written } from '../sql/names.ts'

export interface MappingTemplate {
  readonly name: string
  readonly text: string
  /** Where it comes from and why, one sentence per line. */
  readonly why: readonly string[]
  /** Required parameters, with the value that the database suggests: `--param tenant=town`. */
  readonly params: readonly string[]
  /** What the database lacks of what a copy reads: another version of the platform. */
  readonly missing: readonly string[]
  /** It is no copy: it must be written before it is of use. */
  readonly edit: boolean
}

/** A built-in mapping by its name; any other name gets the template. */
export function templateByName(name: string): MappingTemplate {
  if (builtInMappings().includes(name)) return copyOf(name, ['a copy of the built-in mapping, to be changed'])
  return template(name, null, [`the template: no built-in mapping is called ${name}`])
}

/**
 * Why nothing is written under a name; null = it is the name of a built-in mapping, or was chosen on purpose.
 * @param isChosen the file to write was given, too
 */
export function whyNotThisName(name: string, isChosen: boolean): string | null {
  const known = builtInMappings()
  return isChosen || known.includes(name)
    ? null
    : `there is no built-in mapping "${name}"; there are: ${known.join(', ')}. For the template under that name give --output too: analytics-build init ${name} --output ${name}.sql`
}

/** What the database looks like, and why. */
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

/** At the head of a copy: what must be changed. */
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
/** More would hide the tables that matter. */
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
  const columns = table.columns.map(({ name, type }) => `${written(name)} ${type}`)
  const [first = '', ...more] = columns
  const lines = wrap([`${tableText(table)}(${first}`, ...more], WIDTH - INDENT.length)
  return lines.map((line, i) => `${i === 0 ? '  ' : INDENT}${harmless(line)}${i === lines.length - 1 ? ')' : ''}`)
}
