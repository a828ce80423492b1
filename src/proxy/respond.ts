// Owns one request: from its head to an answer that is written and counted. Decides nothing about releases.
import type { IncomingMessage, ServerResponse } from 'node:http'
import { internalError } from '../contract/problems.ts'
import { problemAnswer, type Answer } from './answer/answer.ts'
import { CORS } from './answer/api-headers.ts'
import { writeAnswer } from './answer/write-answer.ts'
import { readHead, type RequestHead } from './http/head.ts'
import { routeOf, type Route } from './http/route.ts'
import type { ClientKey, Clients } from './limit/client-key.ts'
import type { UnreadForwarding } from './limit/unread-forwarding.ts'
import type { CountedEndpoint, RequestCounters } from './metrics/request-counters.ts'
import { answerApi, type ApiContext } from './planes/api/api.ts'
import { answerFiles, type FilesContext } from './planes/files.ts'
import { answerHealth } from './planes/health.ts'
import type { Exchange } from './store/snapshot-store.ts'

export interface ServerContext extends ApiContext, FilesContext {
  readonly counters: RequestCounters
  readonly forwarding: Pick<UnreadForwarding, 'counts'>
  readonly clients: Clients
}

/** Answers requests, one after the other on each connection. */
export class Responder {
  readonly #context: ServerContext
  isDraining = false

  constructor(context: ServerContext) {
    this.#context = context
  }

  respond(request: IncomingMessage, response: ServerResponse): void {
    if (this.isDraining) response.shouldKeepAlive = false
    let endpoint: CountedEndpoint = 'unreadable'
    // The answer and its writing are rarely promises.
    try {
      const nowMs = this.#context.nowMs()
      const head = readHead(request)
      if ('status' in head) return void this.#write(problemAnswer(head, CORS, true), response, endpoint, nowMs)
      const route = routeOf(head.path)
      endpoint = route.endpoint
      const answer = this.#answer(route, head, { request, response }, nowMs)
      // No upgrade is made. But node:http drops what follows the request in the same packet: the client must know.
      if (head.asksUpgrade || head.isFramingInDoubt) response.shouldKeepAlive = false
      const written =
        answer instanceof Promise
          ? answer.then((ready) => this.#write(ready, response, endpoint, this.#context.nowMs()))
          : this.#write(answer, response, endpoint, nowMs)
      if (written instanceof Promise) written.catch((error: unknown) => this.#unexpected(error, response, endpoint))
    } catch (error) {
      this.#unexpected(error, response, endpoint)
    }
  }

  #answer(route: Route, head: RequestHead, exchange: Exchange, nowMs: number): Answer | Promise<Answer> {
    const context = this.#context
    const client = (): ClientKey =>
      context.clients.ofRequest(
        exchange.request.socket.remoteAddress,
        head.fields.forwardedFor,
        head.fields.otherForwarding !== undefined,
      )
    switch (route.plane) {
      case 'api':
        return answerApi(route, { head, client: client(), exchange }, context, nowMs)
      case 'files':
        return answerFiles(route, { head, client, exchange }, context)
      case 'health':
        return answerHealth(route, head, context.watcher, nowMs, this.isDraining)
    }
  }

  /** The only place that counts answers: after the head is written, so that a failed write is not counted. */
  #write(answer: Answer, response: ServerResponse, endpoint: CountedEndpoint, nowMs: number): void | Promise<void> {
    const { counters } = this.#context
    const written = writeAnswer(answer, response, nowMs)
    counters.answered(endpoint, answer.status)
    if (written instanceof Promise) return written.then((end) => void (counters.streams[end] += 1))
  }

  #unexpected(error: unknown, response: ServerResponse, endpoint: CountedEndpoint): void {
    this.#context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
    try {
      if (response.headersSent) response.destroy()
      else void this.#write(problemAnswer(internalError('unexpected'), CORS), response, endpoint, this.#context.nowMs())
    } catch {
      response.destroy()
    }
  }
}
