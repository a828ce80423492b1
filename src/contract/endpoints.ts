// Owns the table of the six endpoints and their parameters: the one place where the public API is declared.
import { BOUNDED_PERIODS, INTERVALS, PERIODS, type BoundedPeriod, type Interval, type Period } from './windows.ts'

export const VERSION = '1.0'
export const EXPORT_TYPES = ['overview', 'ideas', 'users', 'categories', 'timeline', 'outcomes', 'history'] as const
export type ExportType = (typeof EXPORT_TYPES)[number]
export const EXPORT_FORMATS = ['json', 'csv'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]
export const MAX_TRENDING = 100

/**
 * How a parameter is read; every parameter is optional. `category` is a category name, null without one. Which values of
 * `interval` are allowed, and which is the default, follows from the parameters before it.
 */
export type Parameter = { readonly name: string; readonly description: string } & (
  | { readonly kind: 'enum'; readonly values: readonly string[]; readonly default: string }
  | { readonly kind: 'integer'; readonly min: number; readonly max: number; readonly default: number }
  | { readonly kind: 'category' }
  | { readonly kind: 'interval'; readonly values: readonly Interval[] }
)

export type EndpointName = 'stats' | 'trending' | 'categories' | 'timeline' | 'outcomes' | 'export'

export interface Endpoint {
  readonly name: EndpointName
  readonly path: string
  readonly summary: string
  readonly parameters: readonly Parameter[]
}

const anyPeriod: Parameter = {
  name: 'period',
  kind: 'enum',
  values: PERIODS,
  default: '30d',
  description: 'The window [dataAsOf - period, dataAsOf); `all` is everything before dataAsOf.',
}

const INTERVAL_RULE =
  'The width of a bucket: `hour` for 24h; `day` for 7d, 30d and 90d; `month` (the default) or `day` for all.'

export const ENDPOINTS: Readonly<Record<EndpointName, Endpoint>> = {
  stats: {
    name: 'stats',
    path: '/api/public/stats',
    summary: 'Platform totals and ratios',
    parameters: [],
  },
  trending: {
    name: 'trending',
    path: '/api/analytics/trending',
    summary: 'Ideas with most engagement in a period',
    parameters: [
      {
        ...anyPeriod,
        values: BOUNDED_PERIODS,
        default: '7d',
        description: 'The window [dataAsOf - period, dataAsOf).',
      },
      {
        name: 'category',
        kind: 'category',
        description: 'Only ideas of this category; a name that no idea has gives an empty list.',
      },
      {
        name: 'limit',
        kind: 'integer',
        min: 1,
        max: MAX_TRENDING,
        default: 20,
        description: 'How many ideas at most.',
      },
    ],
  },
  categories: {
    name: 'categories',
    path: '/api/analytics/categories',
    summary: 'Ideas, votes and comments by category',
    parameters: [anyPeriod],
  },
  timeline: {
    name: 'timeline',
    path: '/api/analytics/timeline',
    summary: 'Ideas, votes, comments and launches over time',
    parameters: [
      anyPeriod,
      {
        name: 'category',
        kind: 'category',
        description: 'Only ideas of this category; a name that no idea has gives buckets of zeros.',
      },
      {
        name: 'interval',
        kind: 'interval',
        values: INTERVALS,
        description: `${INTERVAL_RULE} With a category, all is by month only.`,
      },
    ],
  },
  outcomes: {
    name: 'outcomes',
    path: '/api/analytics/outcomes',
    summary: 'What became of the ideas, by status and by month of creation',
    parameters: [
      {
        name: 'category',
        kind: 'category',
        description: 'Only ideas of this category; a name that no idea has gives empty lists.',
      },
    ],
  },
  export: {
    name: 'export',
    path: '/api/analytics/export',
    summary: 'Whole tables as JSON or CSV',
    parameters: [
      {
        name: 'format',
        kind: 'enum',
        values: EXPORT_FORMATS,
        default: 'json',
        description: 'JSON or CSV (RFC 4180).',
      },
      { name: 'type', kind: 'enum', values: EXPORT_TYPES, default: 'overview', description: 'Which table.' },
      anyPeriod,
      {
        name: 'interval',
        kind: 'interval',
        values: INTERVALS,
        description: `Of the type timeline only, ignored with any other. ${INTERVAL_RULE}`,
      },
    ],
  },
}

export const OPENAPI_PATH = '/api/openapi.json'

/** A validated request: raw input is gone. */
export type Query =
  | { readonly endpoint: 'stats' }
  | {
      readonly endpoint: 'trending'
      readonly period: BoundedPeriod
      readonly category: string | null
      readonly limit: number
    }
  | { readonly endpoint: 'categories'; readonly period: Period }
  | {
      readonly endpoint: 'timeline'
      readonly period: Period
      readonly category: string | null
      readonly interval: Interval
    }
  | { readonly endpoint: 'outcomes'; readonly category: string | null }
  | {
      readonly endpoint: 'export'
      readonly format: ExportFormat
      readonly type: ExportType
      readonly period: Period
      /** Of the timeline of `all`, by day; absent = the period's own. */
      readonly interval?: 'day'
    }
