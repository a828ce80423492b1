// Owns the sentences on numbers that must be equal and are not, or that are none. Knows no document and no rule.
import { isCount } from '../format/is-count.ts'
import { count } from '../../process/printable.ts'
import { contradiction } from './agreed-values.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What one document states of a number. */
export interface Stated {
  readonly where: string
  readonly value: number
}

/** Where they differ; null = all state the same, or nobody states it. */
export function differing(what: string, stated: readonly Stated[]): string | null {
  if (stated.every(({ value }) => value === stated[0]?.value)) return null
  return contradiction(
    what,
    stated.map(({ where, value }) => ({ where, low: value, high: value })),
  )
}

/** The first of many sentences with one cause, and how many more there are. */
export function firstOf(sentences: Iterable<string>, unit: string): string[] {
  const [first, ...others] = sentences
  return first === undefined ? [] : [andMore(first, others.length, unit)]
}

/** @param unit singular, with a plural in -s */
export function andMore(sentence: string, more: number, unit: string): string {
  return more === 0 ? sentence : `${sentence}; the same in ${count(more)} more ${unit}${more === 1 ? '' : 's'}`
}

/** null = each of these fields is a count. */
export function countFault(fields: Fields, keys: readonly string[], where: () => string): string | null {
  for (const key of keys) if (!isCount(fields[key])) return `not a whole number from 0 on in ${key} of ${where()}`
  return null
}

/** A value of a document in a sentence. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')
}

/** Nothing but an object has fields. */
export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? (value as Fields) : {}
}

export function listOf(value: unknown): readonly Fields[] {
  if (!Array.isArray(value)) return []
  return value.every((one) => typeof one === 'object' && one !== null) ? (value as Fields[]) : value.map(fieldsOf)
}
