// Owns pipelining: requests that arrive before earlier ones are answered wait, within bounds. Knows no endpoint.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

type Begin = (request: IncomingMessage, response: ServerResponse) => void

interface Waiting {
  readonly begin: () => void
  /** None: what ends the connection. */
  readonly response: ServerResponse | null
  readonly bytes: number
}

/** Of one connection: what waits, in order. */
interface Queue {
  readonly socket: Socket
  readonly waiting: Waiting[]
  bytes: number
  isPaused: boolean
  willPause: boolean
}

/** Of requests that wait, in memory, as counted by `bytesOf`. */
export interface PipeliningBounds {
  /** More than one read from the kernel (64 KiB) can hold, so that pausing comes first: 2,500 of the shortest requests. */
  readonly connectionBytes: number
  /** Of all connections: beyond it the one with the most is cut. */
  readonly totalBytes: number
}

const BOUNDS: PipeliningBounds = { connectionBytes: 8 << 20, totalBytes: 32 << 20 }

/** With so many waiting a connection is read no further, until half of them are answered. */
const PAUSED_AT = 32
/** Answers to waiting requests, of all connections, before the event loop reads other connections again. */
const AT_ONCE = 32
/** A cut connection is freed only in the next iteration of the event loop: after so many, nothing is read before that. */
const CUTS_AT_ONCE = 8

/** What node:http and this file keep of a request without headers, and of each text of a head. */
const REQUEST_BYTES = 2048
const TEXT_BYTES = 32

/**
 * node:http hands over pipelined requests at once and queues what is written. But a queued response whose connection
 * ends is never closed, so an open file behind it would stay open; and 64 KiB of request lines would open hundreds.
 *
 * What waits has written nothing, so node:http sees no reason to stop reading, and a client that reads no answer could
 * fill the memory with requests. So a connection is paused while many wait. Its parser cannot be stopped within what
 * was read already: that is bounded by cutting connections, the one with the most first.
 */
export class Pipelining {
  readonly #begin: Begin
  readonly #sockets: ReadonlySet<Socket>
  readonly #onCut: (socket: Socket) => void
  readonly #bounds: PipeliningBounds
  readonly #latest = new WeakMap<Socket, ServerResponse>()
  /** Of connections on which something has waited. */
  readonly #queueOf = new WeakMap<Socket, Queue>()
  /** Of connections on which something waits now. */
  readonly #queues = new Set<Queue>()
  /** Their next request may begin in the next iteration of the event loop. */
  readonly #ready: Queue[] = []
  #bytes = 0
  /** In this iteration. */
  #left = AT_ONCE
  #cuts = 0
  /** Until its end. */
  readonly #pausedForNow: Socket[] = []
  #isArmed = false

  /** @param sockets all there are; @param onCut is told of each that is cut because too much waits */
  constructor(
    begin: Begin,
    sockets: ReadonlySet<Socket>,
    onCut: (socket: Socket) => void,
    bounds: PipeliningBounds = BOUNDS,
  ) {
    this.#begin = begin
    this.#sockets = sockets
    this.#onCut = onCut
    this.#bounds = bounds
  }

  /** Begins when all before it are written; never, when the connection ends first. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const { socket } = request
    const before = this.#unwritten(socket)
    this.#latest.set(socket, response)
    if (before === undefined) this.#begin(request, response)
    else this.#wait(before, socket, { begin: () => this.#begin(request, response), response, bytes: bytesOf(request) })
  }

  /** Begins an answer for which node:http made no response. */
  last(socket: Socket, begin: () => void): void {
    const before = this.#unwritten(socket)
    if (before === undefined) begin()
    else this.#wait(before, socket, { begin, response: null, bytes: REQUEST_BYTES })
  }

  /** Whether the socket is still owed an answer. */
  isAnswering(socket: Socket): boolean {
    return this.#unwritten(socket) !== undefined
  }

