// Owns when an origin is asked again for the current manifest. Pure.

/** Where the answer of the origin has no max-age. */
const UNSAID_MS = 10_000
/** At most: a long max-age of a cache must not make new releases come an hour late. */
const MAX_MS = 60_000
const MIN_MS = 1_000
/** After a failure, and after a copy that its cache calls stale: it is fetching a new one. Twice as long each time. */
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 10_000

/**
 * What is left of the answer's max-age: a cache in between gives the same until then. nextUpdateAt is no better: a build
 * is published some time after it, and a rollback or a closed site comes at any time.
 * @returns null = it is stale already
 */
export function goodForMs(cacheControl: string | undefined, age: string | undefined): number | null {
  const control = (cacheControl ?? '').toLowerCase()
  const maxAge = /(?:^|[\s,])max-age="?(\d+)/.exec(control)?.[1]
  if (maxAge === undefined || /(?:^|[\s,])no-(?:cache|store)/.test(control)) return UNSAID_MS
  const ageMs = /^\d+$/.test(age ?? '') ? Number(age) * 1000 : 0
  const maxAgeMs = Number(maxAge) * 1000
  if (maxAgeMs === 0) return UNSAID_MS
  if (ageMs >= maxAgeMs) return null
  return Math.min(MAX_MS, Math.max(MIN_MS, maxAgeMs - ageMs))
}

/** @param times in a row, 1 = the first */
export function retryMs(times: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1))
}
