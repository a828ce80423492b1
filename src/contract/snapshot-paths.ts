// Owns the bijection between combinations and snapshot paths inside a release. Knows no file system.
import { categoryKey } from './category-name.ts'
import { EXPORT_FORMATS, EXPORT_TYPES, type ExportFormat, type ExportType, type Query } from './endpoints.ts'
import { BOUNDED_PERIODS, PERIODS, type BoundedPeriod, type Period } from './windows.ts'

/** What one snapshot answers: an endpoint with every parameter but `limit`, to which the proxy cuts. */
export type Combination =
  | { readonly endpoint: 'stats' }
  | { readonly endpoint: 'trending'; readonly period: BoundedPeriod; readonly category: string | null }
  | { readonly endpoint: 'categories'; readonly period: Period }
  | { readonly endpoint: 'export'; readonly type: ExportType; readonly period: Period; readonly format: ExportFormat }

/** @param query for trending, `category` must be a published name or null */
export function snapshotPath(query: Combination | Query): string {
  switch (query.endpoint) {
    case 'stats':
      return 'public/stats.json'
    case 'trending':
      return trendingPath(query.period, query.category === null ? null : categoryKey(query.category))
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

const PATTERN = new RegExp(
  '^(?:' +
    [
      '(?<stats>public/stats\\.json)',
      `analytics/trending/(?<trending>${BOUNDED_PERIODS.join('|')})/(?:all|category/(?<key>[a-z0-9-]*-[0-9a-f]{12}))\\.json`,
      `analytics/categories/(?<categories>${PERIODS.join('|')})\\.json`,
      `analytics/export/(?<type>${EXPORT_TYPES.join('|')})/(?<period>${PERIODS.join('|')})\\.(?<format>json|csv)`,
    ].join('|') +
    ')$',
)

/**
 * The combination whose snapshot has this path, or null.
 * @param categoryOfKey resolves a key to the published name (the manifest has the table)
 */
export function combinationAt(path: string, categoryOfKey: (key: string) => string | undefined): Combination | null {
  const found = PATTERN.exec(path)?.groups
  if (found === undefined) return null
  if (found['stats'] !== undefined) return { endpoint: 'stats' }
  if (found['trending'] !== undefined) {
    const category = found['key'] === undefined ? null : categoryOfKey(found['key'])
    return category === undefined
      ? null
      : { endpoint: 'trending', period: found['trending'] as BoundedPeriod, category }
  }
  if (found['categories'] !== undefined) return { endpoint: 'categories', period: found['categories'] as Period }
  return {
    endpoint: 'export',
    type: found['type'] as ExportType,
    period: found['period'] as Period,
    format: found['format'] as ExportFormat,
  }
}
