// Owns counting requests per client in a Redis or Valkey shared by several proxies, and what happens without it. Knows
// nothing of HTTP. The only file that loads @redis/client: import it only when such a store is configured.
import { createClient, defineScript, ErrorReply, type CommandParser } from '@redis/client'
import { reasonOf } from '../../process/cli-error.ts'
import type { Log } from '../../process/log.ts'
import type { ClientKey } from './client-key.ts'
import type { RedisAddress } from './redis-address.ts'
import {
  MAX_RATE_LIMIT,
  MAX_RATE_WINDOW_MS,
  type MemoryRateLimiter,
  type RateLimiter,
  type RateState,
  type Requests,
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

/** The store: whether it answers, and counting in it. Null = it has failed, and is left alone until a probe has written to it. */
function probedStore({ url, shown: store, secrets }: RedisAddress, log: Log, times: typeof REDIS_TIMES) {
  let client: Client
  let openedMs = 0
  let [answers, isOutageLogged, isProbing, isClosed] = [false, false, false, false]

  function open(): void {
    const opened = (client = clientOf(url, times))
    openedMs = performance.now()
    opened.on('error', (error: unknown) => failed(error, opened)).on('ready', () => void probe())
    opened.connect().catch((error: unknown) => failed(error, opened))
  }

  function failed(error: unknown, asked: Client): void {
    if (asked !== client) return
    answers = false
    // Only their order says which command a reply belongs to: after one that is late or nonsense, any other may belong to another.
    if (!(error instanceof ErrorReply)) asked.destroy()
    if (isOutageLogged || isClosed) return
    isOutageLogged = true
    const reason = secrets.reduce((rest, secret) => rest.replaceAll(secret, '***'), reasonOf(error)).slice(0, 200)
    log.warn({ store, reason }, 'rate store does not answer: counting in this process')
  }

  async function count(key: string, limit: number, windowMs: number, requests: Requests): Promise<RateState | null> {
    const asked = client
    try {
      const reply = await within(times.commandMs, asked.count(PREFIX + key, limit, windowMs, requests))
      return stateOf(reply, limit, windowMs, requests)
    } catch (error) {
      failed(error, asked)
      return null
    }
  }

  /** Writes, because a read succeeds on a replica or a full store too, and the next request would fail again. */
  async function probe(): Promise<void> {
    if (answers || isProbing || isClosed) return
    if (!client.isOpen) open()
    if (!client.isReady) {
      if (performance.now() - openedMs > times.silenceMs) failed(new Error('it is not ready'), client)
      return
    }
    isProbing = true
    answers = (await count('probe', PROBE_LIMIT, times.probeEveryMs, 1)) !== null
    isProbing = false
    if (!answers) return
    if (isOutageLogged) log.info({ store }, 'rate store answers again: counting there')
    isOutageLogged = false
  }

  open()
  const timer = setInterval(() => void probe(), times.probeEveryMs).unref()
  const close = (): void => {
    isClosed = true
    answers = false
    clearInterval(timer)
    client.destroy()
  }
  return { answers: () => answers, count, close }
}

/**
 * Counts in the store while it answers. When it does not (not yet connected, error, timeout), requests are counted by
 * `fallback` and do not wait: never unlimited, never an error.
 */
export function redisRateLimiter(options: RedisOptions, times = REDIS_TIMES): RateLimiter {
  const { address, limit, windowMs, fallback, log } = options
  const { answers, count, close } = probedStore(address, log, times)
  return {
    take(key, requests = 1) {
      if (!answers()) return fallback.take(key, requests)
      return count(storeKey(key), limit, windowMs, requests).then((state) => state ?? fallback.take(key, requests))
    },
    get clients() {
      return fallback.clients
    },
    get storeDown() {
      return !answers()
    },
    close,
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
