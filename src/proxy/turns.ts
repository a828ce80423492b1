// Owns whose turn it is on a connection: requests may be pipelined, answers come one at a time. Knows no request.
import type { ServerResponse } from 'node:http'
import type { Socket } from 'node:net'

/**
 * node:http hands over pipelined requests at once and queues what is written. But a queued response whose connection
 * ends is never closed, so an open file behind it would stay open; and 64 KiB of request lines would open hundreds.
 */
export class Turns {
  readonly #latest = new WeakMap<Socket, ServerResponse>()

  /** Begins `response` when all before it are written; never, when the connection ends first. */
  take(socket: Socket, response: ServerResponse, begin: () => void): void {
    const before = this.#latest.get(socket)
    this.#latest.set(socket, response)
    whenWritten(before, socket, begin)
  }

  /** Begins what has no response of its own. */
  last(socket: Socket, begin: () => void): void {
    whenWritten(this.#latest.get(socket), socket, begin)
  }

  /** Whether the socket is still owed an answer. */
  owes(socket: Socket): boolean {
    const response = this.#latest.get(socket)
    return response !== undefined && !isWritten(response)
  }
}

function whenWritten(response: ServerResponse | undefined, socket: Socket, begin: () => void): void {
  if (response === undefined || isWritten(response)) begin()
  else response.once('finish', () => socket.destroyed || begin())
}

/** Handed to the kernel, and node:http has taken note: by then it has closed the socket, or gone on to the next. */
function isWritten(response: ServerResponse): boolean {
  return response.writableFinished && response.socket === null
}
