// Owns reading numbers, rows and texts from documents that may be anything, and whether numbers of people are as their release
// publishes people. Pure.
import { publishedCount, publishedTotalUsers, type PeopleMode, type PublishedCount } from '../../contract/people.ts'
import { andMore } from './quantity.ts'
import * as is from '../format/shape.ts'

export type Fields = Readonly<Record<string, unknown>>

/** NaN of what is no count, and so is every sum with it. */
export function numberOf(value: unknown): number {
  return is.count(value) ? value : Number.NaN
}

/** The fields of NESTED. Each is named: there are millions of rows, and a computed key takes several times as long. */
export function countsOf({ ideas, votes, comments, launchedIdeas }: Fields): number[] {
  return [numberOf(ideas), numberOf(votes), numberOf(comments), numberOf(launchedIdeas)]
}

export function sumOf(rows: readonly Fields[], column: string): number {
  return rows.reduce((sum, row) => sum + numberOf(row[column]), 0)
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

/** The rows of the JSON of an export; null = it has none. */
export function rowsIn(document: unknown): readonly Fields[] | null {
  const { data } = (document ?? {}) as { readonly data?: unknown }
  const isRows = Array.isArray(data) && data.every((row) => typeof row === 'object' && row !== null)
  return isRows ? (data as readonly Fields[]) : null
}

/** Whether a mode publishes such a value. */
export function isPublished(value: unknown, mode: PeopleMode): value is PublishedCount {
  return value === null ? mode !== 'exact' : is.count(value) && publishedCount(value, mode) === value
}

/** Whether it has such a `stats.totalUsers`. */
export function isPublishedTotal(value: unknown, mode: PeopleMode): value is number {
  return is.count(value) && publishedTotalUsers(value, mode) === value
}

/** What is wrong in an export, in at most one sentence. @param wrong its cells, and what they are */
export function unpublishable(path: string, wrong: readonly string[], mode: PeopleMode): string[] {
  const [first, ...more] = wrong
  if (first === undefined) return []
  return [andMore(`${path}: ${first}, which is not how --people ${mode} publishes`, more.length, 'cell')]
}
