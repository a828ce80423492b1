// Owns whether JSON that was read has the shape that it should have, and which key has not. Pure.

export type Check = (value: unknown) => boolean

/** What a text says; undefined = it is no JSON. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** A number of rows. NaN and fractions are none: they would pass every comparison, or no sum. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

export const isText: Check = (value) => typeof value === 'string'

export function matches(pattern: RegExp): Check {
  return (value) => typeof value === 'string' && pattern.test(value)
}

export function absentOr(check: Check): Check {
  return (value) => value === undefined || check(value)
}

/** Null, or absent. */
export function noneOr(check: Check): Check {
  return (value) => value == null || check(value)
}

export function listOf(check: Check, most: number = Infinity): Check {
  return (value) => Array.isArray(value) && value.length <= most && value.every((one) => check(one))
}

/** The first key that is not as it should be; null = none. Other keys may be there. */
export function wrongKey(value: unknown, checks: Readonly<Record<string, Check>>): string | null {
  const fields = (value ?? {}) as Readonly<Record<string, unknown>>
  for (const key in checks) if (checks[key]?.(fields[key]) === false) return key
  return null
}

export function fieldsAre(checks: Readonly<Record<string, Check>>): Check {
  return (value) => wrongKey(value, checks) === null
}
