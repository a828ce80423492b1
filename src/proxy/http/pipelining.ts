// Owns pipelining: requests that arrive before earlier ones are answered wait, within bounds. Knows no endpoint.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** The most memory that requests that wait may take, as `bytesOf` counts it. */
const BOUNDS = {
  /** Some 60 of the shortest requests: no client is known that sends more than 32 ahead. */
  connectionBytes: 128 << 10,
  totalBytes: 32 << 20,
}

/** What node:http and this file keep of a request without headers, and of each text of a head. */
const REQUEST_BYTES = 2048
const TEXT_BYTES = 32

type Head = Pick<IncomingMessage, 'rawHeaders' | 'url'>

/**
 * node:http hands over pipelined requests at once and queues what is written. But a queued response whose connection
 * ends is never closed, so an open file behind it would stay open; and 64 KiB of request lines would open hundreds. So
 * a request begins when the answer before it is written. A connection on which more waits than the bounds allow is cut:
 * its client takes no answers, or sends more than any honest one.
 * @param beginAnswer is called when all answers before are written; never, when the connection ends first
 * @param onCut is told of each connection that is cut because too much waits
 */
export function pipelining(
  beginAnswer: (response: ServerResponse) => void,
  onCut: (socket: Socket) => void,
  bounds = BOUNDS,
) {
  const latest = new WeakMap<Socket, ServerResponse>()
  /** What waits on each open connection on which something has waited. */
  const bytesOn = new Map<Socket, number>()
  let allBytes = 0

  /** The latest answer until it is written: until it is with the kernel, and node:http has noted that, and closed the socket or gone on. */
  function unwritten(socket: Socket): ServerResponse | undefined {
    const last = latest.get(socket)
    return last?.writableFinished === true && last.socket === null ? undefined : last
  }

  /** @param head of the request, if it can be read */
  function afterOthers(socket: Socket, begin: () => void, head: Head = { rawHeaders: [] }): void {
    const before = unwritten(socket)
    if (before === undefined) return begin()
    // This request is in the rest of a packet after whose beginning the connection was cut.
    if (socket.destroyed) return
    if (!bytesOn.has(socket)) watch(socket)
    const bytes = bytesOf(head)
    count(socket, bytes)
    if ((bytesOn.get(socket) ?? 0) > bounds.connectionBytes || allBytes > bounds.totalBytes) {
      socket.destroy()
      return onCut(socket)
    }
    whenWritten(before, socket, () => {
      count(socket, -bytes)
      begin()
    })
  }

  function watch(socket: Socket): void {
    withoutStacks(socket)
    socket.once('close', () => {
      count(socket, -(bytesOn.get(socket) ?? 0))
      bytesOn.delete(socket)
    })
  }

  function count(socket: Socket, bytes: number): void {
    bytesOn.set(socket, (bytesOn.get(socket) ?? 0) + bytes)
    allBytes += bytes
  }

  return {
    take(response: ServerResponse): void {
      const { req } = response
      afterOthers(req.socket, () => beginAnswer(response), req)
      latest.set(req.socket, response)
    },
    /** Begins an answer for which node:http made no response. */
    last: (socket: Socket, begin: () => void): void => afterOthers(socket, begin),
    /** Whether the socket is still owed an answer. */
    isAnswering: (socket: Socket): boolean => unwritten(socket) !== undefined,
  }
}

/** Each connection begins one answer in an iteration of the event loop: others are read and answered in between. */
function whenWritten(before: ServerResponse, socket: Socket, begin: () => void): void {
  before.once('finish', () =>
    setImmediate(() => {
      // Nothing is begun on a connection that is closed, or whose last write has just failed: node:http would learn
      // twice that a response begun then has ended, and that ends the process.
      if (socket.writable) begin()
    }),
  )
}

function bytesOf({ rawHeaders, url = '' }: Head): number {
  let bytes = REQUEST_BYTES + url.length
  for (const text of rawHeaders) bytes += TEXT_BYTES + text.length
  return bytes
}

/**
 * When a connection closes, node:http makes an error for each request that waits. A stack trace costs more than the
 * answer would have, and nobody sees it.
 */
function withoutStacks(socket: Socket): void {
  const { stackTraceLimit } = Error
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0))
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit))
}
