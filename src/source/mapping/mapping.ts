// Owns choosing a mapping (built in by name, or a file) and putting its parameters in. Knows no connection.
import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { CliError, usageError } from '../../process/cli-error.ts'
import { recordOf } from '../../model/record-of.ts'
import type { MappingHashes } from '../../model/rows-by-month.ts'
import { meantOf } from '../../process/near.ts'
import { packagePath } from '../../process/package-root.ts'
import { readText } from '../../process/text-file.ts'
import { parseMappingFile } from './file-format.ts'
import { type MappingFile, type MappingSelect, withFilledNeeds } from './mapping-file.ts'
import { fillRequires, namesOf } from './requires-line.ts'
import { missingParam, paramValues, type ParamValue } from './parameters.ts'
import { substitute, withSingleBlanks } from '../sql/tokens.ts'

/** A mapping ready to be run: parameters are in the text as literals. */
export interface Mapping extends Pick<MappingFile, 'name' | 'requires' | 'selects'> {
  /** The hash of the name, the sections and the parameters in them, without blanks and comments: equal = the same queries. */
  readonly sha256: string
  readonly asked: MappingHashes
  /** The value of --source; absent = the mapping is of no file. */
  readonly sourceName?: string
}

/** A mapping as written in its file. */
export interface MappingSource {
  /** The value of --source. */
  readonly name: string
  readonly path: string
  readonly text: string
  readonly file: MappingFile
}

const builtInPath = (...names: string[]): string => packagePath('src', 'source', 'mapping', 'built-in', ...names)

export function builtInMappings(): string[] {
  return readdirSync(builtInPath()).filter((name) => existsSync(builtInPath(name, 'mapping.sql')))
}

function isFile(source: string): boolean {
  return source.endsWith('.sql') || source.includes('/')
}

/**
 * @param source the name of a built-in mapping, or the path of a file ending in .sql
 * @throws CliError
 */
export function openMapping(source: string): MappingSource {
  const path = isFile(source) ? source : builtInPath(source, 'mapping.sql')
  let text: string
  try {
    text = readText(path)
  } catch (error) {
    const why = isFile(source)
      ? `cannot read ${path}: ${(error as Error).message}; built-in ones:`
      : `no built-in mapping "${source}", and a file must end in .sql${meantOf(source, builtInMappings())}; there are:`
    throw usageError(`--source: ${why} ${builtInMappings().join(', ')}`)
  }
  return { name: source, path, text, file: parseMappingFile(path, text) }
}

/**
 * @param given parameter values by name
 * @param env where ANALYTICS_PARAM_… are looked up for parameters that are not given
 * @throws CliError
 */
export function loadMapping(
  source: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<NodeJS.ProcessEnv> = {},
): Mapping {
  const opened = openMapping(source)
  const { file } = opened
  const values = paramValues(file, given, env)
  for (const { param, text } of values) if (text === null) throw missingParam(file.name, param)
  const requires = fillRequires(file.requires, namesOf(values))
  const sections = file.selects.filter(({ kind }) => kind === 'section')
  const selects = withFilledNeeds(sections, namesOf(values)).map((one) => {
    const sql = filledIn({ source: opened, values }, one.about, one.sql)
    if (sql instanceof CliError) throw sql
    // It is null only where a value is missing, and none is.
    return { ...one, sql: sql ?? '' }
  })
  const sha256 = hashOf([file.name, ...selects.map(hashedOf)])
  const params = Object.fromEntries(values.map(({ param, sql }) => [param.name, hashOf([param.name, sql])]))
  const asked = { builtIn: !isFile(source), sections: sectionHashes(sections), params }
  return { name: file.name, sha256, asked, requires, selects, sourceName: source }
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value))
}

/** What is hashed of a SELECT. */
function hashedOf({ name, sql, needs }: MappingSelect): unknown[] {
  return [name, withSingleBlanks(sql), ...(needs.length === 0 ? [] : [needs])]
}

function sectionHashes(sections: readonly MappingSelect[]): Record<string, string> {
  const names = [...new Set(sections.map(({ name }) => name))]
  return recordOf(names, (name) => hashOf(sections.filter((one) => one.name === name).map(hashedOf)))
}

/** Puts the values in place of `:name`; null = one that is needed is not given, which the check of the parameters reports. */
export function filledIn(
  { source: { path, file }, values }: { readonly source: MappingSource; readonly values: readonly ParamValue[] },
  what: string,
  sql: string,
): string | CliError | null {
  const lost: string[] = []
  const text = substitute(sql, (name) => {
    const value = values.find(({ param }) => param.name === name)?.sql ?? null
    if (value === null) lost.push(name)
    return value ?? ''
  })
  if (lost[0] === undefined) return text
  if (values.some((value) => value.sql === null)) return null
  const declared = file.params.map((param) => param.name).join(', ')
  const known = declared === '' ? 'none is declared' : `declared: ${declared}`
  const problem = `uses :${lost[0]}, but ${known}; add a "-- param ${lost[0]} : TYPE" line`
  return usageError(`${path}: ${what} ${problem}`)
}
