// Owns the shape in which a source hands its rows to analytics. Types only; knows neither SQL nor documents.
import type { Counts } from './windows.ts'

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
  readonly votes: Counts
  readonly comments: Counts
}

/** Active users (accounts that voted, commented or submitted) of a window, by what they did. */
export interface ActiveUserCounts {
  readonly active: number
  readonly authors: number
  readonly voters: number
  readonly commenters: number
}

/** What is known of accounts and active users. */
export interface UserFacts {
  readonly accounts: Counts
  /** Active users since each edge pair: `inWindow[period]`, and `before[period]` for the previous window. */
  readonly active: { readonly inWindow: readonly number[]; readonly before: readonly number[]; readonly all: number }
  /** Per period of PERIODS, in the order of bucketsOf(period). */
  readonly buckets: readonly (readonly BucketUsers[])[]
}

export interface BucketUsers extends ActiveUserCounts {
  readonly startMs: number
  readonly newUsers: number
  /** Accounts created before the bucket's end. */
  readonly totalUsers: number
}
