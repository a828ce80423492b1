// Owns the turn of connections to be read, of an address that floods: they come after everybody else's, one at a time.
// Knows no request.
import type { Socket } from 'node:net'

/** Turns of the event loop in a row that may go to taking connections, before one of those that wait is read all the same. */
const TAKEN_FIRST = 32

/** What is needed of the time between: to be called in the next turn of the event loop, after what has arrived. */
type NextTurn = (call: () => void) => void

/**
 * A packet of requests sent ahead takes milliseconds to read, and nothing can stop node:http within it: with hundreds of
 * them nobody else is read for seconds. And of new connections libuv takes one a turn, however long that is. So, once a
 * connection was cut for a flood, what else its address opens waits, as long as there are others to be taken or read.
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

  /** One has flooded, and was cut. */
  note({ remoteAddress: address }: Socket): void {
    if (address === undefined || this.#held.has(address)) return
    const held = new Set<Socket>()
    // Whoever was answered before goes on: what it asked for then, it may have to ask again.
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
