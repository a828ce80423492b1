// Owns counting requests per client in a Redis or Valkey shared by several proxies, and what happens without it. Knows
// nothing of HTTP. The only file that loads @redis/client: import it only when such a store is configured.
import { createClient, defineScript, ErrorReply, type CommandParser } from '@redis/client'
import { reasonOf } from '../../process/cli-error.ts'
import type { Log } from '../../process/log.ts'
import type { ClientKey } from './client-key.ts'
import type { Requests } from './counted-clients.ts'
import type { RedisAddress } from './redis-address.ts'
import {
  MAX_RATE_LIMIT,
  MAX_RATE_WINDOW_MS,
  type MemoryRateLimiter,
  type RateLimiter,
  type RateState,
} from './rate-limit.ts'

// The script answers [allowed, used, ms until the window's end]; ARGV has limit, window, and 1 to count a request or 0 to look.
// One script is one step for the store, so that proxies that count at the same time never let more than `limit` through. A key
// without an expiry (somebody ran PERSIST) would limit its client for ever: PTTL -1 is treated as no window, like -2, no key.
const COUNT = defineScript({
  SCRIPT: `
local left = redis.call('PTTL', KEYS[1])
if left < 0 then
  if ARGV[3] == '1' then redis.call('SET', KEYS[1], 1, 'PX', ARGV[2]) end
  return {1, tonumber(ARGV[3]), tonumber(ARGV[2])}
end
local used = tonumber(redis.call('GET', KEYS[1]))
if used >= tonumber(ARGV[1]) then return {0, used, left} end
return {1, redis.call('INCRBY', KEYS[1], ARGV[3]), left}`,
  NUMBER_OF_KEYS: 1,
  parseCommand(parser: CommandParser, key: string, limit: number, windowMs: number, requests: Requests) {
    parser.pushKey(key)
    parser.push(String(limit), String(windowMs), String(requests))
  },
  transformReply: (reply: unknown): unknown => reply,
})

const PROBE_LIMIT = Number.MAX_SAFE_INTEGER
export const REDIS_TIMES = {
  /** A store in the same network answers within 5 ms; no client should wait much longer for a broken one. */
  commandMs: 250,
  probeEveryMs: 1000,
  /** A connection that is not ready for this long, or says nothing, even to a ping, is given up for a new one. */
  silenceMs: 5000,
  pingEveryMs: 2000,
}
/** How many commands may wait for an answer: a store that stalls under load must not make a queue of all requests since. */
const MAX_IN_FLIGHT = 10_000

/** What all keys begin with. Proxies of different platforms have different databases of one store. */
const PREFIX = 'analytics:rate:'

interface RedisOptions {
  readonly address: RedisAddress
  readonly limit: number
  readonly windowMs: number
  readonly fallback: MemoryRateLimiter
  readonly log: Log
}

type Client = ReturnType<typeof clientOf>

// The type of the client is that of its options: it has no shorter name.
function clientOf(url: string, { pingEveryMs, silenceMs }: typeof REDIS_TIMES) {
  return createClient({
    url,
    scripts: { count: COUNT },
    // RESP 3 begins with HELLO and the password; a server that does not know HELLO repeats both in its error.
    RESP: 2,
    disableClientInfo: true,
    maintNotifications: 'disabled',
    disableOfflineQueue: true,
    commandsQueueMaxLength: MAX_IN_FLIGHT,
    pingInterval: pingEveryMs,
    // This time-out is off: it stops when a command is written, not when it is answered, and costs an AbortSignal per command.
    commandOptions: { timeout: 0 },
    socket: {
      connectTimeout: silenceMs,
      socketTimeout: silenceMs,
      // The probe reconnects, because it also gives up connections that are open.
      reconnectStrategy: false,
    },
  })
}

/**
 * Counts in the store while it answers. When it does not (not yet connected, error, timeout), requests are counted by
 * `fallback` and do not wait, until a probe has written to the store: never unlimited, never an error.
 */
export class RedisRateLimiter implements RateLimiter {
  readonly #options: RedisOptions
  readonly #times: typeof REDIS_TIMES
  #client: Client
  #openedMs = 0
  readonly #probeTimer: NodeJS.Timeout
  #answers = false
  #isOutageLogged = false
  #isProbing = false
  #isClosed = false

  constructor(options: RedisOptions, times = REDIS_TIMES) {
    this.#options = options
    this.#times = times
    this.#client = this.#open()
    this.#probeTimer = setInterval(() => void this.#probe(), times.probeEveryMs).unref()
  }

