// Owns the parameters of a mapping: how a line declares one, where values come from, what each type allows, how they are written in SQL.
import { escapeIdentifier, escapeLiteral } from 'pg'
import { type CliError, usageError } from '../../process/cli-error.ts'
import { meantOf } from '../../process/near.ts'
import { PARAM_VARIABLE } from '../../process/variables.ts'

export const PARAM_TYPES = ['int', 'bigint', 'uuid', 'text', 'boolean', 'text[]', 'identifier'] as const
export type ParamType = (typeof PARAM_TYPES)[number]

export interface MappingParam {
  readonly name: string
  readonly type: ParamType
  /** null = required. */
  readonly default: string | null
  readonly description: string
}

/** Reads a line `param`; where a text is returned, it says what is wrong. */
export function parseParam(text: string): MappingParam | string {
  const [declaration = '', ...words] = text.split(/\s--\s/)
  const found = /^([A-Za-z_]\w*)\s*:\s*([a-z]+(?:\[\])?)\s*(?:=\s*(.*))?$/.exec(declaration.trim())
  if (found === null)
    return `expected: -- param NAME : TYPE [= DEFAULT] [-- description], TYPE one of ${PARAM_TYPES.join(', ')}`
  const type = PARAM_TYPES.find((known) => known === found[2])
  if (type === undefined) return `param ${found[1]}: no type "${found[2]}"; allowed: ${PARAM_TYPES.join(', ')}`
  return { name: found[1] ?? '', type, default: found[3]?.trim() ?? null, description: words.join(' -- ').trim() }
}

/** The name of a mapping, and the parameters that it declares. */
export interface DeclaredParams {
  readonly name: string
  readonly params: readonly MappingParam[]
}

export interface ParamValue {
  readonly param: MappingParam
  /** The value as given, or the default; null = required and not given. */
  readonly text: string | null
  readonly from: 'flag' | 'variable' | 'default' | null
  /** A quoted, cast literal, such as `'1'::int`, or a quoted name; null with `text`. */
  readonly sql: string | null
}

/**
 * One value per declared parameter, in order.
 * @param given values by name
 * @param env where ANALYTICS_PARAM_… are looked up for parameters that are not given
 * @throws CliError for a name that is not declared, or a value of the wrong type
 */
export function paramValues(
  file: DeclaredParams,
  given: Readonly<Record<string, string>>,
  env: Readonly<NodeJS.ProcessEnv>,
): ParamValue[] {
  const known = file.params.map((param) => param.name)
  const variables = file.params.map(parameterVariable)
  // A misspelt variable is an error, too: otherwise a default would be counted in its place in silence.
  const [unknown] = [
    ...Object.keys(given).flatMap((name) => (known.includes(name) ? [] : [`--param ${name}`])),
    ...Object.keys(env).filter((name) => env[name] && PARAM_VARIABLE.test(name) && !variables.includes(name)),
  ]
  if (unknown !== undefined)
    throw usageError(
      `${unknown}: mapping ${file.name} has no such parameter${meantOf(unknown.replace('--param ', ''), [...known, ...variables])}; it has: ${known.join(', ') || 'none'}`,
    )
  return file.params.map((param): ParamValue => {
    // A parameter may be called `constructor`.
    const flag = Object.hasOwn(given, param.name) ? given[param.name] : undefined
    // An empty variable counts as unset, as it does for options.
    const variable = env[parameterVariable(param)] || undefined
    const text = flag ?? variable ?? param.default
    const from = flag !== undefined ? 'flag' : variable !== undefined ? 'variable' : text === null ? null : 'default'
    return { param, text, from, sql: text === null ? null : typedLiteral(param, text) }
  })
}

/** The variable of a parameter: ANALYTICS_PARAM_ and its name in capitals. */
export function parameterVariable(param: Pick<MappingParam, 'name'>): string {
  return `ANALYTICS_PARAM_${param.name.toUpperCase()}`
}

/** The error for a required parameter without a value. */
export function missingParam(mapping: string, param: MappingParam): CliError {
  const about = `${param.type}${param.description === '' ? '' : `: ${param.description}`}`
  return usageError(
    `--param ${param.name}=VALUE is required by mapping ${mapping} (${about}); analytics-build check lists what it may be`,
  )
}

const UUID = /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
const MAX_NAME_BYTES = 63

const RANGES = { int: [-(2n ** 31n), 2n ** 31n - 1n], bigint: [-(2n ** 63n), 2n ** 63n - 1n] } as const

function typedLiteral(param: MappingParam, text: string): string {
  const wrong = (allowed: string): never => {
    throw usageError(`--param ${param.name}: "${text.slice(0, 40)}" is not ${allowed}`)
  }
  if (text.includes('\u0000')) wrong('text: it holds a NUL')
  switch (param.type) {
    case 'int':
    case 'bigint': {
      const [min, max] = RANGES[param.type]
      if (!isBetween(text, min, max)) wrong(`an integer from ${min} to ${max}`)
      return `${escapeLiteral(text)}::${param.type}`
    }
    case 'boolean':
      if (text !== 'true' && text !== 'false') wrong('true or false')
      return `${escapeLiteral(text)}::boolean`
    case 'text':
      return `${escapeLiteral(text)}::text`
    case 'uuid':
      if (!UUID.test(text)) wrong('a UUID such as 01234567-89ab-cdef-0123-456789abcdef')
      return `${escapeLiteral(text.toLowerCase())}::uuid`
    case 'identifier':
      // The server would cut a longer name, and it would be another one.
      if (text === '' || Buffer.byteLength(text) > MAX_NAME_BYTES) wrong(`a name of 1 to ${MAX_NAME_BYTES} bytes`)
      // The spaces keep what stands next to the name out of its quotes: another quoted name, or the U& before it.
      return ` ${escapeIdentifier(text)} `
    case 'text[]':
      return `ARRAY[${itemsOf(text).map(escapeLiteral).join(', ')}]::text[]`
  }
}

function isBetween(text: string, min: bigint, max: bigint): boolean {
  return /^-?\d{1,19}$/.test(text) && BigInt(text) >= min && BigInt(text) <= max
}

/** The items of a text[], which are separated by commas; empty text means no item. */
export function itemsOf(text: string): string[] {
  return text
    .split(',')
    .map((item) => item.trim())
    .filter((item) => item !== '')
}

/** A parameter as it is typed in a shell. */
export function paramFlag(name: string, value: string): string {
  return `--param ${name}=${/^[\w.@:-]+$/.test(value) ? value : `'${value.replaceAll("'", "'\\''")}'`}`
}
