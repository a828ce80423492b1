// Owns accounts and active users per window and bucket: two queries in, UserFacts out. Knows no documents.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { BucketUsers, UserFacts } from '../../contract/facts.ts'
import {
  bucketsOf,
  EDGES_MS,
  PERIODS,
  WindowedTally,
  type Bucket,
  type WindowedCounts,
  type Period,
} from '../../contract/windows.ts'
import { TimeSlices, fineBuckets } from './time-slices.ts'
import { copyRows } from './copy-decoder.ts'
import { SLICES_OF_WORD, ActiveUsersCounter, UserBits } from './active-users-counter.ts'
import { asTable, fillTemplate, timeArray, timeLiteral, TIME_BOUNDS, type TemplateParameters } from '../sql/template.ts'
import { MAX_TEXT_CODE_POINTS, type FactsTotals } from './idea-aggregates.ts'

interface AccountGroup {
  readonly month_ms: number | null
  readonly slice: number | null
  readonly accounts: number
  readonly no_id: number
  readonly future: number
}

/** Accounts created in `[startMs, …)`, one entry per piece of time that no bucket and no window cuts. */
type AccountPieces = readonly { readonly startMs: number; readonly monthMs: number; readonly accounts: number }[]

export interface Accounts {
  readonly pieces: AccountPieces
  /** Of the month of the first one; null = there is none. */
  readonly earliestMs: number | null
  /** Dated at or after dataAsOf. */
  readonly future: number
  /** Included in the pieces, before every window and bucket. */
  readonly undated: number
  /** Left out: they cannot be told apart. */
  readonly withoutId: number
}

export async function readAccounts(
  client: pg.Client,
  parameters: TemplateParameters,
  asOfMs: number,
): Promise<Accounts> {
  const { edgesMs } = new TimeSlices(asOfMs, fineBuckets(asOfMs))
  const { rows } = await client.query<AccountGroup>(accountsSql(parameters, asOfMs, edgesMs))
  const pieces: { startMs: number; monthMs: number; accounts: number }[] = []
  let earliestMs: number | null = null
  let [future, undated, withoutId] = [0, 0, 0]
  for (const group of rows) {
    withoutId += group.no_id
    future += group.future
    const accounts = group.accounts - group.future
    if (accounts === 0) continue
    if (group.month_ms === null || group.slice === null) {
      undated += accounts
      pieces.push({ startMs: Number.NEGATIVE_INFINITY, monthMs: Number.NEGATIVE_INFINITY, accounts })
      continue
    }
    const startMs = Math.max(group.month_ms, edgesMs[group.slice - 1] ?? group.month_ms)
    pieces.push({ startMs, monthMs: group.month_ms, accounts })
    earliestMs = Math.min(earliestMs ?? group.month_ms, group.month_ms)
  }
  return { pieces, earliestMs, future, undated, withoutId }
}

/** Active users by what they did and when, of every period, in the order of its buckets. */
export interface Activity {
  readonly buckets: readonly (readonly Bucket[])[]
  readonly counter: ActiveUsersCounter
}

/** @param totals of the events: the earliest date of them and of the accounts, and how many do not count */
export async function readActivity(
  client: pg.Client,
  parameters: TemplateParameters,
  asOfMs: number,
  { earliestMs, eventsOfOtherIdeas }: FactsTotals,
): Promise<Activity> {
  const { slices, ...activity } = noActivity(asOfMs, earliestMs)
  const { counter } = activity
  const sql = activeUsersSql(parameters, asOfMs, slices, eventsOfOtherIdeas)
  for await (const users of copyRows(client.query(copyTo(`COPY (${sql}) TO STDOUT`))))
    for (const user of users) counter.add(user)
  return activity
}

function noActivity(asOfMs: number, earliestMs: number | null): Activity & { readonly slices: TimeSlices } {
  const buckets = PERIODS.map((period) => bucketsOf(period, asOfMs, monthOf(earliestMs)))
  const slices = new TimeSlices(asOfMs, buckets)
  const counter = new ActiveUsersCounter(new UserBits(slices.edgesMs.length), slices, buckets, asOfMs)
  return { buckets, counter, slices }
}

