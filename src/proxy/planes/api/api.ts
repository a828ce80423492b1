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
import { problemAnswer, type HttpAnswer, type Exchange } from '../../answer/answer.ts'
import { PREFLIGHT, STREAMS_FULL, type RateAnswers } from '../../answer/api-headers.ts'
import { soon, type Soon } from '../../answer/soon.ts'
import { StreamsFull } from '../../answer/streams.ts'
import type { ApiRoute } from '../../http/route.ts'
import type { RateLimiter } from '../../limit/rate-limit.ts'
import { answerQuery, type QueryContext } from './answer-query.ts'
import type { OpenApi } from './openapi.ts'

export interface ApiContext extends QueryContext {
  readonly limiter: RateLimiter
  readonly rate: RateAnswers
  readonly openApi: OpenApi
}

/** Answers a request: at once when the counters are in memory and the body is cached, which is nearly always. */
export function answerApi({ endpoint }: ApiRoute, exchange: Exchange, context: ApiContext): Soon<HttpAnswer> {
  const { method } = exchange.head
  const isCounted = (method === 'GET' || method === 'HEAD') && endpoint !== 'openapi'
  return soon(
    () => context.limiter.take(exchange.client(), isCounted ? 1 : 0),
    (state): Soon<HttpAnswer> => {
      const own = context.rate.headers(state, context.nowMs())
      const overMs = isCounted && !state.allowed ? state.resetInMs : null
      // The fields are given one by one: a spread costs several microseconds of a request (npm run bench -- --only proxy:request).
      const toClient = ({ status, headers, body }: HttpAnswer): HttpAnswer => ({ status, headers, own, body })
      // Whatever is thrown inside, the client gets the API's JSON with its headers; the stack goes to the log.
      return soon(
        () => answerWithin(endpoint, exchange, overMs, context),
        toClient,
        (error) => toClient(failed(error, context)),
      )
    },
  )
}

function failed(error: unknown, context: ApiContext): HttpAnswer {
  if (error instanceof StreamsFull) return STREAMS_FULL
  context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
  return problemAnswer(internalError('unexpected'))
}

// The order is that of docs/api.md: OPTIONS, limit, path, method, body, parameters, release, preconditions.
/** @param overMs how long until the window of a client over its limit ends; null = it is not over it */
function answerWithin(
  name: ApiRoute['endpoint'],
  exchange: Exchange,
  overMs: number | null,
  context: ApiContext,
): Soon<HttpAnswer> {
  const { method, query, hasBody } = exchange.head
  if (method === 'OPTIONS') return PREFLIGHT
  if (overMs !== null) return context.rate.tooMany(overMs)
  if (name === 'other') return problemAnswer(NOT_FOUND)
  if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method))
  if (hasBody) return problemAnswer(CONTENT_TOO_LARGE)
  const { release } = context.watcher
  if (name === 'openapi') return context.openApi(exchange.head, release?.manifest.options.site)
  const endpoint = ENDPOINTS[name]
  if (release === null) return withoutRelease(endpoint, query)
  return answerQuery(endpoint, exchange, release, context)
}

/** Bad parameters are bad without a release, too. */
function withoutRelease(endpoint: Endpoint, query: string): HttpAnswer {
  const parsed = parseQuery(endpoint, query)
  return problemAnswer(parsed.ok ? internalError('no release') : badParameters(parsed.bad))
}
