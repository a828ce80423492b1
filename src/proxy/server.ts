// Owns the HTTP server: its connections, time-outs and bounds, and heads that cannot be read. Knows no endpoint.
import { createServer, type IncomingMessage, type Server, type ServerOptions, type ServerResponse } from 'node:http'
import type { AddressInfo, Socket } from 'node:net'
import {
  CONNECTIONS_RETRY_SECONDS,
  MAX_HEADERS_BYTES,
  MAX_TARGET_BYTES,
  methodNotAllowed,
  TOO_MANY_CONNECTIONS,
  type Problem,
} from '../contract/problems.ts'
import { problemAnswer } from './answer/answer.ts'
import { CORS } from './answer/api-headers.ts'
import { writeRaw } from './answer/write-answer.ts'
import type { ServerContext } from './context/context.ts'
import { pausedFloods } from './http/floods.ts'
import { drain, listen } from './http/listen.ts'
import { pipelining } from './http/pipelining.ts'
import { placeTaker } from './http/places.ts'
import { watchSlowReaders } from './http/slow-readers.ts'
import { unreadable, type HeadError } from './http/head.ts'
import { respond } from './respond.ts'

const HEAD_TIMEOUT_MS = 10_000
const KEEP_ALIVE_MS = 5_000
/**
 * How long an idle connection of a trusted proxy is kept: longer than any balancer does (Google: 600 s). One that keeps
 * it for longer than we do writes a request to a connection that is being closed, and answers 502.
 */
export const TRUSTED_KEEP_ALIVE_MS = 620_000
/** A reader who takes nothing for this long gives its open file back. */
const IDLE_READER_MS = 60_000

export const SERVER_OPTIONS: ServerOptions = {
  headersTimeout: HEAD_TIMEOUT_MS,
  requestTimeout: HEAD_TIMEOUT_MS,
  keepAliveTimeout: KEEP_ALIVE_MS,
  connectionsCheckingInterval: 1_000,
  // The bound of target and headers together; http/head.ts checks that of each. It is above both, so that a head in
  // small packets is read and judged; but less than the first packet of a large write (32 KiB and more on Linux): if
  // the parser gives up on a head, only the packet that broke it is known, which should have its first line.
  maxHeaderSize: 2 * (MAX_TARGET_BYTES + MAX_HEADERS_BYTES),
  requireHostHeader: false,
  // Otherwise the first Host of several would count, and the first line of If-Range.
  joinDuplicateHeaders: true,
  noDelay: true,
}

const CROWDED = problemAnswer(TOO_MANY_CONNECTIONS, ['Retry-After', String(CONNECTIONS_RETRY_SECONDS)])

/** Listens. @throws CliError where it cannot */
export async function startServer(context: ServerContext, host: string, port: number, options = SERVER_OPTIONS) {
  const { cuts } = context.counters
  let isDraining = false
  const sockets = new Set<Socket>()
  const floods = pausedFloods(sockets)
  const pipelined = pipelining(
    (response) => respond(response, context, isDraining),
    (socket) => {
      cuts.pipelined += 1
      floods.note(socket)
    },
  )
  const handle = (_request: IncomingMessage, response: ServerResponse): void => pipelined.take(response)
  const server = createServer(options, handle)
  server.on('checkContinue', handle)
  server.on('checkExpectation', handle)
  const crowded = (): void => void (cuts.crowded += 1)
  const takePlace = placeTaker({
    clientOf: ({ remoteAddress }) => context.clients.ofConnection(remoteAddress),
    isBusy: (socket) => pipelined.isAnswering(socket),
    onCut: crowded,
  })
  server.on('connection', (socket: Socket) => {
    floods.took()
    if (!takePlace(socket)) {
      crowded()
      return writeRaw(CROWDED, CORS, socket, context.nowMs())
    }
    sockets.add(socket)
    socket.once('close', () => sockets.delete(socket))
    floods.add(socket)
  })
  // This event comes KEEP_ALIVE_MS after an answer, and again when the longer time is over.
  server.on('timeout', (socket: Socket) => {
    if (isTrusted(socket, context) && socket.timeout !== TRUSTED_KEEP_ALIVE_MS) socket.setTimeout(TRUSTED_KEEP_ALIVE_MS)
    else socket.destroy()
  })
  answerUnreadable(server, pipelined, context)
  // A client may close its half after its last request, and wait (RFC 9112 section 9.6). node:http would then end the
  // other half, too, with the answers that are not written yet. Its types do not have the switch.
  Object.assign(server, { httpAllowHalfOpen: true })
  // node:http drops further headers silently. So many are over the bound in any case, at five counted bytes each.
  server.maxHeadersCount = MAX_HEADERS_BYTES / 4
  const endWatch = watchSlowReaders(sockets, IDLE_READER_MS, () => (cuts.slow += 1))
  await listen(server, host, port, '--port')
  return {
    address: server.address() as AddressInfo,
    /** Stops taking connections, lets answers under way finish for up to `drainMs`, then cuts the rest. */
    async stop(drainMs: number): Promise<void> {
      isDraining = true
      await drain(server, sockets, drainMs)
      endWatch()
    },
  }
}

function isTrusted({ remoteAddress }: Socket, { clients }: ServerContext): boolean {
  return clients.ofConnection(remoteAddress) === null
}

/** Answers what node:http makes no response for: heads that its parser gives up on, and CONNECT. */
function answerUnreadable(server: Server, pipelined: ReturnType<typeof pipelining>, context: ServerContext): void {
  const answered = new WeakSet<Socket>()
  const reject = (problem: Problem, socket: Socket): void => {
    // Every further packet is an error again.
    if (answered.has(socket)) return
    answered.add(socket)
    // After CONNECT node:http no longer listens, and an error that nobody listens to ends the process.
    socket.on('error', () => socket.destroy())
    pipelined.last(socket, () => {
      writeRaw(problemAnswer(problem), CORS, socket, context.nowMs())
      context.counters.answered('unreadable', problem.status)
    })
  }
  server.on('clientError', (error: HeadError, socket: Socket) => {
    if (error.code === 'ECONNRESET') socket.destroy()
    // A balancer has opened this connection ahead of need.
    else if (error.code === 'ERR_HTTP_REQUEST_TIMEOUT' && socket.bytesRead === 0 && isTrusted(socket, context))
      socket.setTimeout(TRUSTED_KEEP_ALIVE_MS)
    else reject(unreadable(error), socket)
  })
  // node:http lets go of the socket: an answer that it still owes is not written to its end, nor timed.
  server.on('connect', (_request, socket: Socket) =>
    pipelined.isAnswering(socket) ? socket.destroy() : reject(methodNotAllowed('CONNECT'), socket),
  )
}
