// Owns the answers under /api: the order of checks, endpoints, preconditions. Decides; writes nothing.
import { contentHash } from '../contract/documents.ts'
import { endpointAt, OPENAPI_PATH, type Endpoint } from '../contract/endpoints.ts'
import { openApiDocument } from '../contract/openapi.ts'
import { parseQuery } from '../contract/parse-query.ts'
import {
  ALLOWED_METHODS,
  badParameters,
  contentTooLarge,
  internalError,
  methodNotAllowed,
  notFound,
  rateLimitExceeded,
} from '../contract/problems.ts'
import type { Log } from '../process/log.ts'
import { ReleaseError, type Coding } from '../release/open.ts'
import {
  bytesBody,
  codingHeaders,
  JSON_TYPE,
  NO_BODY,
  NOSNIFF,
  NO_STORE,
  problemAnswer,
  type Answer,
  type Body,
  type Headers,
} from './answer.ts'
import { ageHeaders, apiHeaders, PREFLIGHT } from './api-headers.ts'
import { PREPARED_BYTES, type Bodies, type Variant } from './bodies.ts'
import type { Choices } from './choices.ts'
import type { ClientKey } from './client-key.ts'
import { notModified } from './conditional.ts'
import { bestFile, preferredCodings } from './negotiate.ts'
import { StampedBody } from './fresh-timestamp.ts'
import { retryAfterSeconds, type RateLimiter, type RateState } from './rate-limit.ts'
import type { LoadedRelease, ReleaseWatcher } from './release-watcher.ts'
import type { RequestHead } from './request-head.ts'
import type { SnapshotStore } from './snapshot-store.ts'

export interface ApiContext {
  readonly watcher: ReleaseWatcher
  readonly store: SnapshotStore
  readonly bodies: Bodies
  readonly choices: Choices
  readonly limiter: RateLimiter
  readonly limit: number
  readonly windowMs: number
  readonly log: Log
  /** The wall clock, epoch ms. */
  readonly nowMs: () => number
}

export function isApiPath(path: string): boolean {
  return path.startsWith('/api') && (path.length === 4 || path[4] === '/')
}

/** Synchronous when limiter and body are at hand, which is nearly always. */
export function answerApi(request: RequestHead, client: ClientKey, context: ApiContext): Answer | Promise<Answer> {
  const counts = (request.method === 'GET' || request.method === 'HEAD') && request.path !== OPENAPI_PATH
  const state = counts ? context.limiter.take(client) : context.limiter.peek(client)
  return state instanceof Promise
    ? state.then((known) => answerSafely(request, context, known, counts))
    : answerSafely(request, context, state, counts)
}

/** Whatever is thrown inside, the client gets the API's JSON with its headers; the stack goes to the log. */
function answerSafely(
  request: RequestHead,
  context: ApiContext,
  state: RateState,
  counts: boolean,
): Answer | Promise<Answer> {
  const headers = apiHeaders(context.limit, state, context.nowMs())
  const unexpected = (error: unknown): Answer => {
    context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
    return problemAnswer(internalError('unexpected'), headers)
  }
  try {
    const answer = answerWithin(request, context, state, counts, headers)
    return answer instanceof Promise ? answer.catch(unexpected) : answer
  } catch (error) {
    return unexpected(error)
  }
}

// The order is API.md's: OPTIONS, limit, path, method, body, parameters, release, preconditions.
function answerWithin(
  request: RequestHead,
  context: ApiContext,
  state: RateState,
  counts: boolean,
  headers: Headers,
): Answer | Promise<Answer> {
  const { method, path, query, hasBody } = request
  if (method === 'OPTIONS') return preflight(headers, hasBody)
  if (counts && !state.allowed) {
    const seconds = retryAfterSeconds(state.resetInMs)
    const problem = rateLimitExceeded(context.limit, context.windowMs, seconds)
    return problemAnswer(problem, [...headers, 'Retry-After', String(seconds)], hasBody)
  }
  const endpoint = endpointAt(path)
  if (endpoint === null && path !== OPENAPI_PATH) return problemAnswer(notFound(), headers, hasBody)
  if (method !== 'GET' && method !== 'HEAD')
    return problemAnswer(methodNotAllowed(method), [...headers, 'Allow', ALLOWED_METHODS], hasBody)
  if (hasBody) return problemAnswer(contentTooLarge(), headers, true)
  if (endpoint === null) return openApi(request, headers)
  const { release } = context.watcher
  if (release === null) return withoutRelease(endpoint, query, headers)
  return answerQuery(endpoint, release, request, context, headers)
}

