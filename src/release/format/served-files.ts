// Owns how files of a release are served wherever they are: media type, and how long a cache may keep them. Pure.
import { siteKindOf } from '../../contract/site-paths.ts'
import { MONTH } from './manifest.ts'

export const JSON_MEDIA = 'application/json; charset=utf-8'
export const CSV_MEDIA = 'text/csv; charset=utf-8'

export function mediaTypeOf(path: string): string {
  return siteKindOf(path)?.type ?? (path.endsWith('.csv') ? CSV_MEDIA : JSON_MEDIA)
}

/** An hour, not a year: an idea that was taken down must leave the caches. */
const HOUR = 'public, max-age=3600'
const IMMUTABLE = `${HOUR}, immutable`
const CURRENT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'

/** @param name the release's or month's; null = where another release will be. The name of an asset has the hash of its bytes. */
export function cacheControlOf(path: string, name: string | null): string {
  if (name === null) return path.startsWith('assets/') ? IMMUTABLE : CURRENT
  // The archive of a month is made again after a rollback.
  return MONTH.test(name) ? HOUR : IMMUTABLE
}