/** The result for a site without accounts and events. */
export function noUsers(asOfMs: number): UserFacts {
  return userFacts({ pieces: [] }, noActivity(asOfMs, null), asOfMs)
}

export function userFacts(
  { pieces }: Pick<Accounts, 'pieces'>,
  { buckets, counter }: Activity,
  asOfMs: number,
): UserFacts {
  const rows = (period: Period, list: readonly Bucket[]): BucketUsers[] =>
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

function accountsSql(parameters: TemplateParameters, asOfMs: number, edgesMs: readonly number[]): string {
  return fillTemplate('read/accounts', {
    ...parameters,
    values: { ...TIME_BOUNDS, as_of: timeLiteral(asOfMs), edges: timeArray(edgesMs) },
  })
}

// Accounts are grouped by month, so the first month counts from its beginning.
function monthOf(timeMs: number | null): number | null {
  if (timeMs === null) return null
  const date = new Date(timeMs)
  return new Date(0).setUTCFullYear(date.getUTCFullYear(), date.getUTCMonth(), 1)
}

function activeUsersSql(
  parameters: TemplateParameters,
  asOfMs: number,
  slices: TimeSlices,
  eventsOfOtherIdeas: number,
): string {
  const { words, undated } = new UserBits(slices.edgesMs.length)
  return fillTemplate('read/active-users', {
    ...parameters,
    keys: { ...parameters.keys, idea_counts: ideaCounts(parameters, asOfMs, eventsOfOtherIdeas) },
    values: {
      words: Array.from({ length: words }, (_, i) => wordOfBits(i)).join(',\n       '),
      undated: String(undated),
      as_of: timeLiteral(asOfMs),
      edges: timeArray(slices.edgesMs),
    },
  })
}

/** The first slice of a word is in its highest bits. */
function wordOfBits(word: number): string {
  const [from, to] = [word * SLICES_OF_WORD, (word + 1) * SLICES_OF_WORD]
  return `bit_or(1::int8 << (${3 * to - 1} - 3 * slice - kind)) FILTER (WHERE slice >= ${from} AND slice < ${to})`
}

/** The queries on users, as they are before the earliest row is known: for EXPLAIN. */
export function userQueries(parameters: TemplateParameters, asOfMs: number): string[] {
  const slices = new TimeSlices(asOfMs, fineBuckets(asOfMs))
  return [accountsSql(parameters, asOfMs, slices.edgesMs), activeUsersSql(parameters, asOfMs, slices, 1)]
}

/**
 * An activity counts only with an idea that counts. When reading the ideas has shown, in the same snapshot, that no event
 * belongs to another idea, the join is left out: it is a third of the cost of the query.
 */
function ideaCounts({ sections, keys }: TemplateParameters, asOfMs: number, eventsOfOtherIdeas: number): string {
  if (eventsOfOtherIdeas === 0) return 'true'
  const ideas = asTable(sections?.get('ideas') ?? '')
  const type = keys?.['idea_key'] ?? 'text'
  // Numbers and uuids are never too long to be published.
  const short = type === 'text' ? ` AND length(id::text) <= ${MAX_TEXT_CODE_POINTS}` : ''
  const counts = `created_at::timestamptz >= ${TIME_BOUNDS['min_time']} AND created_at::timestamptz < ${timeLiteral(asOfMs)}${short}`
  return `EXISTS (SELECT FROM ${ideas} WHERE id::${type} = idea AND ${counts})`
}

// Pieces never cross an edge, so a piece lies in a span when its start does.
function accountsIn(pieces: AccountPieces, fromMs: number, toMs: number): number {
  return pieces.reduce(
    (sum, piece) => (piece.startMs >= fromMs && piece.startMs < toMs ? sum + piece.accounts : sum),
    0,
  )
}

function accountCounts(pieces: AccountPieces, asOfMs: number): WindowedCounts {
  const tally = new WindowedTally()
  tally.total = accountsIn(pieces, Number.NEGATIVE_INFINITY, asOfMs)
  for (const [i, edgeMs] of EDGES_MS.entries()) tally.since[i] = accountsIn(pieces, asOfMs - edgeMs, asOfMs)
  return tally
}
