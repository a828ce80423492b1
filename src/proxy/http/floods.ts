// Owns reading the connections of an address that floods: after all others, one at a time. Knows no request.
import type { Socket } from 'node:net'

/** Turns of the event loop in a row that may take new connections, before one that waits is read. */
const TAKEN_FIRST = 32

/** Calls back in the next turn of the event loop, after reading what has arrived. */
type NextTurn = (call: () => void) => void

/**
 * A packet of pipelined requests takes milliseconds to read, and nothing can stop node:http within it: with hundreds of
 * them no other connection is read for seconds. libuv takes one new connection a turn, however long a turn is. So, once a
 * connection was cut for a flood, further ones of its address wait as long as others are to be taken or read.
 */
export class Floods {
  readonly #sockets: ReadonlySet<Socket>
  readonly #nextTurn: NextTurn
  /** Not read, oldest first, by address. Every address in it is held, also one of which none waits now. */
  readonly #held = new Map<string, Set<Socket>>()
  #taken = false
  #turns = 0

  /** @param sockets all there are */
  constructor(sockets: ReadonlySet<Socket>, nextTurn: NextTurn = setImmediate) {
    this.#sockets = sockets
    this.#nextTurn = nextTurn
  }

  /** A connection has been taken. */
  add(socket: Socket): void {
    const address = socket.remoteAddress
    // Reset before it was taken: what it had sent would be read all the same, for nobody.
    if (address === undefined) return void socket.destroy()
    if (this.#held.size === 0) return
    this.#taken = true
    const held = this.#held.get(address)
    // Not now: node:http has just asked the socket to be read from the next tick on, which would undo it.
    if (held !== undefined) process.nextTick(hold, socket, held)
  }

  /** A connection has flooded, and was cut. */
  note({ remoteAddress: address }: Socket): void {
    if (address === undefined || this.#held.has(address)) return
    const held = new Set<Socket>()
    // A connection that was answered before goes on: its client may have to repeat a request.
    for (const socket of this.#sockets)
      if (socket.remoteAddress === address && socket.bytesWritten === 0 && !socket.isPaused()) hold(socket, held)
    this.#held.set(address, held)
    if (this.#held.size === 1) this.#nextTurn(() => this.#turn())
  }

  #turn(): void {
    if (!this.#taken || this.#turns === TAKEN_FIRST) {
      this.#turns = 0
      this.#readOne()
    } else this.#turns += 1
    this.#taken = false
    if (this.#held.size > 0) this.#nextTurn(() => this.#turn())
  }

  /** Of the address that has waited longest, which then waits longest again. */
  #readOne(): void {
    for (const [address, held] of this.#held) {
      this.#held.delete(address)
      const [socket] = held
      if (socket === undefined) continue
      held.delete(socket)
      this.#held.set(address, held)
      socket.resume()
      return
    }
  }
}

function hold(socket: Socket, held: Set<Socket>): void {
  held.add(socket)
  socket.once('close', () => held.delete(socket))
  socket.pause()
}
