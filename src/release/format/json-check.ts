// Owns whether JSON that was read has the shape that it should have, and which key has not. Pure.
import type { ObjectOf } from '../../contract/kinds/shape.ts'
import { isTimestamp } from '../../contract/timestamp.ts'

export type { ObjectOf }
/** Tells whether a value is a T. */
export type Check<T = unknown> = (value: unknown) => value is T
type Checks = Readonly<Record<string, Check>>

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

export const isText: Check<string> = (value) => typeof value === 'string'
export const isNumber: Check<number> = (value) => typeof value === 'number'
export const isFlag: Check<boolean> = (value) => typeof value === 'boolean'

/** The value also has to satisfy a condition. */
export function such<T>(check: Check<T>, isRight: (value: T) => boolean): Check<T> {
  return (value): value is T => check(value) && isRight(value)
}

export function matching(pattern: RegExp): Check<string> {
  return such(isText, (value) => pattern.test(value))
}

/** A date of ten characters, in any time zone. */
export const isDate: Check<string> = such(isText, (day) => isTimestamp(`${day}T00:00:00.000Z`))

export function anyOf<const T>(values: readonly T[]): Check<T> {
  return (value): value is T => values.some((one) => one === value)
}

export function orAbsent<T>(check: Check<T>): Check<T | undefined> {
  return (value) => value === undefined || check(value)
}

export function nullOr<T>(check: Check<T>): Check<T | null> {
  return (value) => value === null || check(value)
}

/** Null, or absent. */
export function orNone<T>(check: Check<T>): Check<T | null | undefined> {
  return (value) => value == null || check(value)
}

export function arrayOf<T>(check: Check<T>, most: number = Infinity): Check<readonly T[]> {
  return (value): value is readonly T[] =>
    Array.isArray(value) && value.length <= most && value.every((one) => check(one))
}

/** The first key that is not as it should be; null = none. Other keys may be there. */
export function wrongKey(value: unknown, checks: Checks): string | null {
  const members = (value ?? {}) as Readonly<Record<string, unknown>>
  for (const key in checks) if (checks[key]?.(members[key]) === false) return key
  return null
}

export function fields<P extends Checks>(checks: P): Check<ObjectOf<P>> {
  return (value): value is ObjectOf<P> => wrongKey(value, checks) === null
}

/** An object whose keys nobody lists. */
export function record<T>(isKey: (key: string) => boolean, check: Check<T>): Check<Readonly<Record<string, T>>> {
  return (value): value is Readonly<Record<string, T>> =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    Object.entries(value).every(([key, one]) => isKey(key) && check(one))
}