/** Bad parameters are bad without a release, too. */
function withoutRelease(endpoint: Endpoint, query: string, headers: Headers): Answer {
  const parsed = parseQuery(endpoint, query)
  return problemAnswer(parsed.ok ? internalError('no release') : badParameters(parsed.bad), headers)
}

export function preflight(headers: Headers, hasBody: boolean): Answer {
  return {
    status: 204,
    headers: [...headers, ...PREFLIGHT, ...NO_STORE],
    body: NO_BODY,
    ...(hasBody ? { close: true } : {}),
  }
}

const OPENAPI = JSON.stringify(openApiDocument())
const OPENAPI_ETAG = `W/"${contentHash({ text: OPENAPI }).slice(0, 32)}"`

function openApi(request: RequestHead, headers: Headers): Answer {
  const own: Headers = [...headers, ...NOSNIFF, 'ETag', OPENAPI_ETAG, 'Cache-Control', 'private, max-age=60']
  if (notModified({ etag: OPENAPI_ETAG, lastModified: '' }, request.ifNoneMatch, undefined))
    return { status: 304, headers: own, body: NO_BODY }
  return { status: 200, headers: [...JSON_TYPE, ...own], body: bytesBody(OPENAPI) }
}

function answerQuery(
  endpoint: Endpoint,
  release: LoadedRelease,
  request: RequestHead,
  context: ApiContext,
  headers: Headers,
): Answer | Promise<Answer> {
  const choice = context.choices.of(release, endpoint, request.query)
  if ('bad' in choice) return problemAnswer(badParameters(choice.bad), headers)
  if ('missing' in choice) {
    context.log.error({ id: release.id, query: choice.missing }, 'the manifest lists no snapshot for this combination')
    return problemAnswer(internalError('damaged'), headers)
  }
  const age = ageHeaders(release, context.nowMs())
  const { lastModified } = release
  if (notModified({ etag: choice.etag, lastModified }, request.ifNoneMatch, request.ifModifiedSince))
    return { status: 304, headers: [...headers, ...choice.headers, ...age], body: NO_BODY }

  const ok = (body: Body): Answer => ({
    status: 200,
    headers: [...choice.typeHeaders, ...codingHeaders(body), ...headers, ...choice.headers, ...age],
    body,
  })
  if ('text' in choice) return ok({ kind: 'prepared', body: new StampedBody(Buffer.from(choice.text, 'utf8'), null) })
  const failed = (error: unknown): Promise<Answer> => afterFailure(error, endpoint, release, request, context, headers)
  try {
    const body = bodyOf(choice.variant, preferredCodings(request.acceptEncoding), context)
    return body instanceof Promise ? body.then(ok, failed) : ok(body)
  } catch (error) {
    return failed(error)
  }
}

function bodyOf(variant: Variant, codings: readonly Coding[], { bodies, store }: ApiContext): Body | Promise<Body> {
  const { id, file, limit } = variant
  if (limit === null && file.bytes > PREPARED_BYTES) {
    const { coding, from } = bestFile(file, store.siblings ? codings : [])
    const stamped = !file.path.endsWith('.csv')
    return store.stream(id, from).then((stream) => ({ kind: 'stream', bytes: from.bytes, stamped, coding, stream }))
  }
  const body = bodies.get(variant, codings[0] ?? null)
  return body instanceof Promise
    ? body.then((ready) => ({ kind: 'prepared', body: ready }))
    : { kind: 'prepared', body }
}

/** A snapshot is missing: perhaps its release was just replaced and removed. `current` is resolved once more. */
async function afterFailure(
  error: unknown,
  endpoint: Endpoint,
  release: LoadedRelease,
  request: RequestHead,
  context: ApiContext,
  headers: Headers,
): Promise<Answer> {
  if (!(error instanceof ReleaseError)) throw error
  await context.watcher.look()
  const now = context.watcher.release
  if (now !== null && now.id !== release.id) return answerQuery(endpoint, now, request, context, headers)
  context.log.error({ id: release.id }, error.message)
  return problemAnswer(internalError('damaged'), headers)
}
