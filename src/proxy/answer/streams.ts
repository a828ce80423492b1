// Owns how many large answers may be under way, in total and for one client: each takes memory and an open file until it
// is read. Knows no HTTP.
import type { Readable } from 'node:stream'
import type { ClientKey } from '../limit/client-key.ts'

export const MAX_STREAMS = 512

/** Of all places, for one client: else one client could take them all. */
const SHARE = 1 / 16

/** A socket takes so much at once: such an answer is gone before it could be counted. */
const SMALL_BYTES = 64 << 10

export function isLarge(bytes: number): boolean {
  return bytes > SMALL_BYTES
}

/** Every place is taken, or every one that this client may have. */
export class StreamsFull extends Error {
  override readonly name = 'StreamsFull'
}

export interface Opened<S> {
  readonly stream: S
  /** Gives the place back; once. */
  readonly done: () => void
}

export class Streams {
  readonly max: number
  readonly #perClient: number
  readonly #clients = new Map<ClientKey, number>()
  #underWay = 0

  constructor(max: number) {
    this.max = max
    this.#perClient = Math.max(1, Math.floor(max * SHARE))
  }

  get underWay(): number {
    return this.#underWay
  }

  /** @throws StreamsFull, and whatever `open` does */
  async open<S extends Readable | null>(client: ClientKey, bytes: number, open: () => Promise<S>): Promise<Opened<S>> {
    if (!isLarge(bytes)) return { stream: await open(), done: () => undefined }
    const done = this.take(client)
    try {
      return { stream: await open(), done }
    } catch (error) {
      done()
      throw error
    }
  }

  /** For an answer that is in memory already. @returns what gives the place back; once. @throws StreamsFull */
  take(client: ClientKey): () => void {
    const own = this.#clients.get(client) ?? 0
    if (this.#underWay >= this.max || own >= this.#perClient) throw new StreamsFull()
    this.#underWay += 1
    this.#clients.set(client, own + 1)
    let isTaken = true
    return () => {
      if (!isTaken) return
      isTaken = false
      this.#underWay -= 1
      const left = (this.#clients.get(client) ?? 1) - 1
      if (left === 0) this.#clients.delete(client)
      else this.#clients.set(client, left)
    }
  }
}
