// Owns how values of options are written: durations, sizes, whole numbers, addresses, and what is allowed.
import { usageError } from './cli-error.ts'

/** A value, or what would have been allowed instead. */
export type Parsed<T> = { readonly value: T } | { readonly allowed: string }
export type Parse<T> = (text: string) => Parsed<T>

/** @throws CliError that says what is not allowed, but not its value, which may hold a password */
export function allowedValue<T>(what: string, given: string, parse: Parse<T>, more = ''): T {
  const parsed = parse(given)
  if ('value' in parsed) return parsed.value
  throw usageError(`${what}: not allowed; allowed: ${parsed.allowed}${more}`)
}

const UNIT_MS: Readonly<Record<string, number>> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** A whole number with one of these units. */
function withUnit(units: typeof UNIT_MS, min: number, max: number, allowed: string): Parse<number> {
  return (given) => {
    const [, digits, unit = ''] = /^(\d{1,12})([A-Za-z]{1,3})$/.exec(given) ?? []
    const value = Number(digits) * (units[unit] ?? Number.NaN)
    return value >= min && value <= max ? { value } : { allowed }
  }
}

/** `30s`, `5m`, `24h`, `7d`, `250ms`. */
export function duration(minMs: number, maxMs: number): Parse<number> {
  const range = `from ${showDuration(minMs)} to ${showDuration(maxMs)}`
  return withUnit(UNIT_MS, minMs, maxMs, `a duration such as 30s, 5m or 24h, ${range}`)
}

export function showDuration(ms: number): string {
  const unit =
    ['d', 'h', 'm', 's'].find(
      (name) => ms > 0 && ms % (UNIT_MS[name] ?? 1) === 0 && (name !== 'd' || ms > 86_400_000),
    ) ?? 'ms'
  return `${ms / (UNIT_MS[unit] ?? 1)}${unit}`
}

const UNIT_BYTES: Readonly<Record<string, number>> = { B: 1, KiB: 1024, MiB: 1024 ** 2, GiB: 1024 ** 3 }

/** `64MiB`. */
export function size(minBytes: number, maxBytes: number): Parse<number> {
  const [least, most] = [minBytes, maxBytes].map((bytes) => showSize(bytes).replace(' ', ''))
  return withUnit(UNIT_BYTES, minBytes, maxBytes, `a size such as 64MiB, from ${least} to ${most}`)
}

export function showSize(bytes: number): string {
  const unit = ['GiB', 'MiB', 'KiB'].find((name) => bytes >= (UNIT_BYTES[name] ?? 1)) ?? 'B'
  const value = bytes / (UNIT_BYTES[unit] ?? 1)
  return `${Number.isInteger(value) ? value : value.toFixed(1)} ${unit}`
}

export function integer(min: number, max: number): Parse<number> {
  return (given) => {
    const value = /^\d{1,15}$/.test(given) ? Number(given) : Number.NaN
    return value >= min && value <= max ? { value } : { allowed: `a whole number from ${min} to ${max}` }
  }
}

export function anyText(allowed: string): Parse<string> {
  return (given) => (given === '' ? { allowed } : { value: given })
}

/** An http(s) address without user, query or fragment, which RDF takes, too (RFC 3987); a slash at its end is dropped. */
export function httpUrl(example = 'https://ideas.example.org'): Parse<string> {
  return (given) => {
    // new URL() alone would also take `https:x` and an empty `?`.
    return /^https?:\/\/[^/\\?#@\s]+(?:\/(?:[^\\?#\s|^`{}<>"[\]%]|%[\da-f]{2})*)?$/i.test(given) && URL.canParse(given)
      ? { value: new URL(given).href.replace(/\/+$/, '') }
      : {
          allowed: `an address such as ${example}${/^https?:.*[|^`{}<>"[\]%]/i.test(given) ? ', with %7C for | and so on' : ''}`,
        }
  }
}
