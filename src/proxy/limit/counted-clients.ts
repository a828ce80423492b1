// Owns the clients that have begun a window and not used it up, in the order in which these windows end. Knows nothing
// of clients with nothing left.
import type { ClientKey } from './client-key.ts'

/** How many requests are to be counted: 0 only looks. */
export type Requests = 0 | 1

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

/** @param maxClients the most that `keep` will be asked for */
export function countedClients(limit: number, windowMs: number, maxClients: number) {
  const batchClients = Math.min(MAX_BATCH_CLIENTS, Math.ceil(maxClients / BATCHES))
  // There can be more batches only where nearly all clients of one use their windows up, and so leave it.
  const maxBatches = 2 * Math.ceil(maxClients / batchClients)
  const newestFirst: Batch[] = []
  let size = 0

  function begin(key: ClientKey, nowMs: number, endMs: number): void {
    while ((newestFirst.at(-1)?.endMs ?? Infinity) <= nowMs) dropOldest()
    let batch = newestFirst[0]
    if (batch === undefined || batch.windows.size >= batchClients || nowMs - batch.sinceMs >= windowMs) {
      batch = { sinceMs: nowMs, endMs, windows: new Map() }
      newestFirst.unshift(batch)
    }
    batch.windows.set(key, (endMs - batch.sinceMs) * limit + 1)
    batch.endMs = endMs
    size += 1
  }

  function dropOldest(): void {
    size -= newestFirst.pop()?.windows.size ?? 0
  }

  function forget({ windows }: Batch, key: ClientKey): void {
    if (windows.delete(key)) size -= 1
  }

  return {
    get size(): number {
      return size
    },

    /**
     * Counts so many requests, in a new window where none is open. A window that is used up with them is not kept here.
     * @returns the requests so far, with one that was just counted, and when the window ends
     */
    count(key: ClientKey, nowMs: number, requests: Requests) {
      for (const batch of newestFirst) {
        const state = batch.windows.get(key)
        if (state === undefined) continue
        const [used, endMs] = [(state % limit) + requests, batch.sinceMs + Math.floor(state / limit)]
        if (endMs <= nowMs) {
          forget(batch, key)
          break
        }
        if (used === limit) forget(batch, key)
        else if (requests > 0) batch.windows.set(key, state + requests)
        return { used, endMs }
      }
      const endMs = nowMs + windowMs
      if (requests > 0 && limit > 1) begin(key, nowMs, endMs)
      return { used: requests, endMs }
    },

    /** Forgets the clients whose windows end first, by whole batches, until there are no more than so many. */
    keep(most: number): void {
      while (size > most || newestFirst.length > maxBatches) dropOldest()
    },
  }
}
