// Owns the bijection between combinations and snapshot paths inside a release. Knows no file system.
import { categoryKey } from './category-name.ts'
import {
  EXPORT_FORMATS,
  EXPORT_TYPES,
  type ExportFormat,
  type EndpointName,
  type ExportType,
  type Query,
} from './endpoints.ts'
import { BOUNDED_PERIODS, PERIODS, type BoundedPeriod, type Period } from './windows.ts'

/** What one snapshot answers: an endpoint with every parameter but `limit`, to which the proxy cuts. */
export type Combination =
  | { readonly endpoint: 'stats' }
  | { readonly endpoint: 'trending'; readonly period: BoundedPeriod; readonly category: string | null }
  | { readonly endpoint: 'categories'; readonly period: Period }
  | { readonly endpoint: 'export'; readonly type: ExportType; readonly period: Period; readonly format: ExportFormat }

/**
 * @param query for trending, `category` must be a published name or null
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
    case 'export':
      return `analytics/export/${query.type}/${query.period}.${query.format}`
  }
}

function trendingPath(period: BoundedPeriod, key: string | null): string {
  return key === null ? `analytics/trending/${period}/all.json` : `analytics/trending/${period}/category/${key}.json`
}

/** The path of every combination, from the keys of the categories: nothing is hashed. */
export function* snapshotPaths(keys: readonly string[]): Generator<string> {
  for (const combination of combinations([])) yield snapshotPath(combination)
  for (const period of BOUNDED_PERIODS) for (const key of keys) yield trendingPath(period, key)
}

/** Every combination of a platform with these published categories, in a fixed order. */
export function* combinations(categories: readonly string[]): Generator<Combination> {
  yield { endpoint: 'stats' }
  for (const period of BOUNDED_PERIODS) {
    yield { endpoint: 'trending', period, category: null }
    for (const category of categories) yield { endpoint: 'trending', period, category }
  }
  for (const period of PERIODS) yield { endpoint: 'categories', period }
  for (const type of EXPORT_TYPES)
    for (const period of PERIODS)
      for (const format of EXPORT_FORMATS) yield { endpoint: 'export', type, period, format }
}

type CategoryOfKey = (key: string) => string | undefined
type Groups = Readonly<Record<string, string | undefined>>
type CombinationOf = (groups: Groups, categoryOfKey: CategoryOfKey) => Combination | null

const PATTERNS: Readonly<Record<EndpointName, readonly [pattern: RegExp, combinationOf: CombinationOf]>> = {
  stats: [/^public\/stats\.json$/, () => ({ endpoint: 'stats' })],
  trending: [
    new RegExp(
      `^analytics/trending/(?<period>${BOUNDED_PERIODS.join('|')})/(?:all|category/(?<key>[a-z0-9-]*-[0-9a-f]{12}))\\.json$`,
    ),
    ({ period, key }, categoryOfKey) => {
      const category = key === undefined ? null : categoryOfKey(key)
      return category === undefined ? null : { endpoint: 'trending', period: period as BoundedPeriod, category }
    },
  ],
  categories: [
    new RegExp(`^analytics/categories/(?<period>${PERIODS.join('|')})\\.json$`),
    ({ period }) => ({ endpoint: 'categories', period: period as Period }),
  ],
  export: [
    new RegExp(
      `^analytics/export/(?<type>${EXPORT_TYPES.join('|')})/(?<period>${PERIODS.join('|')})\\.(?<format>json|csv)$`,
    ),
    ({ type, period, format }) => ({
      endpoint: 'export',
      type: type as ExportType,
      period: period as Period,
      format: format as ExportFormat,
    }),
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
