// Owns the order of checks for every request under /api: limit, path, method, body, parameters. Writes nothing.
import type { Endpoint } from '../../../contract/kinds/kind.ts'
import { ENDPOINTS } from '../../../contract/kinds/register.ts'
import { parseQuery } from '../../../contract/parse-query.ts'
import {
  badParameters,
  CONTENT_TOO_LARGE,
  internalError,
  methodNotAllowed,
  NOT_FOUND,
} from '../../../contract/problems.ts'
import { closeConnection, problemAnswer, type Answer, type Headers } from '../../answer/answer.ts'
import { rateHeaders, preflight, streamsFull, CORS, type TooManyRequests } from '../../answer/api-headers.ts'
import { StreamsFull } from '../../answer/streams.ts'
import type { ApiRoute } from '../../http/route.ts'
import type { RateLimiter, RateState } from '../../limit/rate-limit.ts'
import { answerQuery, type QueryContext, type QueryRequest } from './answer-query.ts'
import { answerOpenApi } from './openapi.ts'

export interface ApiContext extends QueryContext {
  readonly limiter: RateLimiter
  readonly limit: number
  readonly tooManyRequests: TooManyRequests
}

type Asking = Omit<QueryRequest, 'endpoint'>

interface ApiRequest extends Asking {
  readonly endpoint: ApiRoute['endpoint']
  /** Against the client's limit. */
  readonly isCounted: boolean
}

/** Synchronous when the counters are in memory and the body is cached, which is nearly always. */
export function answerApi(
  { endpoint }: ApiRoute,
  { head, client, exchange }: Asking,
  context: ApiContext,
  nowMs: number,
): Answer | Promise<Answer> {
  const isCounted = (head.method === 'GET' || head.method === 'HEAD') && endpoint !== 'openapi'
  const request = { endpoint, head, client, exchange, isCounted }
  const state = isCounted ? context.limiter.take(client) : context.limiter.peek(client)
  return state instanceof Promise
    ? state.then((known) => answerClient(request, known, context, context.nowMs()))
    : answerClient(request, state, context, nowMs)
}

/** Whatever is thrown inside, the client gets the API's JSON with its headers; the stack goes to the log. */
function answerClient(
  request: ApiRequest,
  state: RateState,
  context: ApiContext,
  nowMs: number,
): Answer | Promise<Answer> {
  const own = rateHeaders(context.limit, state, nowMs)
  try {
    const answer = answerWithin(request, state, context, nowMs)
    return answer instanceof Promise
      ? answer.catch((error: unknown) => failed(error, context)).then((ready) => toClient(ready, own))
      : toClient(answer, own)
  } catch (error) {
    return toClient(failed(error, context), own)
  }
}

/** Field by field: a spread costs several microseconds of a request (npm run bench -- --only proxy:request). */
function toClient({ status, headers, body, close }: Answer, own: Headers): Answer {
  return { status, headers, own, body, close }
}

function failed(error: unknown, context: ApiContext): Answer {
  if (error instanceof StreamsFull) return streamsFull(CORS)
  context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
  return problemAnswer(internalError('unexpected'), CORS)
}

// The order is that of docs/api.md: OPTIONS, limit, path, method, body, parameters, release, preconditions.
function answerWithin(
  { endpoint: name, head, client, exchange, isCounted }: ApiRequest,
  state: RateState,
  context: ApiContext,
  nowMs: number,
): Answer | Promise<Answer> {
  const { method, query, hasBody } = head
  if (method === 'OPTIONS') return preflight(CORS, hasBody)
  if (isCounted && !state.allowed) return closeConnection(context.tooManyRequests(state.resetInMs), hasBody)
  if (name === 'other') return problemAnswer(NOT_FOUND, CORS, hasBody)
  if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method), CORS, hasBody)
  if (hasBody) return problemAnswer(CONTENT_TOO_LARGE, CORS, true)
  const { release } = context.watcher
  if (name === 'openapi') return answerOpenApi(head, release?.manifest.options.site)
  const endpoint = ENDPOINTS[name]
  if (release === null) return withoutRelease(endpoint, query)
  return answerQuery({ endpoint, head, client, exchange }, release, context, nowMs)
}

/** Bad parameters are bad without a release, too. */
function withoutRelease(endpoint: Endpoint, query: string): Answer {
  const parsed = parseQuery(endpoint, query)
  return problemAnswer(parsed.ok ? internalError('no release') : badParameters(parsed.bad), CORS)
}