  #open(): Client {
    const client = clientOf(this.#options.address.url, this.#times)
    this.#openedMs = performance.now()
    client.on('error', (error: unknown) => this.#failed(error, client))
    client.on('ready', () => void this.#probe())
    client.connect().catch((error: unknown) => this.#failed(error, client))
    return client
  }

  take(key: ClientKey, requests: Requests = 1): RateState | Promise<RateState> {
    return this.#answers ? this.#ask(key, requests) : this.#options.fallback.take(key, requests)
  }

  get clients(): number {
    return this.#options.fallback.clients
  }

  get storeDown(): boolean {
    return !this.#answers
  }

  close(): Promise<void> {
    this.#isClosed = true
    this.#answers = false
    clearInterval(this.#probeTimer)
    this.#client.destroy()
    return Promise.resolve()
  }

  async #ask(key: ClientKey, requests: Requests): Promise<RateState> {
    const { limit, windowMs, fallback } = this.#options
    const client = this.#client
    try {
      return await this.#count(client, storeKey(key), limit, windowMs, requests)
    } catch (error) {
      this.#failed(error, client)
      return fallback.take(key, requests)
    }
  }

  async #count(client: Client, key: string, limit: number, windowMs: number, requests: Requests): Promise<RateState> {
    const reply = await within(this.#times.commandMs, client.count(PREFIX + key, limit, windowMs, requests))
    return stateOf(reply, limit, windowMs, requests)
  }

  #failed(error: unknown, client: Client): void {
    if (client !== this.#client) return
    this.#answers = false
    // Only their order says which command a reply belongs to: after one that is late or nonsense, any other may belong to another.
    if (!(error instanceof ErrorReply)) client.destroy()
    if (this.#isOutageLogged || this.#isClosed) return
    this.#isOutageLogged = true
    const { shown: store, secrets } = this.#options.address
    const reason = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), reasonOf(error)).slice(0, 200)
    this.#options.log.warn({ store, reason }, 'rate store does not answer: counting in this process')
  }

  /** Writes, because a read succeeds on a replica or a full store too, and the next request would fail again. */
  async #probe(): Promise<void> {
    if (this.#answers || this.#isProbing || this.#isClosed) return
    if (!this.#client.isOpen) this.#client = this.#open()
    const client = this.#client
    if (!client.isReady) {
      if (performance.now() - this.#openedMs > this.#times.silenceMs) this.#failed(new Error('it is not ready'), client)
      return
    }
    this.#isProbing = true
    try {
      await this.#count(client, 'probe', PROBE_LIMIT, this.#times.probeEveryMs, 1)
      this.#answers = true
      if (this.#isOutageLogged)
        this.#options.log.info({ store: this.#options.address.shown }, 'rate store answers again: counting there')
      this.#isOutageLogged = false
    } catch (error) {
      this.#failed(error, client)
    } finally {
      this.#isProbing = false
    }
  }
}

function within<T>(timeoutMs: number, reply: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const giveUp = () => reject(new Error(`no answer within ${timeoutMs} ms`))
    // The time is waited in two halves: when this process stalls, the first timer is late, and the second still leaves
    // the time to read the answer that has come meanwhile, so that our own stall is not taken for one of the store.
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, timeoutMs / 2)
    }, timeoutMs / 2)
    reply.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/**
 * The only place where an answer is believed: what a store makes up reaches no client. A key that another proxy, or this one
 * before a restart, counted with a higher limit or a longer window has more than ours, but never more than any can have.
 * @throws Error for an answer that the script does not give
 */
function stateOf(reply: unknown, limit: number, windowMs: number, requests: Requests): RateState {
  const [allowed, used, resetInMs, ...more]: readonly unknown[] = Array.isArray(reply) ? reply : []
  const [least, most] = allowed === 1 ? [requests, limit - 1 + requests] : [limit, MAX_RATE_LIMIT]
  const isCounted = isWithin(allowed, 0, 1) && isWithin(used, least, most) && more.length === 0
  if (isCounted && isWithin(resetInMs, 0, MAX_RATE_WINDOW_MS))
    return { allowed: allowed === 1, remaining: Math.max(0, limit - used), resetInMs: Math.min(resetInMs, windowMs) }
  throw new Error(
    `its script answered ${JSON.stringify(reply)?.slice(0, 80)}, expected [1 or 0 (allowed or not), requests counted, ms left]`,
  )
}

function isWithin(value: unknown, least: number, most: number): value is number {
  return Number.isSafeInteger(value) && Number(value) >= least && Number(value) <= most
}

/** 16 hex digits for an IPv6 prefix, at most 8 for an IPv4 address. */
function storeKey(key: ClientKey): string {
  return typeof key === 'number' ? (key >>> 0).toString(16) : Buffer.from(key, 'utf16le').swap16().toString('hex')
}
