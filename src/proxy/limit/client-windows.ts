// Owns the windows of clients, in the order in which they end, and which are forgotten when there are too many. Knows
// nothing of requests.
import type { ClientKey } from './client-key.ts'

export interface RateWindow {
  /** requests, at most the limit */
  readonly used: number
  readonly endMs: number
}

/**
 * All windows are of one length, so they end in the order in which they begin. Therefore nobody ever moves, and a batch
 * goes as a whole: when its last window has ended, or when others need the room, and then its records matter least.
 */
interface Batch {
  readonly sinceMs: number
  /** of its last window */
  endMs: number
  /**
   * By client: the window's end in ms after `sinceMs`, times limit + 1, plus the requests used (1..limit). By default that
   * stays below 2^31, up to which V8 keeps a number in the table itself, without 16 bytes more.
   */
  readonly windows: Map<ClientKey, number>
  /** Whether a client in it is exhausted. */
  hasExhausted: boolean
}

/** One of so many is forgotten at once; each costs a look-up. */
const BATCHES = 8

/** A Map that outgrows its table stops the process while it moves into one of twice the size: 10 ms for so many. */
const MAX_BATCH_CLIENTS = 262_144

/**
 * The attack to prevent: to forget a client is to give it a new window, so a client that has used one up could
 * send a flood from other addresses to push that record out. Therefore exhausted clients are kept apart when
 * their batch goes, out of reach of the others. They get half of the places at most, so that one person with many
 * addresses cannot leave too little room to count everybody else.
 */
export class ClientWindows {
  readonly #limit: number
  readonly #windowMs: number
  readonly #maxClients: number
  readonly #batchClients: number
  readonly #newestFirst: Batch[] = []
  /** Exhausted clients whose batch is gone, and when their windows end, the first one first. */
  readonly #exhausted = new Map<ClientKey, number>()
  #counted = 0

  constructor(options: { limit: number; windowMs: number; maxClients: number }) {
    const { limit, windowMs, maxClients } = options
    this.#limit = limit
    this.#windowMs = windowMs
    this.#maxClients = maxClients
    this.#batchClients = Math.min(MAX_BATCH_CLIENTS, Math.ceil(maxClients / BATCHES))
  }

  get size(): number {
    return this.#counted + this.#exhausted.size
  }

  /** The client's window, unchanged; undefined when none is open. */
  open(key: ClientKey, nowMs: number): RateWindow | undefined {
    for (const batch of this.#newestFirst) {
      const state = batch.windows.get(key)
      if (state === undefined) continue
      const window = this.#windowOf(batch, state)
      return window.endMs > nowMs ? window : undefined
    }
    const endMs = this.#exhausted.get(key) ?? nowMs
    return endMs > nowMs ? { used: this.#limit, endMs } : undefined
  }

  /** Counts one request, if it is within the limit, in a new window where none is open. */
  count(key: ClientKey, nowMs: number): RateWindow & { readonly allowed: boolean } {
    for (const batch of this.#newestFirst) {
      const state = batch.windows.get(key)
      if (state === undefined) continue
      const { used, endMs } = this.#windowOf(batch, state)
      if (endMs <= nowMs) {
        batch.windows.delete(key)
        this.#counted -= 1
        break
      }
      if (used === this.#limit) return { allowed: false, used, endMs }
      batch.windows.set(key, state + 1)
      if (used + 1 === this.#limit) batch.hasExhausted = true
      return { allowed: true, used: used + 1, endMs }
    }
    const endMs = this.#exhausted.get(key) ?? nowMs
    if (endMs > nowMs) return { allowed: false, used: this.#limit, endMs }
    this.#exhausted.delete(key)
    return this.#begin(key, nowMs)
  }

  #begin(key: ClientKey, nowMs: number): RateWindow & { readonly allowed: true } {
    const endMs = nowMs + this.#windowMs
    let batch = this.#newestFirst[0]
    if (batch === undefined || batch.windows.size >= this.#batchClients || nowMs - batch.sinceMs >= this.#windowMs) {
      batch = { sinceMs: nowMs, endMs, windows: new Map(), hasExhausted: false }
      this.#newestFirst.unshift(batch)
    }
    batch.windows.set(key, (endMs - batch.sinceMs) * (this.#limit + 1) + 1)
    batch.endMs = endMs
    batch.hasExhausted ||= this.#limit === 1
    this.#counted += 1
    this.#makeRoom(nowMs)
    return { allowed: true, used: 1, endMs }
  }

  #windowOf({ sinceMs }: Batch, state: number): RateWindow {
    return { used: state % (this.#limit + 1), endMs: sinceMs + Math.floor(state / (this.#limit + 1)) }
  }

  #makeRoom(nowMs: number): void {
    for (let oldest = this.#newestFirst.at(-1); oldest !== undefined; oldest = this.#newestFirst.at(-1)) {
      if (oldest.endMs > nowMs && this.size <= this.#maxClients) return
      this.#newestFirst.pop()
      this.#counted -= oldest.windows.size
      if (oldest.hasExhausted && oldest.endMs > nowMs) this.#keepExhausted(oldest)
      for (const [key, endMs] of this.#exhausted) {
        if (endMs > nowMs && this.#exhausted.size <= this.#maxClients / 2) break
        this.#exhausted.delete(key)
      }
    }
  }

  #keepExhausted(batch: Batch): void {
    for (const [key, state] of batch.windows) {
      const { used, endMs } = this.#windowOf(batch, state)
      if (used === this.#limit) this.#exhausted.set(key, endMs)
    }
  }
}
