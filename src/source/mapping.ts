// Owns choosing a mapping (built in by name, or a file) and putting its parameters in. Knows no connection.
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { packagePath } from '../process/package-root.ts'
import { parseMappingFile, type MappingFile, type MappingParam } from './mapping-file.ts'
import type { Relation } from './relations.ts'
import { SourceError } from './source-error.ts'
import { literal, substitute } from './sql-tokens.ts'

/** A mapping ready to be run: parameters are in the text as literals. */
export interface Mapping {
  readonly name: string
  /** Over text and parameters: equal = the same question was asked. */
  readonly sha256: string
  readonly sections: ReadonlyMap<Relation, string>
}

const folder = (): string => packagePath('src', 'source', 'mappings')

export function builtInMappings(): string[] {
  return readdirSync(folder()).filter((name) => existsSync(builtInPath(name)))
}

function builtInPath(name: string): string {
  return packagePath('src', 'source', 'mappings', name, 'mapping.sql')
}

/**
 * @param source the name of a built-in mapping, or the path of a file ending in .sql
 * @param given parameter values by name
 * @param env where ANALYTICS_PARAM_… are looked up for parameters that are not given
 * @throws SourceError (configuration)
 */
export function loadMapping(
  source: string,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>> = {},
): Mapping {
  const { path, text } = readMapping(source)
  const file = parseMappingFile(path, text)
  const values = paramValues(file, given, env)
  const sections = new Map(
    [...file.sections].map(([relation, sql]): [Relation, string] => [
      relation,
      substitute(sql, (name) => values.get(name) ?? undeclared(path, relation, name, file.params)),
    ]),
  )
  const sha256 = createHash('sha256')
    .update(JSON.stringify([file.name, [...sections]]))
    .digest('hex')
  return { name: file.name, sha256, sections }
}

function readMapping(source: string): { path: string; text: string } {
  const isFile = source.endsWith('.sql') || source.includes('/')
  const path = isFile ? source : builtInPath(source)
  try {
    return { path, text: readFileSync(path, 'utf8') }
  } catch (error) {
    if (isFile) throw new SourceError('configuration', `--source: cannot read ${path}: ${(error as Error).message}`)
    throw new SourceError(
      'configuration',
      `--source: no built-in mapping "${source}"; there are: ${builtInMappings().join(', ')}. A file must end in .sql`,
    )
  }
}

function undeclared(path: string, relation: Relation, name: string, params: readonly MappingParam[]): never {
  const known = params.length === 0 ? 'none is declared' : `declared: ${params.map((p) => p.name).join(', ')}`
  throw new SourceError(
    'configuration',
    `${path}: section ${relation} uses :${name}, but ${known}; add a "-- param ${name} : TYPE" line`,
  )
}

/** The variable of a parameter: ANALYTICS_PARAM_ and its name in capitals. An empty one is unset. */
function variableOf(param: MappingParam, env: Readonly<Record<string, string | undefined>>): string | null {
  return env[`ANALYTICS_PARAM_${param.name.toUpperCase()}`] || null
}

function paramValues(
  file: MappingFile,
  given: Readonly<Record<string, string>>,
  env: Readonly<Record<string, string | undefined>>,
): ReadonlyMap<string, string> {
  const known = file.params.map((param) => param.name)
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new SourceError(
        'configuration',
        `--param ${name}: mapping ${file.name} has no such parameter; it has: ${known.join(', ') || 'none'}`,
      )
  return new Map(
    file.params.map((param) => {
      // A parameter may be called `constructor`.
      const flag = Object.hasOwn(given, param.name) ? given[param.name] : undefined
      const text = flag ?? variableOf(param, env) ?? param.default
      if (text === null)
        throw new SourceError(
          'configuration',
          `--param ${param.name}=VALUE is required by mapping ${file.name} (${param.type}${param.description === '' ? '' : `: ${param.description}`})`,
        )
      return [param.name, typedLiteral(param, text)]
    }),
  )
}

const RANGES = { int: [-(2n ** 31n), 2n ** 31n - 1n], bigint: [-(2n ** 63n), 2n ** 63n - 1n] } as const

function typedLiteral(param: MappingParam, text: string): string {
  const wrong = (allowed: string): never => {
    throw new SourceError('configuration', `--param ${param.name}: "${text.slice(0, 40)}" is not ${allowed}`)
  }
  if (text.includes('\u0000')) wrong('text: it holds a NUL')
  switch (param.type) {
    case 'int':
    case 'bigint': {
      const [min, max] = RANGES[param.type]
      if (!/^-?\d{1,19}$/.test(text) || BigInt(text) < min || BigInt(text) > max)
        wrong(`an integer from ${min} to ${max}`)
      return `${literal(text)}::${param.type}`
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') wrong('true or false')
      return `${literal(text)}::boolean`
    case 'text':
      return `${literal(text)}::text`
    case 'text[]':
      return `ARRAY[${text
        .split(',')
        .map((item) => literal(item.trim()))
        .join(', ')}]::text[]`
  }
}
