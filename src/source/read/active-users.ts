// Owns accounts and active users per window and bucket: two queries in, UserFacts out. Knows no documents.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import type { BucketUsers, UserFacts } from '../../model/facts.ts'
import { peopleBuckets, peopleTime, type PeopleTime } from '../../contract/people.ts'
import {
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
  readonly later: number
  readonly future: number
}

/** The instant of the release, and the one of its numbers of people: not later. */
export interface ReadTimes {
  readonly asOfMs: number
  readonly people: PeopleTime
}

/** Accounts created in `[startMs, …)`, one entry per piece of time that no bucket and no window cuts. */
type AccountPieces = readonly { readonly startMs: number; readonly monthMs: number; readonly accounts: number }[]

export interface Accounts {
  readonly pieces: AccountPieces
  /** Of the month of the first one; null = there is none. */
  readonly earliestMs: number | null
  /** Dated before dataAsOf, but not before the instant of the numbers of people. */
  readonly later: number
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
  times: ReadTimes,
): Promise<Accounts> {
  const { edgesMs } = new TimeSlices(times.people.asOfMs, fineBuckets(times.people))
  const { rows } = await client.query<AccountGroup>(accountsSql(parameters, times, edgesMs))
  const pieces: { startMs: number; monthMs: number; accounts: number }[] = []
  let earliestMs: number | null = null
  let [later, future, undated, withoutId] = [0, 0, 0, 0]
  for (const group of rows) {
    withoutId += group.no_id
    later += group.later
    future += group.future
    const accounts = group.accounts - group.later - group.future
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
  return { pieces, earliestMs, later, future, undated, withoutId }
}

/** Active users by what they did and when, of every period, in the order of its buckets. */
export interface Activity {
  readonly buckets: readonly (readonly Bucket[])[]
  readonly counter: ActiveUsersCounter
}

/** @param totals of the events: the month in which they and the accounts begin, and how many do not count */
export async function readActivity(
  client: pg.Client,
  parameters: TemplateParameters,
  times: ReadTimes,
  { earliestMs, eventsOfOtherIdeas }: FactsTotals,
  counted: (people: number) => void = () => {},
): Promise<Activity> {
  const { slices, ...activity } = noActivity(times.people, earliestMs)
  const { counter } = activity
  const sql = activeUsersSql(parameters, times, slices, eventsOfOtherIdeas)
  let people = 0
  for await (const users of copyRows(client.query(copyTo(`COPY (${sql}) TO STDOUT`)))) {
    for (const user of users) counter.add(user)
    people += users.length
    counted(people)
  }
  return activity
}

function noActivity(time: PeopleTime, earliestMs: number | null): Activity & { readonly slices: TimeSlices } {
  const { asOfMs } = time
  const buckets = PERIODS.map((period) => peopleBuckets(period, time, earliestMs))
  const slices = new TimeSlices(asOfMs, buckets)
  const counter = new ActiveUsersCounter(new UserBits(slices.edgesMs.length), slices, buckets, asOfMs)
  return { buckets, counter, slices }
}

/** The result for a site without accounts and events. */
export function noUsers(time: PeopleTime): UserFacts {
  return userFacts({ pieces: [], later: 0 }, noActivity(time, null), time)
}

export function userFacts(
  { pieces, later }: Pick<Accounts, 'pieces' | 'later'>,
  { buckets, counter }: Activity,
  { asOfMs }: PeopleTime,
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
    laterAccounts: later,
    active: counter.active(),
    buckets: PERIODS.map((period, i) => rows(period, buckets[i] ?? [])),
  }
}

function accountsSql(parameters: TemplateParameters, times: ReadTimes, edgesMs: readonly number[]): string {
  return fillTemplate('read/accounts', {
    ...parameters,
    values: {
      ...TIME_BOUNDS,
      as_of: timeLiteral(times.asOfMs),
      people_as_of: timeLiteral(times.people.asOfMs),
      edges: timeArray(edgesMs),
    },
  })
}

function activeUsersSql(
  parameters: TemplateParameters,
  { asOfMs, people }: ReadTimes,
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
      people_as_of: timeLiteral(people.asOfMs),
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
  const times = { asOfMs, people: peopleTime('exact', asOfMs) }
  const slices = new TimeSlices(asOfMs, fineBuckets(times.people))
  return [accountsSql(parameters, times, slices.edgesMs), activeUsersSql(parameters, times, slices, 1)]
}

/**
 * An activity counts only with an idea that counts, which is decided as of dataAsOf. When reading the ideas has shown, in the same snapshot, that no event
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
