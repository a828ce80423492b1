// Owns the sentences on numbers that must be equal and are not, or that are none. Knows no document and no rule.
import { isCount } from '../format/is-count.ts'
import { count } from '../../process/printable.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What one document states of a number. */
export interface Stated {
  readonly where: string
  readonly value: number
}

/** `what: 4 in A, but 5 in B and another in 1 more`; null = all state the same, or nobody states it. */
export function differing(what: string, stated: readonly Stated[]): string | null {
  if (stated.every(({ value }) => value === stated[0]?.value)) return null
  // What most documents state comes first: one that differs is more likely wrong.
  const times = (one: Stated): number => stated.filter(({ value }) => value === one.value).length
  const [first, ...others] = stated.toSorted((a, b) => times(b) - times(a))
  const [other, ...more] = others.filter(({ value }) => value !== first?.value)
  if (first === undefined || other === undefined) return null
  return `${what}: ${count(first.value)} in ${first.where}, but ${count(other.value)} in ${other.where}${more.length === 0 ? '' : ` and another in ${count(more.length)} more`}`
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
