// Owns counting requests per client in fixed windows, and the store that does it in this process's memory. Knows
// nothing of HTTP, addresses or headers.
import { LRUCache } from 'lru-cache'
import type { ClientKey } from './client-key.ts'

export interface RateState {
  /** take: this request is within the limit; peek: the next one would be */
  readonly allowed: boolean
  readonly remaining: number
  /** until the window ends; a client without a window sees a whole one */
  readonly resetInMs: number
}

export interface RateLimiter {
  /** Counts one request. */
  take(key: ClientKey): RateState | Promise<RateState>
  /** Shows the state, unchanged. */
  peek(key: ClientKey): RateState | Promise<RateState>
  /** clients remembered in this process */
  readonly clients: number
  /** Whether the store shared with other proxies does not answer, so that this process counts alone. */
  readonly storeDown: boolean
  close(): Promise<void>
}

export interface MemoryRateLimiter extends RateLimiter {
  take(key: ClientKey): RateState
  peek(key: ClientKey): RateState
}

export const MAX_RATE_LIMIT = 100_000
export const MAX_RATE_WINDOW_MS = 86_400_000
/** A Map holds 2^24 entries at most in V8, and throws at the next one. */
export const MAX_RATE_CLIENTS = 10_000_000

/** X-RateLimit-Reset. Only here does the wall clock enter: a window neither shrinks nor grows when that clock is set. */
export function resetUnixSeconds(nowWallMs: number, resetInMs: number): number {
  return Math.ceil((nowWallMs + resetInMs) / 1000)
}

/** Retry-After; never 0, which would invite the client to come back at once. */
export function retryAfterSeconds(resetInMs: number): number {
  return Math.max(1, Math.ceil(resetInMs / 1000))
}

/**
 * The attack this is built against: to forget a client is to give it a new window, so whoever has used one up could
 * send a flood from other addresses to push that record out. Therefore clients with nothing left are kept apart, out
 * of reach of the others. They get half of the places at most, so that somebody with many addresses cannot leave too
 * little room for counting everybody else.
 *
 * @param options.limit 1..100000 requests
 * @param options.windowMs 1..86400000 (24 h)
 * @param options.maxClients 2..10000000, of both kinds together; beyond that the least recently seen is forgotten, of
 * about 65,536 where there are more
 */
export function createMemoryRateLimiter(options: {
  limit: number
  windowMs: number
  maxClients: number
  monotonicMs?: () => number
}): MemoryRateLimiter {
  const { limit, windowMs, maxClients, monotonicMs = () => performance.now() } = options
  requireWhole('limit', limit, 1, MAX_RATE_LIMIT)
  requireWhole('windowMs', windowMs, 1, MAX_RATE_WINDOW_MS)
  requireWhole('maxClients', maxClients, 2, MAX_RATE_CLIENTS)
  const startMs = monotonicMs()
  const now = (): number => Math.floor(monotonicMs() - startMs)

  // One number per client: the window's end in ms since the start, times limit, plus the requests used (1..limit-1).
  // Exact below 2^53: for 2,800 years of uptime at limit 100, and for 2.8 years at the highest limit.
  const counted = new CountedClients(maxClients)
  const spent = new SpentClients(Math.floor(maxClients / 2))

  return {
    take(key) {
      const nowMs = now()
      spent.forget(nowMs)
      const spentEndMs = spent.endMs(key)
      if (spentEndMs > nowMs) return { allowed: false, remaining: 0, resetInMs: spentEndMs - nowMs }
      const state = counted.peek(key)
      let used = state === undefined ? 0 : state % limit
      let endMs = state === undefined ? 0 : (state - used) / limit
      if (endMs <= nowMs) {
        used = 0
        endMs = nowMs + windowMs
      }
      used += 1
      if (used === limit) {
        counted.delete(key)
        spent.add(key, endMs)
      } else {
        if (state === undefined && counted.size + spent.size >= maxClients) counted.forgetFor(key)
        counted.set(key, endMs * limit + used)
      }
      return { allowed: true, remaining: limit - used, resetInMs: endMs - nowMs }
    },
    peek(key) {
      const nowMs = now()
      const spentEndMs = spent.endMs(key)
      if (spentEndMs > nowMs) return { allowed: false, remaining: 0, resetInMs: spentEndMs - nowMs }
      const state = counted.peek(key) ?? 0
      const used = state % limit
      const endMs = (state - used) / limit
      if (endMs <= nowMs) return { allowed: true, remaining: limit, resetInMs: windowMs }
      return { allowed: true, remaining: limit - used, resetInMs: endMs - nowMs }
    },
    get clients() {
      return counted.size + spent.size
    },
    storeDown: false,
    close() {
      counted.clear()
      spent.clear()
      return Promise.resolve()
    },
  }
}

function requireWhole(name: string, value: number, min: number, max: number): void {
  if (!Number.isInteger(value) || value < min || value > max)
    throw new RangeError(`${name} ${value}: whole numbers from ${min} to ${max} are allowed`)
}

/**
 * A Map that outgrows its table moves into one of twice the size: for a million clients a stall of up to 248 ms, with these
 * of up to 48 ms (measured).
 */
const SHARD_CLIENTS = 65_536

