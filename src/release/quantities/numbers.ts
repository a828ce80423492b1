// Owns what a number of a document is, reading numbers, rows and texts from documents that may be anything, and whether numbers
// of people are as their release publishes people. Pure.
import { publishedCount, publishedTotalUsers, type PeopleMode, type PublishedCount } from '../../contract/people.ts'
import { count } from '../../process/printable.ts'
import { isCount } from '../format/json-check.ts'

export type Members = Readonly<Record<string, unknown>>

/**
 * What a place states of a number, or what follows from that: null = that it is not known, which is equal to itself only; odd =
 * nothing that is a whole number from 0 on.
 */
export type Stated = number | null | 'odd'

/** A sentence on a document that is none of its kind. */
export class Fault extends Error {}

export function numberOf(value: unknown): Stated {
  return isCount(value) ? value : 'odd'
}

/** What is not known, or not there, adds nothing; with an odd one the sum is odd. */
export function plus(one: Stated | undefined, other: Stated | undefined): Stated {
  return one === 'odd' || other === 'odd' ? 'odd' : (one ?? 0) + (other ?? 0)
}

export function less(one: Stated | undefined, other: Stated | undefined): Stated {
  return one === 'odd' || other === 'odd' ? 'odd' : (one ?? 0) - (other ?? 0)
}

/** Adds to each sum the number in its place; what nobody states or knows adds nothing. */
export function addTo(sums: (Stated | undefined)[], numbers: readonly (Stated | undefined)[]): void {
  for (let i = 0; i < numbers.length; i += 1) if (numbers[i] != null) sums[i] = plus(sums[i], numbers[i])
}

export function sumOf(rows: readonly Members[], column: string): Stated {
  return rows.reduce<Stated>((sum, row) => plus(sum, numberOf(row[column])), 0)
}

/** The fields of NESTED. Each is named: there are millions of rows, and a computed key takes several times as long. */
export function countsOf({ ideas, votes, comments, launchedIdeas }: Members): Stated[] {
  return [numberOf(ideas), numberOf(votes), numberOf(comments), numberOf(launchedIdeas)]
}

/** A value of a document in a sentence. */
export function shown(value: unknown): string {
  return typeof value === 'string' ? value : (JSON.stringify(value) ?? 'missing')
}

/** Nothing but an object has fields. */
export function membersOf(value: unknown): Members {
  return typeof value === 'object' && value !== null ? (value as Members) : {}
}

export function objectsOf(value: unknown): readonly Members[] {
  return Array.isArray(value) ? value.map(membersOf) : []
}

/** Whether a mode publishes such a value. */
export function isPublished(value: unknown, mode: PeopleMode): value is PublishedCount {
  return value === null ? mode !== 'exact' : isCount(value) && publishedCount(value, mode) === value
}

/** Whether it has such a `stats.totalUsers`. */
export function isPublishedTotal(value: unknown, mode: PeopleMode): value is number {
  return isCount(value) && publishedTotalUsers(value, mode) === value
}

/** @param unit singular, with a plural in -s */
export function andMore(sentence: string, more: number, unit: string): string {
  return more === 0 ? sentence : `${sentence}; the same in ${count(more)} more ${unit}${more === 1 ? '' : 's'}`
}
