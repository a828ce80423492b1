// Owns one request: from its head to an answer that is written and counted. Decides nothing about releases.
import type { ServerResponse } from 'node:http'
import { internalError } from '../contract/problems.ts'
import { problemAnswer, type HttpAnswer, type Exchange, type Headers } from './answer/answer.ts'
import { CORS, STREAMS_FULL } from './answer/api-headers.ts'
import type { ServerContext } from './context/context.ts'
import { SITE_CORS, SNAPSHOTS_CORS } from './answer/file-headers.ts'
import { soon, type Soon } from './answer/soon.ts'
import { StreamsFull } from './answer/streams.ts'
import { writeAnswer, type StreamEnd } from './answer/write-answer.ts'
import { readHead } from './http/head.ts'
import { routeOf, type Route } from './http/route.ts'
import type { ClientKey } from './limit/client-key.ts'
import type { CountedEndpoint } from './context/request-counters.ts'
import { answerApi } from './planes/api/api.ts'
import { answerFiles } from './planes/files.ts'
import { answerHealth } from './planes/health.ts'

/** The headers of all answers of a plane; the health paths have none, because they are for operators. */
function commonHeaders({ plane, endpoint }: Route): Headers {
  if (plane === 'files') return endpoint === 'site' ? SITE_CORS : SNAPSHOTS_CORS
  return plane === 'api' ? CORS : []
}

export function respond(response: ServerResponse, context: ServerContext, isDraining: boolean): void {
  const { counters, log } = context
  const { req } = response
  if (isDraining) response.shouldKeepAlive = false
  let endpoint: CountedEndpoint = 'unreadable'
  let common = CORS
  let exchange: Exchange | undefined
  /** Until the head is read, there may be a body. */
  let hasBody = true
  const answer = (): Soon<HttpAnswer> => {
    const head = readHead(req)
    if ('status' in head) return problemAnswer(head)
    if (head.isLast) response.shouldKeepAlive = false
    hasBody = head.hasBody
    const route = routeOf(head.path)
    endpoint = route.endpoint
    common = commonHeaders(route)
    if (route.plane === 'health') return answerHealth(head, context, isDraining)
    const { forwarded, 'x-forwarded-for': forwardedFor, 'x-real-ip': realIp = forwarded } = head.fields
    const { remoteAddress } = req.socket
    let known: ClientKey | undefined
    const client = (): ClientKey =>
      (known ??= context.clients.ofRequest(remoteAddress, forwardedFor, realIp !== undefined))
    exchange = { response, head, client, own: [] }
    return route.plane === 'api' ? answerApi(route, exchange, context) : answerFiles(route, exchange, context)
  }
  /** The only place that counts answers: after the head is written, so that a failed write is not counted. */
  const write = (ready: HttpAnswer): Soon<StreamEnd | void> => {
    // Only with a file is the body of a request read over; after any other answer it is not read, and the connection ends.
    if (hasBody && (ready.status >= 400 || ready.status === 204)) response.shouldKeepAlive = false
    const written = writeAnswer(ready, common, exchange?.own ?? [], response, context.nowMs())
    counters.answered(endpoint, ready.status)
    return written
  }
  const ended = (end: StreamEnd | void): void => {
    if (end !== undefined) counters.streams[end] += 1
  }
  const failed = (error: unknown): Soon<StreamEnd | void> => {
    if (error instanceof StreamsFull) return write(STREAMS_FULL)
    log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
    if (response.headersSent) response.destroy()
    else return write(problemAnswer(internalError('unexpected')))
  }
  void soon(
    () => soon(answer, write, failed),
    ended,
    () => void response.destroy(),
  )
}
