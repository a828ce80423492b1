// Owns the bijection between combinations and snapshot paths inside a release. Knows no file system.
import { categoryKey } from './category-name.ts'
import { EXPORT_FORMATS, EXPORT_TYPES, type ExportFormat, type ExportType, type Query } from './endpoints.ts'
import {
  BOUNDED_PERIODS,
  INTERVALS_OF,
  ownInterval,
  PERIODS,
  spanName,
  type BoundedPeriod,
  type Interval,
  type Period,
} from './windows.ts'

/**
 * What one snapshot answers: an endpoint with every parameter but `limit`, to which the proxy cuts. The timelines and the
 * outcomes of a category are the members of one snapshot, from which the proxy takes one.
 */
export type Combination =
  | { readonly endpoint: 'stats' }
  | { readonly endpoint: 'trending'; readonly period: BoundedPeriod; readonly category: string | null }
  | { readonly endpoint: 'categories'; readonly period: Period }
  | { readonly endpoint: 'timeline'; readonly period: Period; readonly interval: Interval; readonly category: null }
  | { readonly endpoint: 'outcomes'; readonly category: null }
  | { readonly endpoint: 'category'; readonly category: string }
  | {
      readonly endpoint: 'export'
      readonly type: ExportType
      readonly period: Period
      /** As in a query. */
      readonly interval?: 'day'
      readonly format: ExportFormat
    }

type Part = Combination['endpoint']

/**
 * @param query `category` must be a published name or null
 * @param keyOf where there is a manifest, its keys: another Node.js may compute another key
 */
export function snapshotPath(query: Combination | Query, keyOf: (name: string) => string = categoryKey): string {
  switch (query.endpoint) {
    case 'stats':
      return 'public/stats.json'
    case 'trending':
      return trendingPath(query.period, query.category === null ? null : keyOf(query.category))
    case 'categories':
      return `analytics/categories/${query.period}.json`
    case 'timeline':
      return query.category === null
        ? `analytics/timeline/${spanName(query.period, query.interval)}.json`
        : categoryPath(keyOf(query.category))
    case 'outcomes':
      return query.category === null ? 'analytics/outcomes.json' : categoryPath(keyOf(query.category))
    case 'category':
      return categoryPath(keyOf(query.category))
    case 'export': {
      const { type, period, interval = ownInterval(period), format } = query
      return `analytics/export/${type}/${spanName(period, interval)}.${format}`
    }
  }
}

function categoryPath(key: string): string {
  return `analytics/category/${key}.json`
}

function trendingPath(period: BoundedPeriod, key: string | null): string {
  return key === null ? `analytics/trending/${period}/all.json` : `analytics/trending/${period}/category/${key}.json`
}

/** The path of every combination, from the keys of the categories: nothing is hashed. */
export function* snapshotPaths(keys: readonly string[]): Generator<string> {
  for (const combination of combinations([])) yield snapshotPath(combination)
  for (const period of BOUNDED_PERIODS) for (const key of keys) yield trendingPath(period, key)
  for (const key of keys) yield categoryPath(key)
}

/** Every combination of a platform with these published categories, in a fixed order. */
export function* combinations(categories: readonly string[]): Generator<Combination> {
  yield { endpoint: 'stats' }
  for (const period of BOUNDED_PERIODS) {
    yield { endpoint: 'trending', period, category: null }
    for (const category of categories) yield { endpoint: 'trending', period, category }
  }
  for (const period of PERIODS) yield { endpoint: 'categories', period }
  for (const { period, interval } of SPANS.values()) yield { endpoint: 'timeline', period, interval, category: null }
  yield { endpoint: 'outcomes', category: null }
  for (const category of categories) yield { endpoint: 'category', category }
  for (const type of EXPORT_TYPES)
    for (const period of PERIODS)
      for (const format of EXPORT_FORMATS) yield { endpoint: 'export', type, period, format }
  for (const format of EXPORT_FORMATS)
    yield { endpoint: 'export', type: 'timeline', period: 'all', interval: 'day', format }
}

/** Every period with each of its intervals, by its name in paths. */
const SPANS: ReadonlyMap<string, { readonly period: Period; readonly interval: Interval }> = new Map(
  PERIODS.flatMap((period) => INTERVALS_OF[period].map((interval) => ({ period, interval }))).map(
    (span) => [spanName(span.period, span.interval), span] as const,
  ),
)
const SPAN = [...SPANS.keys()].join('|')
const KEY = '[a-z0-9-]*-[0-9a-f]{12}'

type CategoryOfKey = (key: string) => string | undefined
type Groups = Readonly<Record<string, string | undefined>>
type CombinationOf = (groups: Groups, categoryOfKey: CategoryOfKey) => Combination | null

const PATTERNS: Readonly<Record<Part, readonly [pattern: RegExp, combinationOf: CombinationOf]>> = {
  stats: [/^public\/stats\.json$/, () => ({ endpoint: 'stats' })],
  trending: [
    new RegExp(`^analytics/trending/(?<period>${BOUNDED_PERIODS.join('|')})/(?:all|category/(?<key>${KEY}))\\.json$`),
    ({ period, key }, categoryOfKey) => {
      const category = key === undefined ? null : categoryOfKey(key)
      return category === undefined ? null : { endpoint: 'trending', period: period as BoundedPeriod, category }
    },
  ],
  categories: [
    new RegExp(`^analytics/categories/(?<period>${PERIODS.join('|')})\\.json$`),
    ({ period }) => ({ endpoint: 'categories', period: period as Period }),
  ],
  timeline: [
    new RegExp(`^analytics/timeline/(?<span>${SPAN})\\.json$`),
    ({ span = '' }) => {
      const found = SPANS.get(span)
      return found === undefined ? null : { endpoint: 'timeline', ...found, category: null }
    },
  ],
  outcomes: [/^analytics\/outcomes\.json$/, () => ({ endpoint: 'outcomes', category: null })],
  category: [
    new RegExp(`^analytics/category/(?<key>${KEY})\\.json$`),
    ({ key = '' }, categoryOfKey) => {
      const category = categoryOfKey(key)
      return category === undefined ? null : { endpoint: 'category', category }
    },
  ],
  export: [
    new RegExp(
      `^analytics/export/(?:(?<type>${EXPORT_TYPES.join('|')})/(?<period>${PERIODS.join('|')})|(?<byDay>timeline/all-by-day))\\.(?<format>json|csv)$`,
    ),
    ({ type, period, byDay, format }) =>
      byDay === undefined
        ? { endpoint: 'export', type: type as ExportType, period: period as Period, format: format as ExportFormat }
        : { endpoint: 'export', type: 'timeline', period: 'all', interval: 'day', format: format as ExportFormat },
  ],
}

/**
 * The combination whose snapshot has this path, or null.
 * @param categoryOfKey resolves a key to the published name (the manifest has the table)
 */
export function combinationAt(path: string, categoryOfKey: CategoryOfKey): Combination | null {
  for (const [pattern, combinationOf] of Object.values(PATTERNS)) {
    const found = pattern.exec(path)
    if (found !== null) return combinationOf(found.groups ?? {}, categoryOfKey)
  }
  return null
}
