// Owns the numbers of people as a release publishes them: facts in, each number rounded once, last. Knows no document.
import type { RowOf } from '../contract/kinds/tables.ts'
import type { UserFacts } from '../model/facts.ts'
import { recordOf } from '../model/record-of.ts'
import { UTC, type TimeZone } from '../contract/time-zone.ts'
import {
  peopleInterval,
  publishedCount,
  publishedTotalUsers,
  type PeopleMode,
  type PublishedCount,
} from '../contract/people.ts'
import { countBefore, countIn, FUTURE, PERIODS, type Period } from '../contract/windows.ts'

/** `[value, previousValue, yearAgoValue]`: null = there is none, or it is not published as a number. */
type Values = readonly [PublishedCount, PublishedCount, PublishedCount]

/** All published numbers of people: whatever is derived is derived from these. */
export type PublishedPeople = ReturnType<typeof publishPeople>

export function publishPeople(facts: UserFacts, mode: PeopleMode) {
  const { accounts, active, yearAgo, buckets } = facts
  const published = (people: number | null): PublishedCount => publishedCount(people, mode)
  const all = ([now, before]: Pair, ago: number | null = null): Values => [
    published(now),
    published(before),
    published(ago),
  ]
  // A year that begins after the midnight for which people are counted has nobody yet.
  const activeByYear = new Map(facts.years.map((year) => [year.startMs, year.active]))
  return {
    /** `stats.totalUsers`, always a number. */
    inStats: publishedTotalUsers(accounts.total, mode),
    accounts: published(accounts.total),
    windows: recordOf(PERIODS, (period) => {
      // The lists have BOUNDED_PERIODS only: for `all` nothing is at its place.
      const i = PERIODS.indexOf(period)
      const created: Pair = [countIn(accounts, period), countBefore(accounts, period)]
      return {
        newUsers: all(created, yearAgo[i]?.newUsers),
        activeUsers: all([active.inWindow[i] ?? active.all, active.before[i] ?? null], yearAgo[i]?.active),
        /** At the end of the window, and at its beginning. */
        totalUsers: all(atEnds(accounts.total, created)),
      }
    }),
    /** How many people were active in a year, by its beginning, epoch ms. */
    activeInYear: (startMs: number): PublishedCount => published(activeByYear.get(startMs) ?? 0),
    userRows: (period: Period, zone: TimeZone = UTC): RowOf<'users'>[] =>
      (buckets[PERIODS.indexOf(period)] ?? []).map((bucket) => ({
        bucket: zone.label(peopleInterval(period, mode), bucket.startMs),
        newUsers: published(bucket.newUsers),
        totalUsers: published(bucket.totalUsers),
        activeUsers: published(bucket.active),
        ideaAuthors: published(bucket.authors),
        voters: published(bucket.voters),
        commenters: published(bucket.commenters),
      })),
  }
}

interface SkippedRows {
  readonly relation: string
  readonly reason: string
  readonly rows: number
}

/**
 * Skipped rows as a manifest lists them: those of `users` are people. The number of accounts with a date to come is
 * left out: it would change within a day, with the ordinary ones that are made since its midnight.
 */
export function publishSkipped(rows: readonly SkippedRows[], mode: PeopleMode) {
  if (mode === 'exact') return rows
  return rows
    .filter(({ relation, reason }) => relation !== 'users' || reason !== FUTURE)
    .map((one) => (one.relation === 'users' ? { ...one, rows: publishedCount(one.rows, mode) } : one))
}

/** `[value, previousValue]` */
export type Pair = readonly [now: number, before: number | null]

/** The totals at `to` and at `from`: undated rows are older than every window, so the total before is what the window did not add. */
export function atEnds(total: number, [now, before]: Pair): Pair {
  return [total, before === null ? null : total - now]
}
