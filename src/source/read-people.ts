// Owns accounts and distinct people per window and bucket: two questions in, PeopleFacts out. Knows no documents.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { BucketPeople, PeopleFacts } from '../contract/facts.ts'
import { bucketsOf, EDGES_MS, PERIODS, Tally, type Bucket, type Counts, type Period } from '../contract/windows.ts'
import { Cells, fineBuckets } from './cells.ts'
import type { Ignored } from './ignored.ts'
import { PeopleCounter, PersonBits } from './people-counter.ts'
import { asTable, question, timeArray, timeLiteral, TIME_BOUNDS, type Fill } from './question.ts'
import type { FactsTotals } from './read-facts.ts'
import type { Relation } from './relations.ts'

interface AccountGroup {
  readonly month_ms: number | null
  readonly cell: number | null
  readonly accounts: number
  readonly bad: number
  readonly future: number
}

/** Accounts created in `[startMs, …)`, one entry a piece of time that no bucket and no window cuts. */
type AccountPieces = readonly { readonly startMs: number; readonly monthMs: number; readonly accounts: number }[]

/**
 * @param totals what reading the ideas has shown
 * @param onBad called for an account that breaks the relation's rules; must throw
 */
export async function readPeople(
  client: pg.Client,
  fill: Fill,
  asOfMs: number,
  totals: FactsTotals,
  ignored: Ignored,
  onBad: (relation: Relation) => Promise<never>,
): Promise<PeopleFacts> {
  const pieces = await readAccounts(client, fill, asOfMs, ignored, onBad)
  const earliestMs = pieces.reduce<number | null>(
    (least, { monthMs }) => (least === null ? monthMs : Math.min(least, monthMs)),
    totals.earliestMs,
  )
  const buckets = PERIODS.map((period) => bucketsOf(period, asOfMs, monthOf(earliestMs)))
  const counter = await countPeople(client, fill, asOfMs, buckets, totals)
  const rows = (period: Period, list: readonly Bucket[]): BucketPeople[] =>
    list.map((bucket, i) => ({
      startMs: bucket.startMs,
      newUsers: accountsIn(pieces, bucket.fromMs, bucket.toMs),
      totalUsers: accountsIn(pieces, Number.NEGATIVE_INFINITY, bucket.toMs),
      ...counter.counts(period, i),
    }))
  return {
    accounts: accountCounts(pieces, asOfMs),
    active: counter.active(),
    buckets: PERIODS.map((period, i) => rows(period, buckets[i] ?? [])),
  }
}

async function readAccounts(
  client: pg.Client,
  fill: Fill,
  asOfMs: number,
  ignored: Ignored,
  onBad: (relation: Relation) => Promise<never>,
): Promise<AccountPieces> {
  const { edgesMs } = new Cells(asOfMs, fineBuckets(asOfMs))
  const { rows } = await client.query<AccountGroup>(accountsQuestion(fill, asOfMs, edgesMs))
  const pieces: { startMs: number; monthMs: number; accounts: number }[] = []
  for (const group of rows) {
    if (group.bad > 0 || group.month_ms === null || group.cell === null) return onBad('users')
    ignored.add('users', 'dated at or after dataAsOf', group.future)
    const startMs = Math.max(group.month_ms, edgesMs[group.cell - 1] ?? group.month_ms)
    const accounts = group.accounts - group.future
    if (accounts > 0) pieces.push({ startMs, monthMs: group.month_ms, accounts })
  }
  return pieces
}

function accountsQuestion(fill: Fill, asOfMs: number, edgesMs: readonly number[]): string {
  return question('accounts', {
    ...fill,
    values: { ...TIME_BOUNDS, as_of: timeLiteral(asOfMs), edges: timeArray(edgesMs) },
  })
}

// A month's accounts are known by their month only, so the first month counts from its beginning.
function monthOf(timeMs: number | null): number | null {
  if (timeMs === null) return null
  const date = new Date(timeMs)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

async function countPeople(
  client: pg.Client,
  fill: Fill,
  asOfMs: number,
  buckets: readonly (readonly Bucket[])[],
  { eventsOfOtherIdeas }: FactsTotals,
): Promise<PeopleCounter> {
  const cells = new Cells(asOfMs, buckets)
  const layout = new PersonBits(cells.edgesMs.length)
  const counter = new PeopleCounter(layout, cells, buckets, asOfMs)
  const sql = peopleQuestion(fill, asOfMs, cells, eventsOfOtherIdeas)
  // Every row of the COPY has the same length: the bits and a newline.
  const width = layout.bits + 1
  let rest: Buffer = Buffer.alloc(0)
  for await (const chunk of client.query(copyTo(`COPY (${sql}) TO STDOUT`)) as AsyncIterable<Buffer>) {
    const bytes = rest.length === 0 ? chunk : Buffer.concat([rest, chunk])
    let at = 0
    for (; at + width <= bytes.length; at += width) counter.add(bytes, at)
    rest = bytes.subarray(at)
  }
  if (rest.length > 0) throw new Error('the server ended a COPY in the middle of a row')
  return counter
}

function peopleQuestion(fill: Fill, asOfMs: number, cells: Cells, eventsOfOtherIdeas: number): string {
  return question('people', {
    ...fill,
    keys: { ...fill.keys, idea_counts: ideaCounts(fill, asOfMs, eventsOfOtherIdeas) },
    values: {
      ...new PersonBits(cells.edgesMs.length).values,
      as_of: timeLiteral(asOfMs),
      edges: timeArray(cells.edgesMs),
    },
  })
}

/** The questions that readPeople asks, as they are before the earliest row is known: for EXPLAIN. */
export function peopleQuestions(fill: Fill, asOfMs: number): string[] {
  const cells = new Cells(asOfMs, fineBuckets(asOfMs))
  return [accountsQuestion(fill, asOfMs, cells.edgesMs), peopleQuestion(fill, asOfMs, cells, 1)]
}

/**
 * An activity counts only through an idea that counts. When reading the ideas has shown, in the same instant, that no
 * event belongs to another one, the join is left out: it is a third of the whole question.
 */
function ideaCounts({ sections, keys }: Fill, asOfMs: number, eventsOfOtherIdeas: number): string {
  if (eventsOfOtherIdeas === 0) return 'true'
  const ideas = asTable(sections?.get('ideas') ?? '')
  return `EXISTS (SELECT FROM ${ideas} WHERE id::${keys?.['idea_key'] ?? 'text'} = idea AND created_at::timestamptz < ${timeLiteral(asOfMs)})`
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
