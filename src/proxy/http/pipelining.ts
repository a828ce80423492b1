// Owns pipelining: requests that arrive before earlier ones are answered wait, within bounds. Knows no endpoint.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Begin = (response: ServerResponse) => void

/** The most memory that requests that wait may take, as `bytesOf` counts it. */
const BOUNDS = {
  /** Some 60 of the shortest requests: no client is known that sends more than 32 ahead. */
  connectionBytes: 128 << 10,
  totalBytes: 32 << 20,
}
export type PipeliningBounds = Readonly<typeof BOUNDS>

/** What node:http and this file keep of a request without headers, and of each text of a head. */
const REQUEST_BYTES = 2048
const TEXT_BYTES = 32

/**
 * node:http hands over pipelined requests at once and queues what is written. But a queued response whose connection
 * ends is never closed, so an open file behind it would stay open; and 64 KiB of request lines would open hundreds. So
 * a request begins when the answer before it is written. A connection on which more waits than the bounds allow is cut:
 * its client takes no answers, or sends more than any honest one.
 */
export class Pipelining {
  readonly #begin: Begin
  readonly #onCut: (socket: Socket) => void
  readonly #bounds: PipeliningBounds
  readonly #latest = new WeakMap<Socket, ServerResponse>()
  /** What waits on each open connection on which something has waited. */
  readonly #bytesOn = new Map<Socket, number>()
  #bytes = 0

  /** @param onCut is told of each connection that is cut because too much waits */
  constructor(begin: Begin, onCut: (socket: Socket) => void, bounds: PipeliningBounds = BOUNDS) {
    this.#begin = begin
    this.#onCut = onCut
    this.#bounds = bounds
  }

  /** Begins a request when all answers before it are written; never, when the connection ends first. */
  take(response: ServerResponse): void {
    const { socket } = response.req
    const before = this.#unwritten(socket)
    this.#latest.set(socket, response)
    if (before === undefined) this.#begin(response)
    else this.#wait(before, socket, bytesOf(response.req), () => this.#begin(response))
  }

  /** Begins an answer for which node:http made no response. */
  last(socket: Socket, begin: () => void): void {
    const before = this.#unwritten(socket)
    if (before === undefined) begin()
    else this.#wait(before, socket, REQUEST_BYTES, begin)
  }

  /** Whether the socket is still owed an answer. */
  isAnswering(socket: Socket): boolean {
    return this.#unwritten(socket) !== undefined
  }

  /** The latest answer until it is written: until it is with the kernel, and node:http has noted that, and closed the socket or gone on. */
  #unwritten(socket: Socket): ServerResponse | undefined {
    const latest = this.#latest.get(socket)
    return latest?.writableFinished === true && latest.socket === null ? undefined : latest
  }

  #wait(before: ServerResponse, socket: Socket, bytes: number, begin: () => void): void {
    // This request is in the rest of a packet after whose beginning the connection was cut.
    if (socket.destroyed) return
    if (!this.#bytesOn.has(socket)) this.#watch(socket)
    this.#count(socket, bytes)
    if ((this.#bytesOn.get(socket) ?? 0) > this.#bounds.connectionBytes || this.#bytes > this.#bounds.totalBytes) {
      socket.destroy()
      return this.#onCut(socket)
    }
    // Each connection begins one answer in an iteration of the event loop: others are read and answered in between.
    before.once('finish', () =>
      setImmediate(() => {
        // Nothing is begun on a connection that is closed, or whose last write has just failed: node:http would learn
        // twice that a response begun then has ended, and that ends the process.
        if (!socket.writable) return
        this.#count(socket, -bytes)
        begin()
      }),
    )
  }

  #watch(socket: Socket): void {
    withoutStacks(socket)
    socket.once('close', () => {
      this.#count(socket, -(this.#bytesOn.get(socket) ?? 0))
      this.#bytesOn.delete(socket)
    })
  }

  #count(socket: Socket, bytes: number): void {
    this.#bytesOn.set(socket, (this.#bytesOn.get(socket) ?? 0) + bytes)
    this.#bytes += bytes
  }
}

function bytesOf({ rawHeaders, url = '' }: IncomingMessage): number {
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
