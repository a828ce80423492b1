// Owns the clients that have begun a window and not used it up, in the order in which these windows end. Knows nothing
// of clients with nothing left.
import type { ClientKey } from './client-key.ts'

/** How many requests are to be counted: 0 only looks. */
export type Requests = 0 | 1

export interface RateWindow {
  /** requests so far, with one that was just counted */
  readonly used: number
  readonly endMs: number
}

/**
 * All windows are of one length, so they end in the order in which they begin. Therefore nobody ever moves, and a batch
 * goes as a whole: when its last window has ended, or when others need the room, and then its records matter least.
 */
interface Batch {
  readonly sinceMs: number
  /** when its last window ends */
  endMs: number
  /**
   * For each client, the window's end in ms after `sinceMs`, times limit, plus the requests used (1..limit-1). By default that
   * stays below 2^31, up to which V8 keeps a number in the table itself, without 16 bytes more.
   */
  readonly windows: Map<ClientKey, number>
}

/** The clients are in so many batches: one is forgotten at once; each costs a look-up. */
const BATCHES = 8

/** A Map that outgrows its table stops the process while it moves into one of twice the size: 10 ms for so many. */
const MAX_BATCH_CLIENTS = 262_144

export class CountedClients {
  readonly #limit: number
  readonly #windowMs: number
  readonly #batchClients: number
  readonly #maxBatches: number
  readonly #newestFirst: Batch[] = []
  #size = 0

  /** @param options.maxClients the most that `keep` will be asked for */
  constructor(options: { limit: number; windowMs: number; maxClients: number }) {
    const { limit, windowMs, maxClients } = options
    this.#limit = limit
    this.#windowMs = windowMs
    this.#batchClients = Math.min(MAX_BATCH_CLIENTS, Math.ceil(maxClients / BATCHES))
    // There can be more batches only where nearly all clients of one use their windows up, and so leave it.
    this.#maxBatches = 2 * Math.ceil(maxClients / this.#batchClients)
  }

  get size(): number {
    return this.#size
  }

  /** Counts so many requests, in a new window where none is open. A window that is used up with them is not kept here. */
  count(key: ClientKey, nowMs: number, requests: Requests): RateWindow {
    for (const batch of this.#newestFirst) {
      const state = batch.windows.get(key)
      if (state === undefined) continue
      const { used, endMs } = this.#windowOf(batch, state)
      if (endMs <= nowMs) {
        this.#forget(batch, key)
        break
      }
      if (used + requests === this.#limit) this.#forget(batch, key)
      else if (requests > 0) batch.windows.set(key, state + requests)
      return { used: used + requests, endMs }
    }
    const endMs = nowMs + this.#windowMs
    if (requests > 0 && this.#limit > 1) this.#begin(key, nowMs, endMs)
    return { used: requests, endMs }
  }

  /** Forgets the clients whose windows end first, by whole batches, until there are no more than so many. */
  keep(maxClients: number): void {
    while (this.#size > maxClients || this.#newestFirst.length > this.#maxBatches) this.#dropOldest()
  }

  #begin(key: ClientKey, nowMs: number, endMs: number): void {
    while ((this.#newestFirst.at(-1)?.endMs ?? Infinity) <= nowMs) this.#dropOldest()
    let batch = this.#newestFirst[0]
    if (batch === undefined || batch.windows.size >= this.#batchClients || nowMs - batch.sinceMs >= this.#windowMs) {
      batch = { sinceMs: nowMs, endMs, windows: new Map() }
      this.#newestFirst.unshift(batch)
    }
    batch.windows.set(key, (endMs - batch.sinceMs) * this.#limit + 1)
    batch.endMs = endMs
    this.#size += 1
  }

  #windowOf({ sinceMs }: Batch, state: number): RateWindow {
    return { used: state % this.#limit, endMs: sinceMs + Math.floor(state / this.#limit) }
  }

  #dropOldest(): void {
    this.#size -= this.#newestFirst.pop()?.windows.size ?? 0
  }

  #forget(batch: Batch, key: ClientKey): void {
    if (batch.windows.delete(key)) this.#size -= 1
  }
}