/** Clients under their limit, a number for each; in shards, by a hash of their key. Whoever uses it bounds how many. */
class CountedClients {
  readonly #shards: readonly LRUCache<ClientKey, number>[]
  #size = 0

  constructor(maxClients: number) {
    // Bounded by maxSize, not by max, for which lru-cache fills arrays at the start: 77 ms and 16 MiB at a million.
    const bound = { maxSize: maxClients, sizeCalculation: () => 1 }
    this.#shards = Array.from({ length: Math.ceil(maxClients / SHARD_CLIENTS) }, () => new LRUCache(bound))
  }

  get size(): number {
    return this.#size
  }

  peek(key: ClientKey): number | undefined {
    return this.#of(key).peek(key)
  }

  set(key: ClientKey, value: number): void {
    const shard = this.#of(key)
    const before = shard.size
    shard.set(key, value)
    this.#size += shard.size - before
  }

  delete(key: ClientKey): void {
    const shard = this.#of(key)
    if (!shard.has(key)) return
    this.#size -= 1
    // delete of the only entry wipes whole arrays, as long as they ever were; pop does not.
    if (shard.size === 1) shard.pop()
    else shard.delete(key)
  }

  /** Makes room: of the shard that the key belongs to, the least recently seen goes. */
  forgetFor(key: ClientKey): void {
    const own = this.#of(key)
    const shard = own.size > 0 ? own : this.#shards.find(({ size }) => size > 0)
    if (shard?.pop() !== undefined) this.#size -= 1
  }

  clear(): void {
    for (const shard of this.#shards) shard.clear()
    this.#size = 0
  }

  #of(key: ClientKey): LRUCache<ClientKey, number> {
    const shard = this.#shards[hashOf(key) % this.#shards.length]
    if (shard === undefined) throw new RangeError('no shard')
    return shard
  }
}

/** Multiplicative (Knuth, The Art of Computer Programming 6.4); neighbours share their first bits. */
function hashOf(key: ClientKey): number {
  let bits = 0
  if (typeof key === 'number') bits = key
  else for (let i = 0; i < key.length; i++) bits = Math.imul(bits, 31) + key.charCodeAt(i)
  return Math.imul(bits, 0x9e3779b1) >>> 16
}

/** Removing more than one a call lets a backlog (a quiet night) shrink; removing all would stop the process for it. */
const FORGET_PER_CALL = 4

/**
 * Clients that used their window up, until its end; when full, the one whose window ends first goes. They arrive in
 * the order of their last request, not of their windows, so a binary heap by end keeps that one on top: O(log n), and
 * only once per `limit` requests of a client. A window's end never changes while it is here, so nothing ever moves in
 * the heap but through add and the removal of the top. An lru-cache's recency order would be of no use.
 */
class SpentClients {
  readonly #capacity: number
  readonly #endMsByKey = new Map<ClientKey, number>()
  // The heap, as two parallel arrays. An ended client that comes back before it was removed leaves its old place
  // behind, recognised by its end. The heap has at most one place more than capacity, because while it has any ended
  // one each call removes up to FORGET_PER_CALL and adds at most one.
  readonly #endsMs: number[] = []
  readonly #keys: ClientKey[] = []

  constructor(capacity: number) {
    this.#capacity = capacity
  }

  get size(): number {
    return this.#endMsByKey.size
  }

  /** 0 for a client that is not here; a past end for one that is not yet removed */
  endMs(key: ClientKey): number {
    return this.#endMsByKey.get(key) ?? 0
  }

  add(key: ClientKey, endMs: number): void {
    this.#endMsByKey.set(key, endMs)
    let place = this.#endsMs.length
    while (place > 0) {
      const parent = (place - 1) >> 1
      if (this.#endAt(parent) <= endMs) break
      this.#move(parent, place)
      place = parent
    }
    this.#endsMs[place] = endMs
    this.#keys[place] = key
    while (this.#endMsByKey.size > this.#capacity) this.#removeTop()
  }

  /** Removes a few of the clients whose window has ended. */
  forget(nowMs: number): void {
    for (let i = 0; i < FORGET_PER_CALL && this.#endAt(0) <= nowMs; i++) this.#removeTop()
  }

  clear(): void {
    this.#endMsByKey.clear()
    this.#endsMs.length = 0
    this.#keys.length = 0
  }

  #removeTop(): void {
    const key = this.#keys[0]
    if (key !== undefined && this.#endMsByKey.get(key) === this.#endsMs[0]) this.#endMsByKey.delete(key)
    const endMs = this.#endsMs.pop()
    const last = this.#keys.pop()
    const length = this.#endsMs.length
    if (endMs === undefined || last === undefined || length === 0) return
    let place = 0
    for (;;) {
      let child = 2 * place + 1
      if (child + 1 < length && this.#endAt(child + 1) < this.#endAt(child)) child += 1
      if (child >= length || this.#endAt(child) >= endMs) break
      this.#move(child, place)
      place = child
    }
    this.#endsMs[place] = endMs
    this.#keys[place] = last
  }

  #endAt(place: number): number {
    return this.#endsMs[place] ?? Infinity
  }

  #move(from: number, to: number): void {
    const [endMs, key] = [this.#endsMs[from], this.#keys[from]]
    if (endMs === undefined || key === undefined) return
    this.#endsMs[to] = endMs
    this.#keys[to] = key
  }
}
