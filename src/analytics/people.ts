// Owns the numbers of people as a release publishes them: facts in, each number rounded once, last. Knows no document.
import type { RowOf } from '../contract/kinds/tables.ts'
import type { UserFacts } from '../model/facts.ts'
import { recordOf } from '../model/record-of.ts'
import { UTC, type TimeZone } from '../contract/time-zone.ts'
import { publishedCount, publishedTotalUsers, type PeopleMode, type PublishedCount } from '../contract/people.ts'
import {
  BOUNDED_PERIODS,
  countBefore,
  countIn,
  FUTURE,
  PERIODS,
  type Period,
  type WindowedCounts,
} from '../contract/windows.ts'

/** `[value, previousValue]` */
type Pair<N> = readonly [N, N | null]

/** `totalUsers` are at its end and at its beginning. */
type WindowPeople = Readonly<Record<'newUsers' | 'activeUsers' | 'totalUsers', Pair<PublishedCount>>>

type BucketPeople = { readonly startMs: number } & Readonly<
  Record<keyof Omit<RowOf<'users'>, 'bucket'>, PublishedCount>
>

/** All of them: what is derived is derived from these. */
export interface PublishedPeople {
  /** `stats.totalUsers`, always a number. */
  readonly inStats: number
  readonly accounts: PublishedCount
  readonly windows: Readonly<Record<Period, WindowPeople>>
  /** Of the windows of a year ago; null = not published as a number, or of `all`. */
  readonly yearAgo: Readonly<Record<Period, Readonly<Record<'newUsers' | 'activeUsers', PublishedCount>>>>
  /** Active ones by the beginning of a year, epoch ms. */
  readonly activeByYear: ReadonlyMap<number, PublishedCount>
  readonly buckets: Readonly<Record<Period, readonly BucketPeople[]>>
}

export function publishPeople(facts: UserFacts, mode: PeopleMode): PublishedPeople {
  const published = (people: number): PublishedCount => publishedCount(people, mode)
  const pair = ([now, before]: Pair<number>): Pair<PublishedCount> => [
    published(now),
    before === null ? null : published(before),
  ]
  return {
    inStats: publishedTotalUsers(facts.accounts.total, mode),
    accounts: published(facts.accounts.total),
    windows: recordOf(PERIODS, (period) => ({
      newUsers: pair(inWindow(facts.accounts, period)),
      activeUsers: pair(activeUsers(facts, period)),
      totalUsers: pair(atEnds(facts.accounts.total, inWindow(facts.accounts, period))),
    })),
    yearAgo: recordOf(PERIODS, (period) => {
      const ago = period === 'all' ? null : facts.yearAgo[BOUNDED_PERIODS.indexOf(period)]
      return {
        newUsers: ago == null ? null : published(ago.newUsers),
        activeUsers: ago == null ? null : published(ago.active),
      }
    }),
    activeByYear: new Map(facts.years.map(({ startMs, active }) => [startMs, published(active)])),
    buckets: recordOf(PERIODS, (period) =>
      (facts.buckets[PERIODS.indexOf(period)] ?? []).map((bucket) => ({
        startMs: bucket.startMs,
        newUsers: published(bucket.newUsers),
        totalUsers: published(bucket.totalUsers),
        activeUsers: published(bucket.active),
        ideaAuthors: published(bucket.authors),
        voters: published(bucket.voters),
        commenters: published(bucket.commenters),
      })),
    ),
  }
}

interface SkippedRows {
  readonly relation: string
  readonly reason: string
  readonly rows: number
}

/**
 * Skipped rows as a manifest lists them: those of `users` are people. How many accounts have a date to come would change
 * within a day, with the ordinary ones that are made since its midnight.
 */
export function publishSkipped(
  rows: readonly SkippedRows[],
  mode: PeopleMode,
): readonly (Omit<SkippedRows, 'rows'> & { readonly rows: PublishedCount })[] {
  if (mode === 'exact') return rows
  return rows
    .filter(({ relation, reason }) => relation !== 'users' || reason !== FUTURE)
    .map((one) => (one.relation === 'users' ? { ...one, rows: publishedCount(one.rows, mode) } : one))
}

function inWindow(counts: WindowedCounts, period: Period): Pair<number> {
  return [countIn(counts, period), countBefore(counts, period)]
}

/** At `to` and at `from`: undated rows are older than every window, so the total before is what the window did not add. */
export function atEnds(total: number, [now, before]: Pair<number>): Pair<number> {
  return [total, before === null ? null : total - now]
}

function activeUsers({ active }: UserFacts, period: Period): Pair<number> {
  if (period === 'all') return [active.all, null]
  const i = BOUNDED_PERIODS.indexOf(period)
  return [active.inWindow[i] ?? 0, active.before[i] ?? 0]
}

export function userRows(period: Period, people: PublishedPeople, zone: TimeZone = UTC): RowOf<'users'>[] {
  return people.buckets[period].map(({ startMs, ...counts }) => ({ bucket: zone.timestamp(startMs), ...counts }))
}
