// Owns accounts and distinct people per window and bucket: two questions in, PeopleFacts out. Knows no documents.
import type pg from 'pg'
import type { BucketPeople, PeopleFacts } from '../contract/facts.ts'
import { BOUNDED_PERIODS, bucketsOf, EDGES_MS, PERIODS, Tally, type Bucket, type Counts } from '../contract/windows.ts'
import { Cells, fineBuckets } from './cells.ts'
import type { Ignored } from './ignored.ts'
import { intArray, question, timeArray, timeLiteral, TIME_BOUNDS, type Fill } from './question.ts'
import type { Relation } from './relations.ts'

interface AccountGroup {
  readonly month_ms: number | null
  readonly cell: number | null
  readonly accounts: number
  readonly bad: number
  readonly future: number
}

interface PeopleGroup {
  readonly span: string
  readonly bucket: number
  readonly active: number
  readonly authors: number
  readonly voters: number
  readonly commenters: number
}

/** Accounts created in `[startMs, …)`, one entry a piece of time; ascending. */
type AccountPieces = readonly { readonly startMs: number; readonly monthMs: number; readonly accounts: number }[]

/**
 * @param ideasEarliestMs the earliest dated idea, vote or comment
 * @param onBad called for an account that breaks the relation's rules; must throw
 */
export async function readPeople(
  client: pg.Client,
  fill: Fill,
  asOfMs: number,
  ideasEarliestMs: number | null,
  ignored: Ignored,
  onBad: (relation: Relation) => Promise<never>,
): Promise<PeopleFacts> {
  const values = { ...TIME_BOUNDS, as_of: timeLiteral(asOfMs) }
  const fine = new Cells(asOfMs, fineBuckets(asOfMs))
  const accountGroups = await client.query<AccountGroup>(
    question('accounts', { ...fill, values: { ...values, edges: timeArray(fine.edgesMs) } }),
  )
  const pieces: { startMs: number; monthMs: number; accounts: number }[] = []
  for (const group of accountGroups.rows) {
    if (group.bad > 0 || group.month_ms === null || group.cell === null) return onBad('users')
    ignored.add('users', 'dated at or after dataAsOf', group.future)
    const startMs = Math.max(group.month_ms, fine.edgesMs[group.cell - 1] ?? group.month_ms)
    const accounts = group.accounts - group.future
    if (accounts > 0) pieces.push({ startMs, monthMs: group.month_ms, accounts })
  }
  const earliestMs = [ideasEarliestMs, ...pieces.map((piece) => piece.monthMs)].reduce(
    (least, ms) => (ms === null || (least !== null && least <= ms) ? least : ms),
    null,
  )

  const buckets = PERIODS.map((period) => bucketsOf(period, asOfMs, monthOf(earliestMs)))
  const cells = new Cells(asOfMs, buckets)
  const groups = await client.query<PeopleGroup>(
    question('people', { ...fill, values: { ...values, ...spans(cells, buckets, asOfMs) } }),
  )
  return assemble(groups.rows, pieces, buckets, asOfMs)
}

// A month's pieces of accounts are known by their month only, so the first month counts from its beginning.
function monthOf(timeMs: number | null): number | null {
  if (timeMs === null) return null
  const date = new Date(timeMs)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

/** The values that people.sql asks for. */
function spans(cells: Cells, buckets: readonly (readonly Bucket[])[], asOfMs: number): Record<string, string> {
  const [hours = [], week = [], month = [], days = [], months = []] = buckets
  const cell = (timeMs: number): string => String(cells.at(timeMs))
  const values: Record<string, string> = {
    edges: timeArray(cells.edgesMs),
    hour_of: intArray(cells.bucketOfCell(hours)),
    day_of: intArray(cells.bucketOfCell(days)),
    month_of: intArray(cells.bucketOfCell(months)),
    second_of_7d: cell(week[1]?.fromMs ?? asOfMs),
    second_of_30d: cell(month[1]?.fromMs ?? asOfMs),
  }
  for (const [i, period] of BOUNDED_PERIODS.entries()) {
    values[`from_${period}`] = cell(asOfMs - (EDGES_MS[2 * i] ?? 0))
    values[`before_${period}`] = cell(asOfMs - (EDGES_MS[2 * i + 1] ?? 0))
  }
  return values
}

function assemble(
  groups: readonly PeopleGroup[],
  pieces: AccountPieces,
  buckets: readonly (readonly Bucket[])[],
  asOfMs: number,
): PeopleFacts {
  const found = new Map(groups.map((group) => [`${group.span} ${group.bucket}`, group]))
  const people = (span: string, bucket: number): Omit<PeopleGroup, 'span' | 'bucket'> =>
    found.get(`${span} ${bucket}`) ?? { active: 0, authors: 0, voters: 0, commenters: 0 }
  const days = buckets[PERIODS.indexOf('90d')] ?? []
  const dayIndex = new Map(days.map((day, i) => [day.startMs, i + 1]))

  const rowsOf = (spanOf: (bucket: Bucket, i: number) => [string, number], list: readonly Bucket[]): BucketPeople[] =>
    list.map((bucket, i) => {
      const { active, authors, voters, commenters } = people(...spanOf(bucket, i))
      const created = accountsIn(pieces, bucket.fromMs, bucket.toMs)
      const totalUsers = accountsIn(pieces, Number.NEGATIVE_INFINITY, bucket.toMs)
      return { startMs: bucket.startMs, newUsers: created, totalUsers, active, authors, voters, commenters }
    })
  // The days of 7d and 30d are those of 90d, but for the first, of which only the part in the window counts.
  const daySpan =
    (first: string) =>
    (bucket: Bucket, i: number): [string, number] =>
      i === 0 ? [first, 1] : ['day', dayIndex.get(bucket.startMs) ?? 0]

  const [hours = [], week = [], month = [], , months = []] = buckets
  return {
    accounts: accountCounts(pieces, asOfMs),
    active: {
      inWindow: BOUNDED_PERIODS.map((_, i) => people('window', i + 1).active),
      before: BOUNDED_PERIODS.map((_, i) => people('window', BOUNDED_PERIODS.length + i + 1).active),
      all: people('all', 1).active,
    },
    buckets: [
      rowsOf((_, i) => ['hour', i + 1], hours),
      rowsOf(daySpan('first day of 7d'), week),
      rowsOf(daySpan('first day of 30d'), month),
      rowsOf((_, i) => ['day', i + 1], days),
      rowsOf((_, i) => ['month', i + 1], months),
    ],
  }
}

// Pieces never cross an edge, so a piece lies in a span when its start does.
function accountsIn(pieces: AccountPieces, fromMs: number, toMs: number): number {
  return pieces.reduce(
    (sum, piece) => (piece.startMs >= fromMs && piece.startMs < toMs ? sum + piece.accounts : sum),
    0,
  )
}

function accountCounts(pieces: AccountPieces, asOfMs: number): Counts {
  const tally = new Tally()
  tally.total = accountsIn(pieces, Number.NEGATIVE_INFINITY, asOfMs)
  for (const [i, edgeMs] of EDGES_MS.entries()) tally.since[i] = accountsIn(pieces, asOfMs - edgeMs, asOfMs)
  return tally
}
