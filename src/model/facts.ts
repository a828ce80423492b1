// Owns the shape in which a source hands its rows to analytics. Types only; knows neither SQL nor documents.
import type { WindowedCounts } from '../contract/windows.ts'
import type { RowsByMonth } from './rows-by-month.ts'
import type { CountedEvents } from './time-cells.ts'

/** One idea with every count, all times in epoch milliseconds, nothing dated at or after dataAsOf. */
export interface IdeaFacts {
  readonly id: string
  readonly title: string
  readonly createdAtMs: number
  readonly launched: boolean
  /** null unless launched and dated before dataAsOf. */
  readonly launchedAtMs: number | null
  readonly url: string | null
  readonly status: string | null
  /** Published names (category-name.ts), distinct, in name order; empty = no category. */
  readonly categories: readonly string[]
  readonly votes: EventCounts
  readonly comments: EventCounts
}

/** The votes or the comments of one idea. */
export interface EventCounts extends WindowedCounts {
  /** How many are dated at or after each cut of the read: its own, and that of the current release where there is one. */
  readonly sinceCuts: readonly number[]
}

/** Active users of a window (docs/glossary.md), by what they did. */
export interface ActiveUserCounts {
  readonly active: number
  readonly authors: number
  readonly voters: number
  readonly commenters: number
}

/** What is known about accounts and active users: exact, as of the instant of the numbers of people (people.ts). */
export interface UserFacts {
  readonly accounts: WindowedCounts
  /** Accounts created since that instant, before dataAsOf: they are in no other count. */
  readonly laterAccounts: number
  /** `inWindow[i]` counts the window of `BOUNDED_PERIODS[i]`, `before[i]` the window before it. */
  readonly active: { readonly inWindow: readonly number[]; readonly before: readonly number[]; readonly all: number }
  /** The counts in the window of a year ago, for each of BOUNDED_PERIODS. */
  readonly yearAgo: readonly { readonly newUsers: number; readonly active: number }[]
  /** How many people were active in each year, ascending. */
  readonly years: readonly { readonly startMs: number; readonly active: number }[]
  /** The buckets of each of PERIODS, in the order of bucketsOf(period). */
  readonly buckets: readonly (readonly BucketUsers[])[]
}

export interface BucketUsers extends ActiveUserCounts {
  readonly startMs: number
  readonly newUsers: number
  /** Accounts created before the bucket's end. */
  readonly totalUsers: number
}

/** How many categories have pages: a search engine reads no more in a language, and a release must not have too many files. */
export const CATEGORIES_WITH_PAGES = 100

/** Everything that one read counts. */
export interface Counted {
  /** How many ideas the source returns: some may not count. */
  readonly ideas: number
  readonly events: CountedEvents
  readonly users: UserFacts
  /** The published names of the categories with most ideas, at most CATEGORIES_WITH_PAGES, the largest first. */
  readonly largestCategories: readonly string[]
  /** The month in which the timelines begin, epoch ms; null = nothing has a date. */
  readonly firstMonthMs: number | null
  /** The people by month before each cut of the read. */
  readonly peopleMonths: readonly Pick<RowsByMonth['relations'], 'users' | 'activeUsers'>[]
}
