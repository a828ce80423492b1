// Owns the passes of one read over its relations, and what they count together. Knows no transaction and no documents.
import { CATEGORIES_WITH_PAGES, type Counted, type IdeaFacts, type UserFacts } from '../../model/facts.ts'
import type { DaySlices } from '../../model/day-slices.ts'
import { peopleBuckets, type PeopleTime } from '../../contract/people.ts'
import { CellTally } from '../../model/time-cells.ts'
import {
  BOUNDED_PERIODS,
  bucketsOf,
  EARLIEST_DATE_MS,
  EARLY,
  EDGES_MS,
  FUTURE,
  PERIODS,
  UNDATED,
  yearAgo,
} from '../../contract/windows.ts'
import type { OneInstant } from '../database/one-instant.ts'
import { explain, failedIn, SourceError } from '../database/source-error.ts'
import type { Relation } from '../mapping/relations.ts'
import { ActivePeople, type TimeRange } from './active-people.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { copiedRows } from './copy-out.ts'
import { cellsOf, countedEvents, EventCounter } from './counted-events.ts'
import { IdeaCategories } from './idea-categories.ts'
import { IdeaKeys } from './idea-keys.ts'
import { KeyTable } from './key-table.ts'
import { KnownIdeas } from './known-ideas.ts'
import { ACCOUNT, type rawRows, type RawQuery } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

/** The instant of the release, and that of its numbers of people, which is not later. */
export interface ReadTimes {
  readonly slices: DaySlices
  readonly people: PeopleTime
  /** The instants before which rows are counted for the gate: the read's own, then that of the current release, if there is one. */
  readonly cutsMs: readonly number[]
}

/** Is told how many rows of a relation have been read so far. */
export type Report = (relation: Relation, rows: number) => void

/** What the passes of a read have in common. */
interface Reading {
  readonly instant: OneInstant
  readonly mapping: string
  readonly raw: ReturnType<typeof rawRows>
  readonly times: ReadTimes
  readonly skipped: SkippedRowTally
}

/** What the facts are made of, kept from the counting to the last fact: a hundred bytes an idea. */
export type Known = Record<'votes' | 'comments', EventCounter> & { readonly keys: IdeaKeys }

/** The categories are read before the events, which are counted for each of them. */
export async function countEvents(
  reading: Reading,
  report: Report = () => undefined,
): Promise<{ readonly counted: Counted; readonly known: Known }> {
  const { raw, skipped } = reading
  const { slices, people: time, cutsMs } = reading.times
  // Where numbers of people are as of a midnight, it is not known who was active on the day of the cut.
  const midnight = (ms: number): number => slices.zone.startOf('day', ms)
  const people = time.mode === 'off' ? null : new ActivePeople(slices, time, cutsMs.map(midnight))
  const pass = (relation: Relation, query: RawQuery, take: (rows: CopiedRows) => void): Promise<void> =>
    passRows(reading, relation, query, report, take).catch(failedIn(`mapping ${reading.mapping}, section ${relation}`))
  const ideas = new KnownIdeas(raw.ideaKey)
  const keys = new IdeaKeys(ideas, slices, skipped)
  await pass('ideas', raw.ideas(), (rows) => keys.read(rows, people))
  if (keys.isTwice) await reject(reading, 'ideas', twice('ideas'))
  const categories = new IdeaCategories(ideas, skipped)
  await pass('idea_categories', raw.ideaCategories(), (rows) => categories.read(rows))
  categories.end()
  const cells = cellsOf(slices)
  const votes = new EventCounter('votes', ideas, cells, cutsMs, skipped)
  await pass('votes', raw.votes(), (rows) => votes.read(rows, people))
  const comments = new EventCounter('comments', ideas, cells, cutsMs, skipped)
  await pass('comments', raw.comments(), (rows) => comments.read(rows, people))
  const accounts = new CellTally(cells.cells)
  await pass('users', raw.accounts(), (rows) => countAccounts(rows, accounts, slices, skipped))
  const monthOf = (ms: number): number | null =>
    ms === Number.POSITIVE_INFINITY ? null : slices.zone.startOf('month', ms)
  const events = [keys.earliestMs, votes.all.oldestMs, comments.all.oldestMs]
  // Where only later accounts have a date, the numbers of people begin with the rest.
  const earliestMs = Math.min(...events, accounts.oldestMs < time.asOfMs ? accounts.oldestMs : Number.POSITIVE_INFINITY)
  const counted = {
    ideas: ideas.count,
    events: countedEvents(ideas.names, cells, votes, comments),
    // A launch makes nobody active: where the users export begins does not depend on it.
    users: userFacts(accounts, people, reading.times, monthOf(earliestMs)),
    largestCategories: ideas.largestCategories(CATEGORIES_WITH_PAGES),
    firstMonthMs: monthOf(Math.min(earliestMs, keys.earliestLaunchMs)),
    peopleMonths: cutsMs.map((cutMs) => ({
      users: accounts.monthsBefore(cutMs),
      activeUsers: people?.byMonth(midnight(cutMs)) ?? null,
    })),
  }
  return { counted, known: { keys, votes, comments } }
}

