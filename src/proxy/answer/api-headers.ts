// Owns the headers of the API plane, and the answer to a client over its limit: CORS, rate limit, validators, freshness. Pure.
import { TOO_MANY_STREAMS, STREAMS_RETRY_SECONDS, rateLimitExceeded, ALLOWED_METHODS } from '../../contract/problems.ts'
import { remembering } from '../../process/remembering.ts'
import type { RateState } from '../limit/rate-limit.ts'
import { API_HEADERS } from '../../contract/openapi.ts'
import { isDemo, type Manifest } from '../../release/format/manifest.ts'
import { forOthers, NO_STORE, problemAnswer, type HttpAnswer, type ErrorAnswer, type Headers } from './answer.ts'

/** What headers need to know about a release. */
export interface ServedRelease {
  readonly id: string
  readonly manifest: Manifest
  /** dataAsOf as an HTTP date (IMF-fixdate). */
  readonly lastModified: string
  readonly nextUpdateAtMs: number
  /** After this time the data is older than twice the cadence. */
  readonly staleAtMs: number
}

/** The headers on every response of the API plane. */
export const CORS: Headers = forOthers(
  // Last-Modified is on the list that every browser shows.
  [...Object.keys(API_HEADERS).filter((name) => name !== 'Last-Modified'), 'Date'].join(', '),
)

const MAY_ASK: Headers = [
  'Access-Control-Allow-Methods',
  ALLOWED_METHODS,
  'Access-Control-Allow-Headers',
  // `*` does not stand for Authorization (Fetch standard, CORS protocol). It is ignored, but some libraries always send one.
  '*, Authorization',
  'Access-Control-Max-Age',
  '86400',
]

/** The answer to OPTIONS, for every plane. */
export const PREFLIGHT: HttpAnswer = { status: 204, headers: [...MAY_ASK, ...NO_STORE], body: null }

/** Warnings about the numbers of a release, in the API and on files. */
export function noticeHeaders({ manifest }: Pick<ServedRelease, 'manifest'>): Headers {
  return [
    ...(manifest.closed === true ? ['X-Data-Closed', 'true'] : []),
    ...(isDemo(manifest) ? ['X-Demo-Data', 'true'] : []),
  ]
}

/** The headers of a 200 and its 304 that describe release and variant: constant while the release is current. */
export function validatorHeaders(release: ServedRelease, etag: string): Headers {
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
    ...noticeHeaders(release),
  ]
}

const MAX_AGE_SECONDS = 60

/**
 * The headers of a 200 and its 304 that depend on the release's age. A cache may keep an answer until the next update is
 * due, and at most a minute. Stale data is never cached.
 */
export function ageHeaders({ staleAtMs, nextUpdateAtMs }: ServedRelease, nowMs: number): Headers {
  if (nowMs > staleAtMs) return ['X-Data-Stale', 'true', 'Cache-Control', 'private, max-age=0']
  const seconds = Math.min(MAX_AGE_SECONDS, Math.max(0, Math.floor((nextUpdateAtMs - nowMs) / 1000)))
  return ['Cache-Control', `private, max-age=${seconds}`]
}

export const STREAMS_FULL: HttpAnswer = problemAnswer(TOO_MANY_STREAMS, ['Retry-After', String(STREAMS_RETRY_SECONDS)])

/** This many answers take 0.6 MiB. Few clients are over their limit at a time, and a flood of 429 must be cheap. */
const REMEMBERED = 1000

/** What clients are told about their limit. */
export function rateAnswers(limit: number, windowMs: number) {
  // The quota, and the window in seconds, as all drafts of draft-ietf-httpapi-ratelimit-headers since -08 have them.
  const policy = `"default";q=${limit};w=${Math.ceil(windowMs / 1000)}`
  const after = remembering((seconds: number): ErrorAnswer => {
    return problemAnswer(rateLimitExceeded(limit, windowMs, seconds), ['Retry-After', String(seconds)])
  }, REMEMBERED)
  return {
    /** The headers on every answer of the API plane whose head could be read. */
    headers: ({ remaining, resetInMs }: RateState, nowMs: number): Headers => [
      'X-RateLimit-Limit',
      String(limit),
      'X-RateLimit-Remaining',
      String(remaining),
      'X-RateLimit-Reset',
      // Only here does the wall clock enter: a window neither shrinks nor grows when that clock is set.
      String(Math.ceil((nowMs + resetInMs) / 1000)),
      'RateLimit-Policy',
      policy,
    ],
    /** Retry-After is never 0, which would invite the client to come back at once. */
    tooMany: (resetInMs: number): ErrorAnswer => after(Math.max(1, Math.ceil(resetInMs / 1000))),
  }
}
