// Owns how many large answers may be under way, in total and for one client: each takes memory, and perhaps an open file, until
// it is read. Knows no headers.
import type { ServerResponse } from 'node:http'
import type { ClientKey } from '../limit/client-key.ts'

export const MAX_STREAMS = 512

/** The share of all places that one client may have: otherwise one could take them all. */
const SHARE = 1 / 16

/** A socket takes this much at once: a smaller answer is gone before it could be counted. */
const SMALL_BYTES = 64 << 10

/** Thrown where every place is taken, or every one that this client may have. */
export class StreamsFull extends Error {}

export type Streams = ReturnType<typeof streamPlaces>

export function streamPlaces(max: number) {
  const perClient = Math.max(1, Math.floor(max * SHARE))
  const clients = new Map<ServerResponse, ClientKey>()
  const isCrowded = (client: ClientKey): boolean =>
    clients.size >= max || Array.from(clients.values()).filter((one) => one === client).length >= perClient
  return {
    max,
    get underWay(): number {
      return clients.size
    },
    /** Takes the place of an answer, if it is a large one, until its response has closed. @throws StreamsFull */
    take(response: ServerResponse, client: ClientKey, bytes: number): void {
      if (bytes <= SMALL_BYTES || clients.has(response)) return
      if (isCrowded(client)) throw new StreamsFull()
      // A closed response emits no further event.
      if (response.closed) return
      clients.set(response, client)
      response.once('close', () => clients.delete(response))
    },
  }
}
