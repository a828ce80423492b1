// Owns whose turn it is on a connection: requests may be pipelined, answers come one at a time. Bounds what waits. Knows
// no request.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/** Kept on the socket: a WeakMap, asked and written to on every request, took 0.3 of 24 µs in a profile. */
const LATEST: unique symbol = Symbol('the latest response')
const LINE: unique symbol = Symbol('what waits behind it')

interface TurnSocket extends Socket {
  [LATEST]?: ServerResponse
  [LINE]?: Line
}

type Begin = (request: IncomingMessage, response: ServerResponse) => void

interface Waiting {
  readonly begin: () => void
  /** None: what ends the connection. */
  readonly response: ServerResponse | null
  readonly bytes: number
}

/** Of one connection: what waits, in order. */
interface Line {
  readonly socket: TurnSocket
  readonly waiting: Waiting[]
  bytes: number
  isPaused: boolean
  willPause: boolean
}

/** Of requests that wait, in memory, as counted by `bytesOf`. */
export interface TurnBounds {
  /** More than one read from the kernel (64 KiB) can hold, so that pausing comes first: 2,500 of the shortest requests. */
  readonly connectionBytes: number
  /** Of all connections: beyond it the one with the most is cut. */
  readonly totalBytes: number
}

const BOUNDS: TurnBounds = { connectionBytes: 8 << 20, totalBytes: 32 << 20 }

/** With so many waiting a connection is read no further, until half of them are answered. */
const PAUSED_AT = 32
/** Answers to requests that waited, of all connections, before whoever sends one request at a time is looked at again. */
const AT_ONCE = 32
/** What is cut is freed only when the event loop comes to it: after so many nothing is read before that. */
const CUTS_AT_ONCE = 8

/** What node:http and this file keep of a request without headers (measured: 1.9 KB), and of each text of a head. */
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
export class Turns {
  readonly #begin: Begin
  readonly #sockets: ReadonlySet<TurnSocket>
  readonly #onCut: (socket: Socket) => void
  readonly #bounds: TurnBounds
  /** Of connections on which something waits. */
  readonly #lines = new Set<Line>()
  /** Those whose turn has come, but not yet. */
  readonly #ready: Line[] = []
  #bytes = 0
  /** Until the event loop comes round. */
  #left = AT_ONCE
  #cuts = 0
  /** Until then, too. */
  readonly #pausedForNow: TurnSocket[] = []
  #isArmed = false

  /** @param sockets all there are; @param onCut is told of each that is cut because too much waits */
  constructor(
    begin: Begin,
    sockets: ReadonlySet<Socket>,
    onCut: (socket: Socket) => void,
    bounds: TurnBounds = BOUNDS,
  ) {
    this.#begin = begin
    this.#sockets = sockets
    this.#onCut = onCut
    this.#bounds = bounds
  }

  /** Begins when all before it are written; never, when the connection ends first. */
  take(request: IncomingMessage, response: ServerResponse): void {
    const socket: TurnSocket = request.socket
    const before = socket[LATEST]
    socket[LATEST] = response
    if (before === undefined || isWritten(before)) this.#begin(request, response)
    else this.#wait(before, socket, { begin: () => this.#begin(request, response), response, bytes: bytesOf(request) })
  }

  /** Begins what has no response of its own. */
  last(socket: TurnSocket, begin: () => void): void {
    const before = socket[LATEST]
    if (before === undefined || isWritten(before)) begin()
    else this.#wait(before, socket, { begin, response: null, bytes: REQUEST_BYTES })
  }

  /** Whether the socket is still owed an answer. */
  owes(socket: TurnSocket): boolean {
    const response = socket[LATEST]
    return response !== undefined && !isWritten(response)
  }

