// Owns counting requests per client in fixed windows, and the store that does it in this process's memory. Knows
// nothing of HTTP, addresses or headers.
import type { ClientKey } from './client-key.ts'
import { CountedClients } from './counted-clients.ts'
import { ExhaustedClients } from './exhausted-clients.ts'

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
/** So many take 400 MB (npm run torture -- --only clients). */
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
 * The attack to prevent: to forget a client is to give it a new window, so a client that has used one up could
 * send a flood from other addresses to push that record out. Therefore exhausted clients are kept apart, out of reach
 * of the others. They get half of the places at most, so that one person with many addresses cannot leave too little
 * room to count everybody else.
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
}): MemoryRateLimiter {
  const { limit, windowMs, maxClients, monotonicMs = () => performance.now() } = options
  const startMs = monotonicMs()
  const now = (): number => Math.floor(monotonicMs() - startMs)
  const counted = new CountedClients({ limit, windowMs, maxClients })
  const exhausted = new ExhaustedClients(Math.floor(maxClients / 2))

  return {
    take(key) {
      const nowMs = now()
      exhausted.forget(nowMs)
      const exhaustedEndMs = exhausted.endMs(key)
      if (exhaustedEndMs > nowMs) return { allowed: false, remaining: 0, resetInMs: exhaustedEndMs - nowMs }
      const { used, endMs } = counted.count(key, nowMs)
      if (used === limit) exhausted.add(key, endMs)
      counted.keep(maxClients - exhausted.size)
      return { allowed: true, remaining: limit - used, resetInMs: endMs - nowMs }
    },
    peek(key) {
      const nowMs = now()
      const exhaustedEndMs = exhausted.endMs(key)
      if (exhaustedEndMs > nowMs) return { allowed: false, remaining: 0, resetInMs: exhaustedEndMs - nowMs }
      const open = counted.openWindow(key, nowMs)
      if (open === undefined) return { allowed: true, remaining: limit, resetInMs: windowMs }
      return { allowed: true, remaining: limit - open.used, resetInMs: open.endMs - nowMs }
    },
    get clients() {
      return counted.size + exhausted.size
    },
    storeDown: false,
    close: () => Promise.resolve(),
  }
}
