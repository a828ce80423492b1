// Owns the text of a new mapping file: a copy of a built-in one, or the template with the database's own tables in it.
import { readFileSync } from 'node:fs'
import { packagePath } from '../../process/package-root.ts'
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { builtInMappings, openMapping } from './mapping.ts'
import { isMatch, detectPlatform, type PlatformMatch } from './detect.ts'
import { written } from '../sql/names.ts'

export interface MappingTemplate {
  readonly name: string
  readonly text: string
  /** Where it comes from and why, one sentence per line. */
  readonly why: readonly string[]
  /** Required parameters. */
  readonly params: readonly string[]
  /** It must be changed before it is of use. */
  readonly edit: boolean
}

/** A built-in mapping by its name; any other name gets the template. */
export function templateByName(name: string): MappingTemplate {
  if (builtInMappings().includes(name)) return copyOf(name, ['a copy of the built-in mapping, to be changed'])
  const text = template(name, null)
  return { name, text, why: [`the template: no built-in mapping is called ${name}`], params: [], edit: true }
}

/**
 * Why nothing is written under a name; null = it is the name of a built-in mapping, or was chosen on purpose.
 * @param isChosen the file to write was given, too
 */
export function misnamed(name: string, isChosen: boolean): string | null {
  const known = builtInMappings()
  if (known.includes(name)) return null
  const near = probablyMeant(name, known)
  const there = `there is no built-in mapping "${name}"`
  if (near !== null) return `${there}; did you mean ${near}? There are: ${known.join(', ')}`
  return isChosen
    ? null
    : `${there}; there are: ${known.join(', ')}. For the template under that name give --output too: analytics-build init ${name} --output ${name}.sql`
}

/** The known name that was probably meant: the same except for case, a part of it, or up to two letters. */
function probablyMeant(name: string, known: readonly string[]): string | null {
  const given = name.toLowerCase()
  const apart = known.map((one): [string, number] => [one, distance(given, one)]).sort((a, b) => a[1] - b[1])
  const [best] = apart
  if (best !== undefined && best[1] <= (given.length < 5 ? 1 : 2)) return best[0]
  return known.find((one) => given.length >= 3 && (one.startsWith(given) || given.startsWith(one))) ?? null
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(a.length, b.length)
}

/** What the database looks like, and why. */
export function templateByTables(catalog: readonly CatalogTable[]): MappingTemplate {
  const files = builtInMappings().map((name) => openMapping(name).file)
  const [best, next] = detectPlatform(files, catalog)
  if (best !== undefined && isMatch(best)) {
    const missing = best.missing.length === 0 ? [] : [`not there: ${best.missing.join(', ')}; an older version?`]
    return copyOf(best.name, [
      `the database looks like ${best.name}: ${shares(best)}`,
      ...missing,
      ...(next === undefined ? [] : [`the next nearest is ${next.name}: ${shares(next)}`]),
    ])
  }
  const nearest = best === undefined ? '' : `; the nearest, ${best.name}: ${shares(best)}`
  const why = [`the template: the database looks like no platform that is built in${nearest}`]
  return { name: 'my-platform', text: template('my-platform', catalog), why, params: [], edit: true }
}

function shares({ tables, columns }: PlatformMatch): string {
  return `${tables.found} of ${tables.of} tables and ${columns.found} of ${columns.of} columns that its mapping reads`
}

function copyOf(name: string, why: readonly string[]): MappingTemplate {
  const { text, file } = openMapping(name)
  const params = file.params.filter((param) => param.default === null).map((param) => param.name)
  return { name, text, why, params, edit: false }
}

function template(name: string, catalog: readonly CatalogTable[] | null): string {
  const text = readFileSync(packagePath('src', 'source', 'mapping', 'template.sql'), 'utf8')
  return text
    .replace('-- mapping: NAME', `-- mapping: ${name}`)
    .replace('-- TABLES\n', () => (catalog === null ? '' : tableLines(catalog)))
}

const WIDTH = 116
/** More would hide the tables that matter. */
const MAX_TABLES = 80

function tableLines(catalog: readonly CatalogTable[]): string {
  const listed = catalog.slice(0, MAX_TABLES)
  const more = catalog.length - listed.length
  const lines = [
    '',
    `The tables of this database:`,
    ...listed.flatMap((table) => wrapped(table)),
    ...(more > 0 ? [`and ${more} more tables`] : []),
    '',
  ]
  return lines.map((line) => `--${line === '' ? '' : ` ${line}`}\n`).join('')
}

const SHORT_TYPES: readonly (readonly [RegExp, string])[] = [
  [/^timestamp(\(\d\))? with time zone/, 'timestamptz'],
  [/^timestamp(\(\d\))? without time zone/, 'timestamp'],
  [/^character varying(\(\d+\))?/, 'varchar'],
]

/** A name may hold any character, but must not end the comment. */
function wrapped(table: CatalogTable): string[] {
  const columns = table.columns.map(({ name, type }) => {
    const short = SHORT_TYPES.reduce((text, [long, abbreviated]) => text.replace(long, abbreviated), type)
    return `${written(name)} ${short}`
  })
  const lines: string[] = []
  let line = `  ${tableText(table)}(${columns.length === 0 ? ')' : ''}`
  for (const [i, column] of columns.entries()) {
    const part = `${column}${i === columns.length - 1 ? ')' : ', '}`
    if (line.length + part.length > WIDTH) {
      lines.push(line)
      line = '      '
    }
    line += part
  }
  return [...lines, line].map((one) => one.replaceAll(/\p{Cc}+/gu, ' ').trimEnd())
}