  #wait(before: ServerResponse, socket: TurnSocket, waiting: Waiting): void {
    // The rest of a packet whose beginning had the connection cut.
    if (socket.destroyed) return
    const line = (socket[LINE] ??= this.#lineOf(socket))
    if (line.waiting.length === 0) {
      this.#lines.add(line)
      before.once('finish', () => this.#advance(line))
    }
    line.waiting.push(waiting)
    this.#count(line, waiting.bytes)
    if (line.bytes > this.#bounds.connectionBytes) this.#cut(line)
    else if (this.#bytes > this.#bounds.totalBytes) this.#cut(this.#longest(line))
    else if (line.waiting.length >= PAUSED_AT && !line.willPause) {
      line.willPause = true
      // Not now: at the end of each request that it parses, node:http has the socket read on.
      process.nextTick(pauseIfLong, line)
    }
  }

  #lineOf(socket: TurnSocket): Line {
    const line: Line = { socket, waiting: [], bytes: 0, isPaused: false, willPause: false }
    withoutStacks(socket)
    socket.once('close', () => this.#forget(line))
    return line
  }

  #count(line: Line, bytes: number): void {
    line.bytes += bytes
    this.#bytes += bytes
  }

  #forget(line: Line): void {
    this.#lines.delete(line)
    this.#count(line, -line.bytes)
    line.waiting.length = 0
  }

  #cut(line: Line): void {
    this.#forget(line)
    line.socket.destroy()
    this.#onCut(line.socket)
    this.#cuts += 1
    if (this.#cuts === CUTS_AT_ONCE)
      for (const socket of this.#sockets)
        if (!socket.isPaused()) {
          socket.pause()
          this.#pausedForNow.push(socket)
        }
    this.#arm()
  }

  /** A look at every line, but each ends a connection, which costs its client and node:http more than that. */
  #longest(line: Line): Line {
    let longest = line
    for (const other of this.#lines) if (other.bytes > longest.bytes) longest = other
    return longest
  }

  /** What a connection sent ahead must not keep others waiting: after a few answers they are looked at. */
  #advance(line: Line): void {
    if (this.#left > 0) this.#next(line)
    else this.#ready.push(line)
    this.#arm()
  }

  #arm(): void {
    if (this.#isArmed) return
    this.#isArmed = true
    setImmediate(() => this.#comeRound())
  }

  #comeRound(): void {
    this.#isArmed = false
    this.#left = AT_ONCE
    this.#cuts = 0
    for (const socket of this.#pausedForNow.splice(0)) if (socket[LINE]?.isPaused !== true) socket.resume()
    for (const line of this.#ready.splice(0)) this.#advance(line)
  }

  #next(line: Line): void {
    const waiting = line.waiting.shift()
    // Nothing is begun on a connection that is closed or cut, or whose last write has just failed: of a response begun
    // then node:http would learn twice that it has ended, and that ends the process.
    if (waiting === undefined || !line.socket.writable) return
    this.#left -= 1
    this.#count(line, -waiting.bytes)
    if (line.waiting.length === 0) this.#lines.delete(line)
    else waiting.response?.once('finish', () => this.#advance(line))
    if (line.isPaused && line.waiting.length <= PAUSED_AT / 2) {
      line.isPaused = false
      line.socket.resume()
    }
    waiting.begin()
  }
}

/** Handed to the kernel, and node:http has taken note: by then it has closed the socket, or gone on to the next. */
function isWritten(response: ServerResponse): boolean {
  return response.writableFinished && response.socket === null
}

function bytesOf({ rawHeaders, url = '' }: IncomingMessage): number {
  let bytes = REQUEST_BYTES + url.length
  for (const text of rawHeaders) bytes += TEXT_BYTES + text.length
  return bytes
}

function pauseIfLong(line: Line): void {
  line.willPause = false
  if (line.waiting.length < PAUSED_AT) return
  line.isPaused = true
  line.socket.pause()
}

/**
 * When a connection closes, node:http makes an error for each request that waits. Their stack traces took 25 µs each,
 * more than to answer the request would have (measured), and nobody sees them.
 */
function withoutStacks(socket: Socket): void {
  const { stackTraceLimit } = Error
  socket.prependOnceListener('close', () => (Error.stackTraceLimit = 0))
  socket.once('close', () => (Error.stackTraceLimit = stackTraceLimit))
}
