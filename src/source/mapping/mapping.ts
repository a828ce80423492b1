// Owns choosing a mapping (built in by name, or a file) and putting its parameters in. Knows no connection.
import { hash } from 'node:crypto'
import { existsSync, readdirSync } from 'node:fs'
import { recordOf } from '../../model/record-of.ts'
import type { MappingHashes } from '../../model/rows-by-month.ts'
import { meantOf } from '../../process/near.ts'
import { packagePath } from '../../process/package-root.ts'
import { readText } from '../../process/text-file.ts'
import { parseMappingFile } from './file-format.ts'
import { type MappingFile, withFilledNeeds } from './mapping-file.ts'
import { fillRequires, namesOf } from './requires-line.ts'
import { missingParam, paramValues, type ParamValue } from './parameters.ts'
import type { Relation } from './relations.ts'
import { SourceError } from '../database/source-error.ts'
import { substitute, withSingleBlanks } from '../sql/tokens.ts'

/** A mapping ready to be run: parameters are in the text as literals. */
export interface Mapping extends Pick<MappingFile, 'name' | 'requires' | 'sections' | 'alternatives' | 'closed'> {
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
 * @throws SourceError (configuration)
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
    throw new SourceError('configuration', `--source: ${why} ${builtInMappings().join(', ')}`)
  }
  return { name: source, path, text, file: parseMappingFile(path, text) }
}

/**
 * @param given parameter values by name
 * @param env where ANALYTICS_PARAM_… are looked up for parameters that are not given
 * @throws SourceError (configuration)
 */
export function loadMapping(
  source: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>> = {},
): Mapping {
  const opened = openMapping(source)
  const { file } = opened
  const values = paramValues(file, given, env)
  for (const { param, text } of values) if (text === null) throw missingParam(file.name, param)
  const filled = (what: string, sql: string): string => substituteParameters(opened, what, sql, values)
  const sections = new Map(
    [...file.sections].map(([relation, sql]): [Relation, string] => [relation, filled(`section ${relation}`, sql)]),
  )
  const closed = file.closed === null ? null : filled('section closed', file.closed)
  const requires = fillRequires(file.requires, namesOf(values))
  const alternatives = withFilledNeeds(file.alternatives, namesOf(values))
    .filter(({ kind }) => kind === 'section')
    .map((one) => ({ ...one, sql: filled(`section ${one.name} where present`, one.sql) }))
  const filledIn = { sections, alternatives, closed }
  const sha256 = hashOf([file.name, ...textsOf(filledIn)])
  const params = Object.fromEntries(values.map(({ param, sql }) => [param.name, hashOf([param.name, sql])]))
  const asked = { builtIn: !isFile(source), sections: sectionHashes(file), params }
  return { name: file.name, sha256, asked, requires, ...filledIn, sourceName: source }
}

function hashOf(value: unknown): string {
  return hash('sha256', JSON.stringify(value))
}

type Sections = Pick<MappingFile, 'sections' | 'alternatives' | 'closed'>

/** The SELECTs that are asked, each with the name of its section; an alternative also with what it needs. */
function textsOf({ sections, alternatives, closed }: Sections): [name: string, sql: string, needs?: unknown][] {
  const others = alternatives.flatMap(({ kind, name, sql, needs }) => (kind === 'section' ? [[name, sql, needs]] : []))
  const all = [...sections, ...(closed === null ? [] : [['closed', closed]]), ...others] as [string, string, unknown?][]
  return all.map(([name, sql, ...needs]) => [name, withSingleBlanks(sql), ...needs])
}

function sectionHashes(file: MappingFile): Record<string, string> {
  const texts = textsOf(file)
  return recordOf([...new Set(texts.map(([name]) => name))], (name) => hashOf(texts.filter(([of]) => of === name)))
}

/** Every SELECT of a file that a build or a check runs. */
export function selectsOf({ sections, alternatives, choices, closed }: MappingFile): string[] {
  const texts = [...sections.values(), ...choices.values(), ...alternatives.map(({ sql }) => sql)]
  return [...texts, ...(closed === null ? [] : [closed])]
}

/** Puts the values in; null = one that the SELECT needs is not given, which the check of the parameters reports. */
export function trySubstitute(
  { source, values }: { readonly source: MappingSource; readonly values: readonly ParamValue[] },
  what: string,
  sql: string,
): string | SourceError | null {
  try {
    return substituteParameters(source, what, sql, values)
  } catch (error) {
    if (!(error instanceof SourceError)) throw error
    return values.some(({ text }) => text === null) ? null : error
  }
}

/** Puts values in place of `:name`; @throws SourceError when one is not declared, or has no value */
export function substituteParameters(
  { path, file }: MappingSource,
  what: string,
  sql: string,
  values: readonly ParamValue[],
): string {
  return substitute(sql, (name) => {
    const value = values.find(({ param }) => param.name === name)
    if (value?.sql === null) throw missingParam(file.name, value.param)
    if (value !== undefined) return value.sql
    const declared = file.params.map((param) => param.name).join(', ')
    const known = declared === '' ? 'none is declared' : `declared: ${declared}`
    const problem = `uses :${name}, but ${known}; add a "-- param ${name} : TYPE" line`
    throw new SourceError('configuration', `${path}: ${what} ${problem}`)
  })
}
