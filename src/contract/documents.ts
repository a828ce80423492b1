// Owns the shapes of the documents. Knows neither how they are computed nor where they are stored.
import type { ExportType } from './endpoints.ts'
import type { Timestamp } from './timestamp.ts'
import { ownInterval, spanName, type BoundedPeriod, type Interval, type Period } from './windows.ts'

export interface StatsDocument {
  readonly stats: {
    readonly totalUsers: number
    readonly totalIdeas: number
    readonly totalVotes: number
    readonly totalComments: number
    readonly launchedIdeas: number
    readonly activeCategories: number
  }
  readonly metrics: {
    readonly avgVotesPerIdea: number
    readonly avgCommentsPerIdea: number
    readonly launchSuccessRate: number
  }
  readonly topCategories: readonly { readonly category: string; readonly count: number }[]
}

export interface TrendingIdea {
  readonly rank: number
  readonly id: string
  readonly title: string
  readonly category: string
  readonly categories: readonly string[]
  readonly status: string | null
  readonly url: string | null
  readonly score: number
  readonly votes: number
  readonly comments: number
  readonly previousScore: number
  readonly totalVotes: number
  readonly totalComments: number
  readonly createdAt: Timestamp
  readonly launchedAt: Timestamp | null
}

/** An idea with a dated launch. In no answer of the API: the site lists the newest ones. */
export interface LaunchedIdea extends Pick<
  TrendingIdea,
  'id' | 'title' | 'category' | 'categories' | 'status' | 'url' | 'createdAt'
> {
  /** Ever. */
  readonly votes: number
  readonly comments: number
  readonly launchedAt: Timestamp
}

export interface TrendingDocument {
  readonly period: BoundedPeriod
  readonly category: string | null
  readonly from: Timestamp
  readonly to: Timestamp
  readonly limit: number
  readonly count: number
  readonly ideas: readonly TrendingIdea[]
  readonly dataAsOf: Timestamp
}

export interface CategoryNumbers {
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly launchedIdeas: number
  readonly launchSuccessRate: number
  readonly avgVotesPerIdea: number
  readonly avgCommentsPerIdea: number
  readonly shareOfIdeas: number
  readonly totalIdeas: number
  readonly previousIdeas: number | null
  readonly previousVotes: number | null
  readonly previousComments: number | null
}

export interface CategoryRow extends CategoryNumbers {
  readonly category: string
}

export interface CategoriesDocument {
  readonly period: Period
  readonly from: Timestamp | null
  readonly to: Timestamp
  readonly count: number
  readonly categories: readonly CategoryRow[]
  readonly totals: CategoryNumbers
  readonly dataAsOf: Timestamp
}

/** What a timeline counts: ideas created, votes and comments cast, ideas launched. */
export interface TimelineCounts {
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly launchedIdeas: number
}

/** The counts inside bucket and window; the totals are at the bucket's end, of the rows that exist now. */
export interface TimelineBucket extends TimelineCounts {
  readonly bucket: Timestamp
  readonly totalIdeas: number
  readonly totalVotes: number
  readonly totalComments: number
  readonly totalLaunchedIdeas: number
}

export interface TimelineDocument {
  readonly period: Period
  readonly interval: Interval
  readonly category: string | null
  readonly from: Timestamp | null
  readonly to: Timestamp
  readonly count: number
  readonly buckets: readonly TimelineBucket[]
  /** In totals, but in no bucket; of a category its own. */
  readonly undated: TimelineCounts
  readonly dataAsOf: Timestamp
}

export interface StatusRow {
  /** null, last = ideas without a status. */
  readonly status: string | null
  readonly ideas: number
  readonly votes: number
  readonly comments: number
  readonly shareOfIdeas: number
}

export interface Launched {
  readonly ideas: number
  readonly votes: number
  readonly shareOfVotes: number
  /** Those whose launch and creation have a date: the median and p90 are of them. */
  readonly dated: number
  readonly medianDays: number | null
  readonly p90Days: number | null
}

/** The ideas created in one UTC month. */
export interface Cohort {
  /** When the month begins; null, last = ideas without a date. */
  readonly month: Timestamp | null
  readonly ideas: number
  readonly votedIdeas: number
  readonly discussedIdeas: number
  readonly launchedIdeas: number
  /** null = not known (yet). */
  readonly launchedWithin30Days: number | null
  readonly launchedWithin90Days: number | null
  readonly launchedWithin365Days: number | null
}

