// Owns the shapes of the documents. Knows neither how they are computed nor where they are stored.
import type { ExportType } from './endpoints.ts'
import type { Timestamp } from './timestamp.ts'
import type { BoundedPeriod, Period } from './windows.ts'

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

/** `analytics-<type>-<period>-<YYYYMMDD>T<HHMMSS>Z.csv` */
export function csvFileName(type: ExportType, period: Period, dataAsOf: Timestamp): string {
  return `analytics-${type}-${period}-${dataAsOf.slice(0, 19).replaceAll(/[-:]/g, '')}Z.csv`
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
