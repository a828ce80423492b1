// Owns the answers under /api: the order of checks, endpoints, preconditions. Decides; writes nothing.
import { contentHash } from '../../contract/documents.ts'
import { endpointAt, OPENAPI_PATH, type Endpoint } from '../../contract/endpoints.ts'
import { openApiDocument, RATE_HEADERS } from '../../contract/openapi.ts'
import { parseQuery } from '../../contract/parse-query.ts'
import {
  ALLOWED_METHODS,
  badParameters,
  contentTooLarge,
  internalError,
  methodNotAllowed,
  notFound,
  preconditionFailed,
} from '../../contract/problems.ts'
import type { Log } from '../../process/log.ts'
import { ReleaseError, type Coding } from '../../release/reading/open.ts'
import {
  codingHeaders,
  JSON_TYPE,
  NO_BODY,
  NOSNIFF,
  NO_STORE,
  problemAnswer,
  type Answer,
  type Body,
  type Headers,
} from '../answer/answer.ts'
import { ageHeaders, CORS, PREFLIGHT, rateHeaders, streamsFull } from '../answer/api-headers.ts'
import { PREPARED_BYTES, type Bodies, type Variant } from '../store/body-cache.ts'
import type { Choices } from './resolved-query.ts'
import type { PreparedBody } from '../answer/prepared-body.ts'
import type { ClientKey } from '../limit/client-key.ts'
import { CodedText, type CodedBody } from '../answer/coded-text.ts'
import { precondition } from '../http/preconditions.ts'
import { bestFile, preferredCodings } from '../http/negotiation.ts'
import { StampedBody } from '../answer/timestamp-splice.ts'
import type { RateLimiter, RateState } from '../limit/rate-limit.ts'
import type { Refusals } from '../answer/too-many-requests.ts'
import type { LoadedRelease, ReleaseWatcher } from '../store/release-watcher.ts'
import type { RequestHead } from '../http/head.ts'
import type { SharedHeads } from '../answer/header-cache.ts'
import { failureOf, type SnapshotStore } from '../store/snapshot-store.ts'
import { isLarge, StreamsFull, type Streams } from '../answer/streams.ts'

export interface ApiContext {
  readonly watcher: ReleaseWatcher
  readonly store: SnapshotStore
  readonly bodies: Bodies
  readonly choices: Choices
  readonly limiter: RateLimiter
  readonly limit: number
  readonly refusals: Refusals
  readonly streams: Streams
  readonly log: Log
  /** The wall clock, epoch ms. */
  readonly nowMs: () => number
}

export function isApiPath(path: string): boolean {
  return path.startsWith('/api') && (path.length === 4 || path[4] === '/')
}

/** Synchronous when limiter and body are at hand, which is nearly always. */
export function answerApi(
  request: RequestHead,
  client: ClientKey,
  context: ApiContext,
  nowMs: number,
): Answer | Promise<Answer> {
  const counts = (request.method === 'GET' || request.method === 'HEAD') && request.path !== OPENAPI_PATH
  const state = counts ? context.limiter.take(client) : context.limiter.peek(client)
  return state instanceof Promise
    ? state.then((known) => answerClient(request, client, context, known, counts, context.nowMs()))
    : answerClient(request, client, context, state, counts, nowMs)
}

/** Whatever is thrown inside, the client gets the API's JSON with its headers; the stack goes to the log. */
function answerClient(
  request: RequestHead,
  client: ClientKey,
  context: ApiContext,
  state: RateState,
  counts: boolean,
  nowMs: number,
): Answer | Promise<Answer> {
  const own = rateHeaders(context.limit, state, nowMs)
  try {
    const answer = answerWithin(request, client, context, state, counts, nowMs)
    return answer instanceof Promise
      ? answer.catch((error: unknown) => failed(error, context)).then((ready) => toClient(ready, own))
      : toClient(answer, own)
  } catch (error) {
    return toClient(failed(error, context), own)
  }
}

/** Field by field: a spread with one field more takes 0.7 µs, ten times as long. */
function toClient(answer: Answer, own: Headers): Answer {
  const { status, headers, body, close } = answer
  return { status, headers, own, body, close }
}

/** A request's body is not read. */
function closing(answer: Answer, hasBody: boolean): Answer {
  return hasBody ? { ...answer, close: true } : answer
}

function failed(error: unknown, context: ApiContext): Answer {
  if (error instanceof StreamsFull) return streamsFull(CORS)
  context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
  return problemAnswer(internalError('unexpected'), CORS)
}

// The order is API.md's: OPTIONS, limit, path, method, body, parameters, release, preconditions.
function answerWithin(
  request: RequestHead,
  client: ClientKey,
  context: ApiContext,
  state: RateState,
  counts: boolean,
  nowMs: number,
): Answer | Promise<Answer> {
  const { method, path, query, hasBody } = request
  if (method === 'OPTIONS') return preflight(CORS, hasBody)
  if (counts && !state.allowed) return closing(context.refusals.of(state.resetInMs), hasBody)
  const endpoint = endpointAt(path)
  if (endpoint === null && path !== OPENAPI_PATH) return problemAnswer(notFound(), CORS, hasBody)
  if (method !== 'GET' && method !== 'HEAD')
    return problemAnswer(methodNotAllowed(method), [...CORS, 'Allow', ALLOWED_METHODS], hasBody)
  if (hasBody) return problemAnswer(contentTooLarge(), CORS, true)
  if (endpoint === null) return openApi(request)
  const { release } = context.watcher
  if (release === null) return withoutRelease(endpoint, query)
  return answerQuery(endpoint, release, request, client, context, nowMs)
}