export interface OutcomesDocument {
  readonly category: string | null
  readonly statuses: readonly StatusRow[]
  readonly launched: Launched
  readonly cohorts: readonly Cohort[]
  readonly dataAsOf: Timestamp
}

/** The snapshot of a category: answers without the keys that end each of them, and those keys once. */
export interface CategoryFile {
  readonly timelines: Readonly<Record<Period, Omit<TimelineDocument, 'dataAsOf'>>>
  readonly outcomes: Omit<OutcomesDocument, 'dataAsOf'>
  readonly dataAsOf: Timestamp
}

/** The rows of `overview`, in order. */
export const OVERVIEW_METRICS = [
  'newUsers',
  'activeUsers',
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
  'activeCategories',
  'avgVotesPerIdea',
  'avgCommentsPerIdea',
  'launchSuccessRate',
  'totalUsers',
  'totalIdeas',
  'totalVotes',
  'totalComments',
  'totalLaunchedIdeas',
] as const

/** The columns that hold free text; every other cell is a number, a time or empty. */
export const TEXT_COLUMNS: ReadonlySet<string> = new Set(['metric', 'id', 'title', 'category', 'status', 'url'])

export type Cell = string | number | boolean | null

/** One row of an export: the columns of its type, in their order. */
export type ExportRow = Readonly<Record<string, Cell>>

/** The keys of an export document before its rows. */
export interface ExportHead {
  readonly type: ExportType
  readonly period: Period
  readonly from: Timestamp | null
  readonly to: Timestamp
}

/** `analytics-<type>-<period>-<YYYYMMDD>T<HHMMSS>Z.csv`; of all by day `analytics-timeline-all-by-day-…` */
export function csvFileName(
  type: ExportType,
  period: Period,
  dataAsOf: Timestamp,
  interval: Interval = ownInterval(period),
): string {
  return `analytics-${type}-${spanName(period, interval)}-${dataAsOf.slice(0, 19).replaceAll(/[-:]/g, '')}Z.csv`
}

/** Cuts a trending snapshot, which has up to 100 ideas, to the `limit` of a query. */
export function cutTrending(document: TrendingDocument, limit: number): TrendingDocument {
  const ideas = document.ideas.slice(0, limit)
  return { ...document, limit, count: ideas.length, ideas }
}

/** The answer for a category that no idea has: an ordinary document with nothing in it. */
export function emptyTrending(
  period: BoundedPeriod,
  category: string,
  window: { readonly from: Timestamp; readonly to: Timestamp },
  limit: number,
): TrendingDocument {
  return { period, category, ...window, limit, count: 0, ideas: [], dataAsOf: window.to }
}

/** One timeline of a category; null = its file has none of this period. */
export function timelineIn({ timelines, dataAsOf }: CategoryFile, period: Period): TimelineDocument | null {
  const timeline = timelines[period] as CategoryFile['timelines'][Period] | undefined
  return timeline === undefined ? null : { ...timeline, dataAsOf }
}

export function outcomesIn({ outcomes, dataAsOf }: CategoryFile): OutcomesDocument {
  return { ...outcomes, dataAsOf }
}

const NOTHING_COUNTED: TimelineCounts = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }

/**
 * The answer for a category that no idea has: the buckets of the site, with nothing in them.
 * @param site of all ideas, for the same period: where the buckets of `all` begin is the same under every filter
 */
export function emptyTimeline(site: TimelineDocument, category: string): TimelineDocument {
  const buckets = site.buckets.map(({ bucket }) => ({
    bucket,
    ...NOTHING_COUNTED,
    totalIdeas: 0,
    totalVotes: 0,
    totalComments: 0,
    totalLaunchedIdeas: 0,
  }))
  return { ...site, category, buckets, undated: NOTHING_COUNTED }
}

/** The same of the outcomes: an ordinary document with nothing in it. */
export function emptyOutcomes(category: string, dataAsOf: Timestamp): OutcomesDocument {
  const launched: Launched = { ideas: 0, votes: 0, shareOfVotes: 0, dated: 0, medianDays: null, p90Days: null }
  return { category, statuses: [], launched, cohorts: [], dataAsOf }
}
