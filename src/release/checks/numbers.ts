// Owns reading numbers, rows and texts from documents that may be anything. Pure.
import { isCount } from '../format/is-count.ts'
import { ODD } from './quantity.ts'

export type Fields = Readonly<Record<string, unknown>>

/** What is no count is odd, and so is every sum with it. */
export function numberOf(value: unknown): number {
  return isCount(value) ? value : ODD
}

/** The fields of NESTED. Each is named: there are millions of rows, and a computed key takes several times as long. */
export function countsInto(into: Float64Array | number[], at: number, row: Fields): void {
  const { ideas, votes, comments, launchedIdeas } = row
  into[at] = numberOf(ideas)
  into[at + 1] = numberOf(votes)
  into[at + 2] = numberOf(comments)
  into[at + 3] = numberOf(launchedIdeas)
}

/** The same of the totals of a bucket. */
export function totalsInto(into: Float64Array | number[], at: number, row: Fields): void {
  const { totalIdeas, totalVotes, totalComments, totalLaunchedIdeas } = row
  into[at] = numberOf(totalIdeas)
  into[at + 1] = numberOf(totalVotes)
  into[at + 2] = numberOf(totalComments)
  into[at + 3] = numberOf(totalLaunchedIdeas)
}

/** The fields of a cohort: what null says is a number of its own. */
export function cohortInto(into: Float64Array | number[], at: number, row: Fields): void {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas } = row
  const { launchedWithin30Days: in30, launchedWithin90Days: in90, launchedWithin365Days: in365 } = row
  into[at] = numberOf(ideas)
  into[at + 1] = numberOf(votedIdeas)
  into[at + 2] = numberOf(discussedIdeas)
  into[at + 3] = numberOf(launchedIdeas)
  ageInto(into, at + 4, in30)
  ageInto(into, at + 5, in90)
  ageInto(into, at + 6, in365)
}

function ageInto(into: Float64Array | number[], at: number, value: unknown): void {
  into[at] = value === null ? Number.NaN : numberOf(value)
  into[at + 3] = value === null ? 1 : 0
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
