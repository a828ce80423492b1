// Owns the HTTP server: sockets, time-outs, heads that cannot be read, drain. Knows no endpoint.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  badRequest,
  headersTooLarge,
  internalError,
  MAX_HEADERS_BYTES,
  MAX_TARGET_BYTES,
  methodNotAllowed,
  requestTimeout,
  uriTooLong,
  type Problem,
} from '../contract/problems.ts'
import { problemAnswer, type Answer } from './answer.ts'
import { corsHeaders } from './api-headers.ts'
import { answerApi, isApiPath, type ApiContext } from './api-plane.ts'
import type { ClientKey } from './client-key.ts'
import { FilePlane, isFilePath } from './file-plane.ts'
import { answerPage } from './pages.ts'
import { readHead } from './request-head.ts'
import { writeAnswer, writeRaw } from './write-answer.ts'

export interface ProxyServer {
  readonly address: AddressInfo
  /** Stops taking connections, lets answers under way finish for up to `drainMs`, then cuts the rest. */
  stop(drainMs: number): Promise<void>
}

export interface ServerContext extends ApiContext {
  readonly clientKey: (socketAddress: string | undefined, forwardedFor: string | undefined) => ClientKey
}

const HEAD_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000

/** Listens. @throws the listen error (EADDRINUSE, EACCES …) */
export async function startServer(context: ServerContext, host: string, port: number): Promise<ProxyServer> {
  let draining = false
  const files = new FilePlane(context.watcher, context.store, context.log)
  const answerOf = (request: IncomingMessage): Answer | Promise<Answer> => route(request, context, files, draining)
  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    if (draining) response.shouldKeepAlive = false
    respond(request, response, answerOf, context)
  }
  const server = createServer(
    {
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: HEAD_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
      // The parser's bound covers target and headers together; each has its own in request-head.ts.
      maxHeaderSize: MAX_TARGET_BYTES + MAX_HEADERS_BYTES + 1024,
      requireHostHeader: false,
      noDelay: true,
    },
    handle,
  )
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', (error: NodeJS.ErrnoException & { rawPacket?: Buffer }, socket: Socket) => {
    if (error.code === 'ECONNRESET') return socket.destroy()
    writeRaw(problemAnswer(unreadable(error), corsHeaders()), socket, context.nowMs())
  })
  server.on('connect', (_request, socket: Socket) => {
    writeRaw(
      problemAnswer(methodNotAllowed('CONNECT'), [...corsHeaders(), 'Allow', 'GET, HEAD, OPTIONS']),
      socket,
      context.nowMs(),
    )
  })
  await listen(server, host, port)
  return {
    address: server.address() as AddressInfo,
    async stop(drainMs) {
      draining = true
      await drain(server, drainMs)
    },
  }
}

function listen(server: Server, host: string, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      server.off('error', reject)
      resolve()
    })
  })
}

function drain(server: Server, drainMs: number): Promise<void> {
  return new Promise((resolve) => {
    const cut = setTimeout(() => server.closeAllConnections(), drainMs)
    server.close(() => {
      clearTimeout(cut)
      resolve()
    })
    server.closeIdleConnections()
  })
}

/** What node:http's parser refused. */
function unreadable(error: NodeJS.ErrnoException & { rawPacket?: Buffer }): Problem {
  switch (error.code) {
    case 'HPE_HEADER_OVERFLOW':
      return targetOverflowed(error.rawPacket) ? uriTooLong() : headersTooLarge()
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return requestTimeout()
    default:
      return badRequest('it is not valid HTTP/1.1')
  }
}

// The parser counts target and headers together; a first line over the bound in the packet that broke it was the target.
function targetOverflowed(packet: Buffer | undefined): boolean {
  if (packet === undefined) return false
  const end = packet.indexOf(10)
  return (end < 0 ? packet.length : end) > MAX_TARGET_BYTES
}

function route(
  request: IncomingMessage,
  context: ServerContext,
  files: FilePlane,
  draining: boolean,
): Answer | Promise<Answer> {
  const head = readHead(request)
  if ('status' in head) return problemAnswer(head, corsHeaders(), true)
  const { headers } = request
  const conditions = { ifNoneMatch: headers['if-none-match'], ifModifiedSince: headers['if-modified-since'] }
  if (isApiPath(head.path)) {
    const forwarded = headers['x-forwarded-for']
    const client = context.clientKey(request.socket.remoteAddress, forwarded as string | undefined)
    return answerApi({ ...head, ...conditions, client }, context)
  }
  if (isFilePath(head.path)) return files.answer({ ...head, ...conditions })
  return answerPage(head, context.watcher, context.nowMs(), draining)
}

function respond(
  request: IncomingMessage,
  response: ServerResponse,
  answerOf: (request: IncomingMessage) => Answer | Promise<Answer>,
  context: ServerContext,
): void {
  const isHead = request.method === 'HEAD'
  const unexpected = (error: unknown): void => {
    context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
    if (response.headersSent) response.destroy()
    else
      writeAnswer(problemAnswer(internalError('unexpected'), corsHeaders()), response, isHead, context.nowMs()).catch(
        () => response.destroy(),
      )
  }
  try {
    const answer = answerOf(request)
    if (answer instanceof Promise)
      answer.then((ready) => writeAnswer(ready, response, isHead, context.nowMs())).catch(unexpected)
    else writeAnswer(answer, response, isHead, context.nowMs()).catch(unexpected)
  } catch (error) {
    unexpected(error)
  }
}
