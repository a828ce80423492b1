// Owns the order of checks for every request under /api: limit, path, method, body, parameters. Writes nothing.
import { ENDPOINTS } from '../../../contract/kinds/register.ts'
import { CONTENT_TOO_LARGE, methodNotAllowed, NOT_FOUND } from '../../../contract/problems.ts'
import { problemAnswer, type HttpAnswer, type Exchange } from '../../answer/answer.ts'
import { PREFLIGHT } from '../../answer/api-headers.ts'
import { soon, type Soon } from '../../answer/soon.ts'
import type { ServerContext } from '../../context/context.ts'
import type { ApiRoute } from '../../http/route.ts'
import { answerQuery } from './answer-query.ts'

/** Answers a request: at once when the counters are in memory and the body is cached, which is nearly always. */
export function answerApi({ endpoint: name }: ApiRoute, exchange: Exchange, context: ServerContext): Soon<HttpAnswer> {
  const { method, hasBody } = exchange.head
  const isCounted = (method === 'GET' || method === 'HEAD') && name !== 'openapi'
  return soon(
    () => context.limiter.take(exchange.client(), isCounted ? 1 : 0),
    (state): Soon<HttpAnswer> => {
      exchange.own = context.rate.headers(state, context.nowMs())
      // The order is that of docs/api.md: OPTIONS, limit, path, method, body, parameters, release, preconditions.
      if (method === 'OPTIONS') return PREFLIGHT
      if (isCounted && !state.allowed) return context.rate.tooMany(state.resetInMs)
      if (name === 'other') return problemAnswer(NOT_FOUND)
      if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method))
      if (hasBody) return problemAnswer(CONTENT_TOO_LARGE)
      const { release } = context.watcher
      if (name === 'openapi') return context.openApi(exchange.head, release?.manifest.options.site)
      return answerQuery(ENDPOINTS[name], exchange, release, context)
    },
  )
}
