// Owns the headers of the API plane: CORS, rate limit, validators, freshness. Pure.
import { API_HEADERS } from '../contract/openapi.ts'
import { ALLOWED_METHODS } from '../contract/problems.ts'
import type { Headers } from './answer.ts'
import { resetUnixSeconds, type RateState } from './rate-limit.ts'
import type { LoadedRelease } from './release-watcher.ts'

const CORS: Headers = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  [...Object.keys(API_HEADERS).filter((name) => name !== 'Last-Modified'), 'Content-Disposition', 'Allow', 'Date'].join(
    ', ',
  ),
]

/** CORS and the client's rate limit: on every response of the API plane whose head could be read. */
export function apiHeaders(limit: number, state: RateState, nowMs: number): Headers {
  return [
    ...CORS,
    'X-RateLimit-Limit',
    String(limit),
    'X-RateLimit-Remaining',
    String(state.remaining),
    'X-RateLimit-Reset',
    String(resetUnixSeconds(nowMs, state.resetInMs)),
  ]
}

/** For heads that could not be read: no client, so no rate limit. */
export function corsHeaders(): Headers {
  return CORS
}

export const PREFLIGHT: Headers = [
  'Access-Control-Allow-Methods',
  ALLOWED_METHODS,
  'Access-Control-Allow-Headers',
  '*',
  'Access-Control-Max-Age',
  '86400',
]

/** A cache may hold an answer until the next update is due, and never longer than a minute. */
export function maxAgeSeconds(release: LoadedRelease, nowMs: number): number {
  return Math.min(60, Math.max(0, Math.floor((release.nextUpdateAtMs - nowMs) / 1000)))
}

/** What a 200 and its 304 say of the release and the variant: as long as the release is current, the same. */
export function validatorHeaders(release: LoadedRelease, etag: string): Headers {
  return [
    'ETag',
    etag,
    'Last-Modified',
    release.lastModified,
    'X-Data-As-Of',
    release.manifest.dataAsOf,
    'X-Snapshot-Id',
    release.id,
    'Vary',
    'Accept-Encoding',
  ]
}

/** What a 200 and its 304 say of the release's age. */
export function ageHeaders(release: LoadedRelease, nowMs: number): Headers {
  return [
    ...(nowMs > release.staleAtMs ? ['X-Data-Stale', 'true'] : []),
    'Cache-Control',
    `private, max-age=${maxAgeSeconds(release, nowMs)}`,
  ]
}
