// Owns the reading of a raw query string into a Query, naming every bad parameter at once. Knows no HTTP server.
import { isAskable, MAX_CATEGORY_CODE_POINTS, normalizeCategory } from './category-name.ts'
import type { Endpoint } from './kinds/kind.ts'
import type { Parameter } from './kinds/parameter.ts'
import type { Query } from './kinds/register.ts'
import { INTERVALS_OF, ownInterval, type Period } from './windows.ts'

export interface BadParameter {
  readonly name: string
  /** What was given, cut at 40 characters; as it was sent when it could not be decoded. */
  readonly given: string
  readonly allowed: string
}

export type ParsedQuery =
  { readonly ok: true; readonly query: Query } | { readonly ok: false; readonly bad: readonly BadParameter[] }

/**
 * Reads the part of a target after `?` by the rules of application/x-www-form-urlencoded (WHATWG URL, section 5.1:
 * `+` is a space), but strictly: malformed percent-encoding and invalid UTF-8 are errors, not U+FFFD.
 */
export function parseQuery(endpoint: Endpoint, raw: string): ParsedQuery {
  const given = raw === '' ? NOTHING : collect(endpoint, raw)
  const bad: BadParameter[] = []
  const values: Record<string, unknown> = {}
  for (const parameter of endpoint.parameters) {
    const texts = given.get(parameter.name)
    const read =
      parameter.kind === 'interval'
        ? readInterval(parameter, texts, { ...values, hasCategory: given.has('category') })
        : texts === undefined
          ? { value: defaultOf(parameter) }
          : readOne(parameter, texts)
    if ('bad' in read) bad.push(read.bad)
    else if (read.value !== undefined) values[parameter.name] = read.value
  }
  return bad.length === 0 ? { ok: true, query: { ...values, endpoint: endpoint.name } as Query } : { ok: false, bad }
}

/** One that is judged by itself. */
type PlainParameter = Exclude<Parameter, { kind: 'interval' }>
type IntervalParameter = Extract<Parameter, { kind: 'interval' }>

/** One occurrence of a known parameter; `text` null = not decodable. */
interface Given {
  readonly name: string
  readonly raw: string
  readonly text: string | null
}

const NOTHING: ReadonlyMap<string, readonly Given[]> = new Map()

function collect(endpoint: Endpoint, raw: string): ReadonlyMap<string, readonly Given[]> {
  const known = new Map<string, Given[]>()
  for (const pair of raw.split('&')) {
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const name = decode(rawName) ?? rawName
    const base = name.replace(/\[.*$/s, '')
    if (!endpoint.parameters.some((parameter) => parameter.name === base)) continue
    const rawValue = equals < 0 ? '' : pair.slice(equals + 1)
    const list = known.get(base) ?? []
    list.push({ name, raw: rawValue, text: decode(rawValue) })
    known.set(base, list)
  }
  return known
}

function decode(text: string): string | null {
  try {
    return decodeURIComponent(text.replaceAll('+', ' '))
  } catch {
    return null
  }
}

function defaultOf(parameter: PlainParameter): string | number | null {
  return parameter.kind === 'category' ? null : parameter.default
}

/** What the interval is judged by: parameters that are not valid are absent. */
interface BesideInterval {
  readonly type?: unknown
  readonly period?: Period
  readonly hasCategory: boolean
}

/** Where it means nothing, and where what is allowed is not known, it is not judged: `value` is absent. */
function readInterval(
  { name, description, ofTypes }: IntervalParameter,
  texts: readonly Given[] | undefined,
  { type, period, hasCategory }: BesideInterval,
): { readonly value?: string | number } | { readonly bad: BadParameter } {
  if (period === undefined || (ofTypes !== undefined && !ofTypes.includes(String(type)))) return {}
  const own = ownInterval(period)
  // An export has the period's own interval unless it says otherwise.
  if (texts === undefined) return ofTypes === undefined ? { value: own } : {}
  const values = hasCategory ? [own] : INTERVALS_OF[period]
  const why = values.length < INTERVALS_OF[period].length ? `period ${period} of a category` : `period ${period}`
  const allowed = `${values.length === 1 ? own : `one of ${values.join(', ')}`} for ${why}`
  const read = readOne({ name, description, kind: 'enum', values, default: own }, texts, allowed)
  return ofTypes !== undefined && 'value' in read && read.value === own ? {} : read
}

/** What a parameter allows, in words: for messages and the documentation. */
export function allowedValues(parameter: Parameter): string {
  if (parameter.kind === 'enum' || parameter.kind === 'interval') return `one of ${parameter.values.join(', ')}`
  if (parameter.kind === 'integer') return `an integer from ${parameter.min} to ${parameter.max}`
  return `a category name of 1 to ${MAX_CATEGORY_CODE_POINTS} characters`
}

function readOne(
  parameter: PlainParameter,
  given: readonly Given[],
  allowed: string = allowedValues(parameter),
): { readonly value: string | number } | { readonly bad: BadParameter } {
  const first = given[0]
  const problem = (shown: string, instead: string): { readonly bad: BadParameter } => ({
    bad: { name: parameter.name, given: cut(shown), allowed: instead },
  })
  if (first === undefined) return problem('', allowed)
  if (given.length > 1) return problem(given.map((g) => g.text ?? g.raw).join(', '), 'one value, given once')
  if (first.name !== parameter.name)
    return problem(`${first.name}=${first.text ?? first.raw}`, `written ${parameter.name}=…`)
  if (first.text === null) return problem(first.raw, `${allowed}, as percent-encoded UTF-8`)
  const value = readValue(parameter, first.text)
  return value === null ? problem(first.text, allowed) : { value }
}

function readValue(parameter: PlainParameter, text: string): string | number | null {
  if (parameter.kind === 'enum') return parameter.values.includes(text) ? text : null
  if (parameter.kind === 'integer') {
    const value = /^[0-9]+$/.test(text) ? Number(text) : Number.NaN
    return value >= parameter.min && value <= parameter.max ? value : null
  }
  const name = normalizeCategory(text)
  return name !== '' && isAskable(name) ? name : null
}

function cut(text: string): string {
  const points = Array.from(text)
  return points.length <= 40 ? text : `${points.slice(0, 40).join('')}…`
}