/** Bad parameters are bad without a release, too. */
function withoutRelease(endpoint: Endpoint, query: string): Answer {
  const parsed = parseQuery(endpoint, query)
  return problemAnswer(parsed.ok ? internalError('no release') : badParameters(parsed.bad), CORS)
}

export function preflight(headers: Headers, hasBody: boolean): Answer {
  return closing({ status: 204, headers: [...headers, ...PREFLIGHT, ...NO_STORE], body: NO_BODY }, hasBody)
}

interface Description {
  readonly etag: string
  readonly headers: Headers
  readonly text: CodedText
}

/** The same for everybody, but for who asked how often: a shared cache keeps it without that (RFC 9111 section 5.2.2.7). */
const OPENAPI_CACHE = `public, max-age=3600, private="${RATE_HEADERS.join(', ')}"`

/** Made when first asked for: few ask, and every start would wait 8 ms for it. */
let description: Description | undefined

function openApi(request: RequestHead): Answer | Promise<Answer> {
  description ??= describeApi()
  const { etag, headers, text } = description
  const met = precondition({ etag, lastModified: null }, request)
  if (met === 412) return problemAnswer(preconditionFailed(), CORS)
  if (met === 304) return { status: 304, headers, body: NO_BODY }
  const described = ({ body }: CodedBody): Answer => ({
    status: 200,
    headers: [...JSON_TYPE, ...codingHeaders(body), ...headers],
    body,
  })
  const coded = text.of(preferredCodings(request.acceptEncoding)[0] ?? null)
  return coded instanceof Promise ? coded.then(described) : described(coded)
}

function describeApi(): Description {
  const text = JSON.stringify(openApiDocument())
  const etag = `W/"${contentHash({ text }).slice(0, 32)}"`
  const headers = [...CORS, ...NOSNIFF, 'ETag', etag, 'Vary', 'Accept-Encoding', 'Cache-Control', OPENAPI_CACHE]
  return { etag, headers, text: new CodedText(text) }
}

function answerQuery(
  endpoint: Endpoint,
  release: LoadedRelease,
  request: RequestHead,
  client: ClientKey,
  context: ApiContext,
  nowMs: number,
): Answer | Promise<Answer> {
  const choice = context.choices.of(release, endpoint, request)
  if ('bad' in choice) return problemAnswer(badParameters(choice.bad), CORS)
  if ('missing' in choice) {
    context.log.error({ id: release.id, query: choice.missing }, 'the manifest lists no snapshot for this combination')
    return problemAnswer(internalError('damaged'), CORS)
  }
  const age = ageHeaders(release, nowMs)
  const { etag, heads } = choice
  const met = precondition({ etag, lastModified: release.lastModified }, request)
  if (met === 412) return problemAnswer(preconditionFailed(), CORS)
  if (met === 304) return { status: 304, headers: heads.of(NO_BODY, age), body: NO_BODY }
  if ('text' in choice) return found(heads, age, new StampedBody(Buffer.from(choice.text, 'utf8'), null))
  try {
    const body = bodyOf(choice.variant, preferredCodings(request.acceptEncoding), client, context)
    if (!(body instanceof Promise)) return found(heads, age, body)
    return body.then(
      (ready) => found(heads, age, ready),
      (error: unknown) => afterFailure(error, endpoint, release, request, client, context),
    )
  } catch (error) {
    return afterFailure(error, endpoint, release, request, client, context)
  }
}

function found(heads: SharedHeads, age: Headers, body: Body): Answer {
  return { status: 200, headers: heads.of(body, age), body }
}

function bodyOf(
  variant: Variant,
  codings: readonly Coding[],
  client: ClientKey,
  { bodies, store, streams }: ApiContext,
): Body | Promise<Body> {
  const { id, file, limit } = variant
  if (limit === null && file.bytes > PREPARED_BYTES) {
    const { coding, from } = bestFile(file, store.siblings ? codings : [])
    const stamped = !file.path.endsWith('.csv')
    return streams
      .open(client, from.bytes, () => store.stream(id, from))
      .then((opened) => ({ kind: 'stream', bytes: from.bytes, stamped, coding, ...opened }))
  }
  const body = bodies.get(variant, codings[0] ?? null)
  return body instanceof Promise ? body.then((ready) => placed(ready, client, streams)) : placed(body, client, streams)
}

/** With a place among the large answers, if it is one: its copy is kept until it is read. */
function placed(body: PreparedBody, client: ClientKey, streams: Streams): Body {
  const { kind, bytes, coding } = body
  if (!isLarge(bytes)) return body
  return { kind, bytes, coding, at: (nowMs) => body.at(nowMs), done: streams.take(client) }
}

/** A snapshot is missing: perhaps its release was just replaced and removed. `current` is resolved once more. */
async function afterFailure(
  error: unknown,
  endpoint: Endpoint,
  release: LoadedRelease,
  request: RequestHead,
  client: ClientKey,
  context: ApiContext,
): Promise<Answer> {
  if (!(error instanceof ReleaseError)) throw error
  await context.watcher.lookBriefly()
  const now = context.watcher.release
  if (now !== null && now.id !== release.id)
    return answerQuery(endpoint, now, request, client, context, context.nowMs())
  context.log.error({ id: release.id }, error.message)
  return problemAnswer(internalError(failureOf(error)), CORS)
}
