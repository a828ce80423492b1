// Owns the reading of a raw query string into a Query, naming every bad parameter at once. Knows no HTTP server.
import type { Endpoint } from './kinds/kind.ts'
import { choiceParameter, type Parameter } from './kinds/parameter.ts'
import type { Query } from './kinds/register.ts'
import { INTERVALS_OF, ownInterval, type Period } from './windows.ts'

export interface BadParameter {
  readonly name: string
  /** What was given, cut at 40 characters; as it was sent if it could not be decoded. */
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
  const given = collect(endpoint, raw)
  const bad: BadParameter[] = []
  const values: Record<string, unknown> = {}
  for (const parameter of endpoint.parameters) {
    const texts = given.get(parameter.name)
    const read =
      parameter.name === 'interval'
        ? readInterval(parameter, texts, { ...values, hasCategory: given.has('category') })
        : texts === undefined
          ? { value: parameter.byDefault }
          : readOne(parameter, texts)
    if ('bad' in read) bad.push(read.bad)
    else if (read.value !== undefined) values[parameter.name] = read.value
  }
  return bad.length === 0 ? { ok: true, query: { ...values, endpoint: endpoint.name } as Query } : { ok: false, bad }
}

/** One occurrence of a known parameter, in any case; `text` null = not decodable. */
interface Given {
  readonly name: string
  readonly raw: string
  readonly text: string | null
}

function collect(endpoint: Endpoint, raw: string): ReadonlyMap<string, readonly Given[]> {
  const known = new Map<string, Given[]>()
  for (const pair of raw.split('&')) {
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const name = decode(rawName) ?? rawName
    // A name in another case is a slip: `Period` would otherwise be ignored, and the answer be that of the default.
    const base = name.replace(/\[.*$/s, '').toLowerCase()
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

/**
 * Reads the interval; `value` is absent, and nothing is judged, where it means nothing or where it is unknown what is allowed.
 * Parameters beside it that are not valid are absent.
 */
function readInterval(
  { ofTypes }: Parameter,
  texts: readonly Given[] | undefined,
  { type, period, hasCategory }: { readonly type?: unknown; readonly period?: Period; readonly hasCategory: boolean },
): { readonly value?: unknown } | { readonly bad: BadParameter } {
  const allowedOf = ofTypes === undefined ? (hasCategory ? 'own' : 'any') : ofTypes[String(type)]
  if (period === undefined || allowedOf === undefined) return {}
  const own = ownInterval(period)
  // An export has the period's own interval unless it says otherwise.
  if (texts === undefined) return ofTypes === undefined ? { value: own } : {}
  const values = allowedOf === 'own' ? [own] : INTERVALS_OF[period]
  const why = values.length < INTERVALS_OF[period].length ? `period ${period} of a category` : `period ${period}`
  const allowed = `${values.length === 1 ? own : `one of ${values.join(', ')}`} for ${why}`
  const read = readOne({ ...choiceParameter('interval', values, own, ''), allowed }, texts)
  return ofTypes !== undefined && 'value' in read && read.value === own ? {} : read
}

function readOne(parameter: Parameter, given: readonly Given[]) {
  const { allowed } = parameter
  const first = given[0]
  const problem = (shown: string, instead: string): { readonly bad: BadParameter } => ({
    bad: { name: parameter.name, given: cut(shown), allowed: instead },
  })
  if (first === undefined) return problem('', allowed)
  if (given.length > 1) return problem(given.map((g) => g.text ?? g.raw).join(', '), 'one value, given once')
  if (first.name !== parameter.name)
    return problem(`${first.name}=${first.text ?? first.raw}`, `written ${parameter.name}=…`)
  if (first.text === null) return problem(first.raw, `${allowed}, as percent-encoded UTF-8`)
  const value = parameter.read(first.text)
  return value === null ? problem(first.text, allowed) : { value }
}

function cut(text: string): string {
  const points = Array.from(text)
  return points.length <= 40 ? text : `${points.slice(0, 40).join('')}…`
}