/** Counts all accounts, also those created since the instant of the numbers of people. */
function countAccounts(rows: CopiedRows, tally: CellTally, { asOfMs }: DaySlices, skipped: SkippedRowTally): void {
  for (let row = 0; row < rows.count; row++) {
    const ms = rows.millis(row, ACCOUNT.createdAt)
    // Accounts without an id cannot be told apart.
    if (rows.isTrue(row, ACCOUNT.hasNoId)) skipped.add('users', 'id is NULL', 1, 'fault')
    else if (ms >= asOfMs) skipped.add('users', FUTURE)
    else {
      if (ms < EARLIEST_DATE_MS) skipped.add('users', EARLY, 1, 'fault')
      else if (Number.isNaN(ms)) skipped.add('users', UNDATED)
      tally.addAt(ms)
    }
  }
}

export async function* factsOf(reading: Reading, { keys, votes, comments }: Known): AsyncGenerator<IdeaFacts[]> {
  const { instant, mapping, raw, times } = reading
  try {
    for await (const rows of copiedRows(instant.client, raw.publishedIdeas(times.slices.asOfMs))) {
      const facts = keys.facts(rows, votes, comments)
      if (facts.length > 0) yield facts
    }
    if (keys.areOthers) await reject(reading, 'ideas', OTHER_IDEAS, true)
  } catch (error) {
    throw explain(error, `mapping ${mapping}, section ideas`)
  }
}

/** Proves the instant first, because what looks like a mistake of the mapping may come from a table that was replaced. */
async function reject(
  { instant, mapping }: Reading,
  relation: Relation,
  problem: string,
  retryable = false,
): Promise<never> {
  await instant.prove()
  throw new SourceError(`mapping ${mapping}, section ${relation}: ${problem}`, retryable)
}

async function passRows(
  reading: Reading,
  relation: Relation,
  query: RawQuery,
  report: Report,
  take: (rows: CopiedRows) => void,
): Promise<void> {
  let [read, withKey] = [0, 0]
  const keys = new KeyTable(2)
  report(relation, read)
  for await (const rows of copiedRows(reading.instant.client, query)) {
    take(rows)
    if (query.unique !== undefined) withKey += addKeys(keys, rows, query.unique)
    read += rows.count
    report(relation, read)
  }
  reading.skipped.read.set(relation, read)
  if (keys.count < withKey) await reject(reading, relation, twice(relation))
}

/** Two rows of one id may differ, and it is unknown which one is right; counting both would be wrong. */
const twice = (relation: Relation): string =>
  `it returns an id several times; return each once: where a join has several rows of one, write EXISTS in its place; where ids are those of several tables, tell them apart, as in 'reply ' || id. With the section in the brackets this lists all such ids: SELECT id::text, count(*) FROM (…) AS ${relation} GROUP BY 1 HAVING count(id) > 1;`

/** @returns how many rows have a key */
function addKeys(keys: KeyTable, rows: CopiedRows, field: number): number {
  let added = 0
  for (let row = 0; row < rows.count; row++) {
    if (rows.isNull(row, field)) continue
    keys.add(rows.int32(row, field), rows.int32(row, field, 4))
    added += 1
  }
  return added
}

const OTHER_IDEAS =
  'read twice, the section returned other ideas or dates of the same rows; what it returns must depend on nothing but them (no random(), no clock_timestamp(), no TABLESAMPLE), and foreign tables must stay as they are meanwhile'

/** The facts about people; without `people`, nobody was active. */
export function userFacts(
  accounts: CellTally,
  people: ActivePeople | null,
  { slices, people: time }: Omit<ReadTimes, 'cutsMs'>,
  earliestMs: number | null,
): UserFacts {
  const { asOfMs, zone } = time
  const later = accounts.within(asOfMs, slices.asOfMs)
  const buckets = PERIODS.map((period) => peopleBuckets(period, time, earliestMs))
  const years = bucketsOf('all', asOfMs, earliestMs, 'year', zone)
  const ago = BOUNDED_PERIODS.flatMap((period) => yearAgo(period, asOfMs) ?? [])
  const lengths = ago.map(({ fromMs, toMs }) => toMs - fromMs)
  const own = lengths.map((ms) => ({ fromMs: asOfMs - ms, toMs: asOfMs }))
  const before = lengths.map((ms) => ({ fromMs: asOfMs - 2 * ms, toMs: asOfMs - ms }))
  const counts = people?.counts<TimeRange>([...buckets.flat(), ...years, ...ago, ...own, ...before])
  const activeIn = (range: TimeRange): number => counts?.get(range)?.active ?? 0
  return {
    accounts: {
      total: accounts.total - later,
      since: EDGES_MS.map((edgeMs) => accounts.within(asOfMs - edgeMs, asOfMs)),
    },
    laterAccounts: later,
    active: { inWindow: own.map(activeIn), before: before.map(activeIn), all: people?.all ?? 0 },
    yearAgo: ago.map((range) => ({
      newUsers: accounts.within(range.fromMs, range.toMs),
      active: activeIn(range),
    })),
    years: years.map((year) => ({ startMs: year.startMs, active: activeIn(year) })),
    buckets: buckets.map((list) =>
      list.map((bucket) => ({
        startMs: bucket.startMs,
        newUsers: accounts.within(bucket.fromMs, bucket.toMs),
        totalUsers: accounts.total - accounts.within(bucket.toMs, slices.asOfMs),
        ...(counts?.get(bucket) ?? NOBODY),
      })),
    ),
  }
}

const NOBODY = { active: 0, authors: 0, voters: 0, commenters: 0 }
