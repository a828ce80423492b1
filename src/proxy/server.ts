// Owns the HTTP server: sockets, time-outs, heads that cannot be read, drain. Knows no endpoint.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { internalError, MAX_HEADERS_BYTES, MAX_TARGET_BYTES } from '../contract/problems.ts'
import { problemAnswer, type Answer } from './answer/answer.ts'
import { CORS } from './answer/api-headers.ts'
import { answerApi, isApiPath, type ApiContext } from './planes/api.ts'
import type { ClientKey } from './limit/client-key.ts'
import { askedFor, type AskedFor, type Counts } from './metrics/request-counters.ts'
import { FilePlane, isFilePath } from './planes/files.ts'
import { Floods } from './http/floods.ts'
import type { IgnoredForwarding } from './limit/ignored-forwarding.ts'
import { listen } from './http/listen.ts'
import { answerPage } from './planes/health.ts'
import { readHead, type RequestHead } from './http/head.ts'
import { watchStalled } from './http/slow-readers.ts'
import { Turns } from './http/pipelining.ts'
import { connectRefused, unreadable, type HeadError } from './http/unreadable-head.ts'
import { writeAnswer, writeRaw } from './answer/write-answer.ts'

export interface ProxyServer {
  readonly address: AddressInfo
  /** Stops taking connections, lets answers under way finish for up to `drainMs`, then cuts the rest. */
  stop(drainMs: number): Promise<void>
}

export interface ServerContext extends ApiContext {
  readonly counts: Counts
  readonly forwarding: Pick<IgnoredForwarding, 'counts'>
  readonly clientKey: (
    socketAddress: string | undefined,
    forwardedFor: string | undefined,
    otherwiseNamed: boolean,
  ) => ClientKey
}

const HEAD_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000
/** A reader who takes nothing for this long gives its open file back. */
const STALLED_MS = 60_000
/** How often a stopping server closes what has become idle, and how long it waits before it begins. */
const SWEEP_MS = 50

/** Listens. @throws the listen error (EADDRINUSE, EACCES …) */
export async function startServer(context: ServerContext, host: string, port: number): Promise<ProxyServer> {
  let draining = false
  const files = new FilePlane(context.watcher, context.store, context.streams, context.log)
  const answerOf: AnswerOf = (head, request, nowMs) => route(head, request, context, files, draining, nowMs)
  const sockets = new Set<Socket>()
  const begin = (request: IncomingMessage, response: ServerResponse): void => {
    if (draining) response.shouldKeepAlive = false
    respond(request, response, answerOf, context)
  }
  const floods = new Floods(sockets)
  const turns = new Turns(begin, sockets, (socket) => {
    context.counts.cut('pipelined')
    floods.note(socket)
  })
  const refused = new WeakSet<Socket>()
  const handle = (request: IncomingMessage, response: ServerResponse): void => turns.take(request, response)
  const refuse = (answer: Answer, socket: Socket): void => {
    // Every further packet is an error again.
    if (refused.has(socket)) return
    refused.add(socket)
    // After CONNECT node:http no longer listens, and an error that nobody listens to ends the process.
    socket.on('error', () => socket.destroy())
    turns.last(socket, () => {
      writeRaw(answer, socket, context.nowMs())
      context.counts.answered('unreadable', answer.status)
    })
  }
  const server = createServer(
    {
      headersTimeout: HEAD_TIMEOUT_MS,
      requestTimeout: HEAD_TIMEOUT_MS,
      keepAliveTimeout: KEEP_ALIVE_MS,
      connectionsCheckingInterval: 1_000,
      // Target and headers together; each has its own bound in request-head.ts. Above both, so that a head
      // in small packets is read and judged; but less than the first packet of a large write (32 KiB and more on Linux):
      // a head that the parser gives up on is only known by the packet that broke it, which should hold its first line.
      maxHeaderSize: 2 * (MAX_TARGET_BYTES + MAX_HEADERS_BYTES),
      requireHostHeader: false,
      noDelay: true,
    },
    handle,
  )
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  server.on('clientError', (error: HeadError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    else refuse(unreadable(error), socket)
  })
  // node:http lets go of the socket: what it still owes is not written to its end, nor timed.
  server.on('connect', (_request, socket: Socket) =>
    turns.owes(socket) ? socket.destroy() : refuse(connectRefused(), socket),
  )
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    floods.add(socket)
  })
  // A client that has asked for all it wants may close its half and wait (RFC 9112 section 9.6): node:http would end the
  // other half, too, with whatever is not written yet. Its types do not know the switch.
  Object.assign(server, { httpAllowHalfOpen: true })
  const endWatch = watchStalled(sockets, STALLED_MS, () => context.counts.cut('slow'))
  // Those beyond are dropped without a word. This many are over the bound in any case, at five counted bytes each.
  server.maxHeadersCount = MAX_HEADERS_BYTES / 4
  await listen(server, host, port)
  return {
    address: server.address() as AddressInfo,
    async stop(drainMs) {
      draining = true
      await drain(server, sockets, drainMs)
      endWatch()
    },
  }
}

