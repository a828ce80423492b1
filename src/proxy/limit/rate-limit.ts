// Owns counting requests per client in fixed windows, and the store that does it in this process's memory. Knows
// nothing of HTTP, addresses or headers.
import type { ClientKey } from './client-key.ts'

/** How many requests are to be counted: 0 only looks. */
export type Requests = 0 | 1

export interface RateState {
  /** this request is within the limit; where it only looks, the next one would be */
  readonly allowed: boolean
  readonly remaining: number
  /** until the window ends; a client without a window sees a whole one */
  readonly resetInMs: number
}

export interface RateLimiter {
  /** Counts one request, or shows the state. */
  take(key: ClientKey, requests?: Requests): RateState | Promise<RateState>
  /** clients remembered in this process */
  readonly clients: number
  /** Whether the store shared with other proxies does not answer, so that this process counts alone. */
  readonly storeDown: boolean
  close(): void
}

/** Answers at once. */
export type MemoryRateLimiter = ReturnType<typeof createMemoryRateLimiter>

export const MAX_RATE_LIMIT = 100_000
export const MAX_RATE_WINDOW_MS = 86_400_000
/** This many clients take 400 MB (npm run torture -- --only clients). */
export const MAX_RATE_CLIENTS = 10_000_000

/**
 * The attack to prevent: to forget a client is to give it a new window, so a client that has used one up could send a
 * flood from other addresses to push that record out. Therefore exhausted clients are kept apart, out of reach of the
 * others. They get half of the places at most, so that one person with many addresses cannot leave too little room to
 * count everybody else: beyond that, those exhausted first are forgotten, a quarter of the places at once.
 *
 * @param options.limit 1..100000 requests
 * @param options.windowMs 1..86400000 (24 h)
 * @param options.maxClients 2..10000000, of both kinds together; for more, an eighth of the others are forgotten at once,
 * or 262,144 of them, those whose windows end first
 */
export function createMemoryRateLimiter(options: {
  limit: number
  windowMs: number
  maxClients: number
  monotonicMs?: () => number
}) {
  const { limit, windowMs, maxClients, monotonicMs = () => performance.now() } = options
  const startMs = monotonicMs()
  const now = (): number => Math.floor(monotonicMs() - startMs)
  const counted = countedClients(limit, windowMs, maxClients)
  /** When the windows end that were used up: since an instant, and before it. */
  let [exhausted, exhaustedBefore] = [new Map<ClientKey, number>(), new Map<ClientKey, number>()]
  let sinceMs = 0
  const beginAt = (nowMs: number): void => {
    ;[exhausted, exhaustedBefore] = [new Map(), exhausted]
    sinceMs = nowMs
  }
  return {
    take(key: ClientKey, requests: Requests = 1): RateState {
      const nowMs = now()
      // All windows that were used up before have ended.
      if (nowMs - sinceMs >= windowMs) beginAt(nowMs)
      const exhaustedEndMs = exhausted.get(key) ?? exhaustedBefore.get(key) ?? 0
      if (exhaustedEndMs > nowMs) return { allowed: false, remaining: 0, resetInMs: exhaustedEndMs - nowMs }
      const { used, endMs } = counted.count(key, nowMs, requests)
      if (used === limit) {
        if (exhausted.size >= maxClients / 4) beginAt(nowMs)
        exhausted.set(key, endMs)
      }
      counted.keep(maxClients - exhausted.size - exhaustedBefore.size)
      return { allowed: true, remaining: limit - used, resetInMs: endMs - nowMs }
    },
    get clients(): number {
      return counted.size + exhausted.size + exhaustedBefore.size
    },
    storeDown: false,
    close() {},
  }
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

/**
 * The clients that have begun a window and not used it up, in the order in which these windows end.
 * @param maxClients the most that `keep` will be asked for
 */
function countedClients(limit: number, windowMs: number, maxClients: number) {
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
