// Owns when connections of an address that floods are read: after all others, one at a time. Knows no request.
import type { Socket } from 'node:net'

/** How many iterations of the event loop in a row may take new connections, before a paused one is read. */
const TAKEN_FIRST = 32

/** How many paused connections of an address are kept, the newest: those of a trusted proxy are not counted, and would take all memory. */
const MAX_PAUSED = 2_048

/**
 * A packet of pipelined requests takes milliseconds to read, and nothing can stop node:http within it: with hundreds of
 * them no other connection is read for seconds. libuv takes one new connection an iteration, however long that is. So, once
 * a connection was cut for a flood, further ones of its address are paused while there are others to take or read.
 * @param sockets all there are
 * @param nextIteration calls back in the next iteration of the event loop, after reading what has arrived
 */
export function pausedFloods(sockets: ReadonlySet<Socket>, nextIteration: (call: () => void) => void = setImmediate) {
  /** The paused ones by address, oldest first. All new connections of these addresses are paused, even if none waits at the moment. */
  const pausedOf = new Map<string, Set<Socket>>()
  let hasTaken = false
  let iterations = 0

  function iterate(): void {
    if (!hasTaken || iterations === TAKEN_FIRST) {
      iterations = 0
      resumeOne()
    } else iterations += 1
    hasTaken = false
    if (pausedOf.size > 0) nextIteration(iterate)
  }

  /** Resumes one connection of the next address, round-robin. */
  function resumeOne(): void {
    for (const [address, paused] of pausedOf) {
      pausedOf.delete(address)
      const [socket] = paused
      if (socket === undefined) continue
      paused.delete(socket)
      pausedOf.set(address, paused)
      socket.resume()
      return
    }
  }

  return {
    /** Is told that a connection has been taken, if only to refuse it. */
    took(): void {
      hasTaken = pausedOf.size > 0
    },

    /** Is told that a connection is kept; pauses it where its address floods. */
    add(socket: Socket): void {
      const address = socket.remoteAddress
      // It was reset before it was taken: what it had sent would be read all the same, for nobody.
      if (address === undefined) return void socket.destroy()
      const paused = pausedOf.get(address)
      // A pause now would be undone: node:http has just asked the socket to be read from the next tick on.
      if (paused !== undefined) process.nextTick(pause, socket, paused)
    },

    /** Is told that a connection has flooded, and was cut. */
    note({ remoteAddress: address }: Socket): void {
      if (address === undefined || pausedOf.has(address)) return
      const paused = new Set<Socket>()
      // A connection that was answered before goes on: its client may have to repeat a request.
      for (const socket of sockets)
        if (socket.remoteAddress === address && socket.bytesWritten === 0 && !socket.isPaused()) pause(socket, paused)
      pausedOf.set(address, paused)
      if (pausedOf.size === 1) nextIteration(iterate)
    },
  }
}

function pause(socket: Socket, paused: Set<Socket>): void {
  const [oldest] = paused
  if (paused.size >= MAX_PAUSED) oldest?.destroy()
  paused.add(socket)
  socket.once('close', () => paused.delete(socket))
  socket.pause()
}