async function drain(server: Server, sockets: ReadonlySet<Socket>, drainMs: number): Promise<void> {
  // What clients sent or dialled before the signal may wait in the kernel still: closing would reset it unread.
  await delay(SWEEP_MS)
  const sweep = (): void => {
    server.closeIdleConnections()
    // Opened ahead of need, as browsers do: to node:http these are not idle but about to send.
    for (const socket of sockets) if (socket.bytesRead === 0) socket.destroy()
  }
  await new Promise<void>((resolve) => {
    const sweeping = setInterval(sweep, SWEEP_MS)
    const cut = setTimeout(() => sockets.forEach((socket) => socket.destroy()), drainMs)
    server.close(() => {
      clearInterval(sweeping)
      clearTimeout(cut)
      resolve()
    })
    sweep()
  })
}

type AnswerOf = (head: RequestHead, request: IncomingMessage, nowMs: number) => Answer | Promise<Answer>

function route(
  head: RequestHead,
  request: IncomingMessage,
  context: ServerContext,
  files: FilePlane,
  draining: boolean,
  nowMs: number,
): Answer | Promise<Answer> {
  const client = (): ClientKey =>
    context.clientKey(request.socket.remoteAddress, head.forwardedFor, head.otherwiseNamed)
  if (isApiPath(head.path)) return answerApi(head, client(), context, nowMs)
  if (isFilePath(head.path)) return files.answer(head, client)
  return answerPage(head, context.watcher, nowMs, draining)
}

function respond(request: IncomingMessage, response: ServerResponse, answerOf: AnswerOf, context: ServerContext): void {
  let asked: AskedFor = 'unreadable'
  // Nearly always neither is a promise.
  try {
    const nowMs = context.nowMs()
    const head = readHead(request)
    if ('status' in head) return void write(problemAnswer(head, CORS, true), response, asked, context, nowMs)
    asked = askedFor(head)
    const answer = answerOf(head, request, nowMs)
    // Not taken up, but what stands behind it in the same packet was dropped by node:http: the client must know.
    if (head.asksUpgrade || head.isFramingInDoubt) response.shouldKeepAlive = false
    const written =
      answer instanceof Promise
        ? answer.then((ready) => write(ready, response, asked, context, context.nowMs()))
        : write(answer, response, asked, context, nowMs)
    if (written instanceof Promise) written.catch((error: unknown) => unexpected(error, response, asked, context))
  } catch (error) {
    unexpected(error, response, asked, context)
  }
}

/** The one place where answers are counted: once their head is out, so that one which cannot be written is not. */
function write(
  answer: Answer,
  response: ServerResponse,
  asked: AskedFor,
  context: ServerContext,
  nowMs: number,
): void | Promise<void> {
  const written = writeAnswer(answer, response, nowMs)
  context.counts.answered(asked, answer.status)
  if (written instanceof Promise) return written.then((end) => context.counts.streamed(end))
}

function unexpected(error: unknown, response: ServerResponse, asked: AskedFor, context: ServerContext): void {
  context.log.error({ stack: (error as Error).stack }, `unexpected: ${String(error)}`)
  try {
    if (response.headersSent) response.destroy()
    else void write(problemAnswer(internalError('unexpected'), CORS), response, asked, context, context.nowMs())
  } catch {
    response.destroy()
  }
}