  /** Written = handed to the kernel, and node:http has taken note: by then it has closed the socket, or gone on. */
  #unwritten(socket: Socket): ServerResponse | undefined {
    const latest = this.#latest.get(socket)
    return latest?.writableFinished === true && latest.socket === null ? undefined : latest
  }

  #wait(before: ServerResponse, socket: Socket, waiting: Waiting): void {
    // The rest of a packet after whose beginning the connection was cut.
    if (socket.destroyed) return
    const queue = this.#queueOf.get(socket) ?? this.#newQueue(socket)
    if (queue.waiting.length === 0) {
      this.#queues.add(queue)
      before.once('finish', () => this.#advance(queue))
    }
    queue.waiting.push(waiting)
    this.#count(queue, waiting.bytes)
    if (queue.bytes > this.#bounds.connectionBytes) this.#cut(queue)
    else if (this.#bytes > this.#bounds.totalBytes) this.#cut(this.#longest(queue))
    else if (queue.waiting.length >= PAUSED_AT && !queue.willPause) {
      queue.willPause = true
      // Not now: at the end of each request that it parses, node:http has the socket read on.
      process.nextTick(pauseIfLong, queue)
    }
  }

  #newQueue(socket: Socket): Queue {
    const queue: Queue = { socket, waiting: [], bytes: 0, isPaused: false, willPause: false }
    this.#queueOf.set(socket, queue)
    withoutStacks(socket)
    socket.once('close', () => this.#forget(queue))
    return queue
  }

  #count(queue: Queue, bytes: number): void {
    queue.bytes += bytes
    this.#bytes += bytes
  }

  #forget(queue: Queue): void {
    this.#queues.delete(queue)
    this.#count(queue, -queue.bytes)
    queue.waiting.length = 0
  }

  #cut(queue: Queue): void {
    this.#forget(queue)
    queue.socket.destroy()
    this.#onCut(queue.socket)
    this.#cuts += 1
    if (this.#cuts === CUTS_AT_ONCE)
      for (const socket of this.#sockets)
        if (!socket.isPaused()) {
          socket.pause()
          this.#pausedForNow.push(socket)
        }
    this.#arm()
  }

  /** A look at every queue, but each ends a connection, which costs its client and node:http more than that. */
  #longest(queue: Queue): Queue {
    let longest = queue
    for (const other of this.#queues) if (other.bytes > longest.bytes) longest = other
    return longest
  }

  /** Pipelined requests must not keep other connections waiting: after a few answers those are read. */
  #advance(queue: Queue): void {
    if (this.#left > 0) this.#next(queue)
    else this.#ready.push(queue)
    this.#arm()
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(() => this.#iterate())
  }

  #iterate(): void {
    this.#isArmed = false
    this.#left = AT_ONCE
    this.#cuts = 0
    for (const socket of this.#pausedForNow.splice(0)) if (this.#queueOf.get(socket)?.isPaused !== true) socket.resume()
    for (const queue of this.#ready.splice(0)) this.#advance(queue)
  }

  #next(queue: Queue): void {
    const waiting = queue.waiting.shift()
    // Nothing is begun on a connection that is closed or cut, or whose last write has just failed: of a response begun
    // then node:http would learn twice that it has ended, and that ends the process.
    if (waiting === undefined || !queue.socket.writable) return
    this.#left -= 1
    this.#count(queue, -waiting.bytes)
    if (queue.waiting.length === 0) this.#queues.delete(queue)
    else waiting.response?.once('finish', () => this.#advance(queue))
    if (queue.isPaused && queue.waiting.length <= PAUSED_AT / 2) {
      queue.isPaused = false
      queue.socket.resume()
    }
    waiting.begin()
  }
}

function bytesOf({ rawHeaders, url = '' }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length
  for (const text of rawHeaders) bytes += TEXT_BYTES + text.length
  return bytes
}

function pauseIfLong(queue: Queue): void {
  queue.willPause = false
  if (queue.waiting.length < PAUSED_AT) return
  queue.isPaused = true
  queue.socket.pause()
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
