// A day of many clients before 10, 100 and 1,000 proxies: whom their limits let through or refuse wrongly, by the limiter's own code
// and a clock of this file. Clients are whole, and few of a heavy tail ask for most; so a part of them (the scale) gives the same
// shares as all, and of memory and of operations that part. Prints a table; `npm run fleet:simulation -- SCALE` (default 100: one in a hundred).
import { createHash } from 'node:crypto'
import { randomStream } from '../../src/demo/random.ts'
import { createMemoryRateLimiter, type MemoryRateLimiter } from '../../src/proxy/limit/rate-limit.ts'

const SCALE = Number(process.argv[2] ?? 100)
const [REQUESTS, CLIENTS] = [1e9 / SCALE, 1e7 / SCALE]
const DAY_MS = 86_400_000
/** As by default; the most clients that a proxy remembers in the same part. */
const [LIMIT, WINDOW_MS, MAX_CLIENTS] = [100, 3_600_000, 1_000_000 / SCALE]
/** npm run torture -- --only clients. */
const BYTES_OF_CLIENT = 40
/** Each proxy ends once in the day, and is back after so long; the store is away once. */
const [DOWN_MS, STORE_AWAY_MS] = [60_000, 10 * 60_000]
/** Of the bounded Pareto distribution of requests by client: its exponent, and its largest over its least. */
const [TAIL, MOST] = [1.1, 1000]

interface Traffic {
  readonly times: Float64Array
  readonly clients: Uint32Array
}

/** Poisson arrivals over a day that has nights. */
function trafficOf(random: () => number): Traffic {
  const upTo = new Float64Array(CLIENTS)
  let sum = 0
  for (let i = 0; i < CLIENTS; i++) upTo[i] = sum += Math.min((1 - random()) ** (-1 / TAIL), MOST)
  const times = new Float64Array(REQUESTS)
  for (let i = 0; i < REQUESTS; i++) {
    let at = random()
    // Four of five by day.
    while (random() > 0.5 + 0.5 * Math.sin((at - 0.25) * 2 * Math.PI) + 0.1) at = random()
    times[i] = at * DAY_MS
  }
  times.sort()
  const clients = new Uint32Array(REQUESTS)
  for (let i = 0; i < REQUESTS; i++) {
    const wanted = random() * sum
    let [low, high] = [0, CLIENTS - 1]
    while (low < high) {
      const middle = (low + high) >> 1
      if (upTo[middle]! < wanted) low = middle + 1
      else high = middle
    }
    clients[i] = low
  }
  return { times, clients }
}

let clockMs = 0
const limiter = (maxClients = MAX_CLIENTS): MemoryRateLimiter =>
  createMemoryRateLimiter({ limit: LIMIT, windowMs: WINDOW_MS, maxClients, monotonicMs: () => clockMs })

/** The proxies that a client's requests go to, the first that is there: as nginx's consistent hash, by highest weights. */
function choicesOf(proxies: number): Uint16Array {
  const found = new Uint16Array(2 * CLIENTS)
  const seeds = Uint32Array.from({ length: proxies }, (_, i) =>
    createHash('md5').update(`proxy ${i}`).digest().readUInt32LE(),
  )
  for (let client = 0; client < CLIENTS; client++) {
    let [best, next, bestWeight, nextWeight] = [0, 0, -1, -1]
    for (let i = 0; i < proxies; i++) {
      let weight = Math.imul(client ^ seeds[i]!, 0x9e3779b1)
      weight = Math.imul(weight ^ (weight >>> 15), 0x85ebca6b)
      weight = (weight ^ (weight >>> 13)) >>> 0
      if (weight > bestWeight) [next, nextWeight, best, bestWeight] = [best, bestWeight, i, weight]
      else if (weight > nextWeight) [next, nextWeight] = [i, weight]
    }
    found.set([best, next], 2 * client)
  }
  return found
}

type Way = 'alone' | 'hash' | 'redis'

function dayOf(
  way: Way,
  proxies: number,
  { times, clients }: Traffic,
  allowedByOne: Uint8Array,
): Readonly<Record<string, string>> {
  clockMs = 0
  const random = randomStream(proxies, way)
  const nodes = Array.from({ length: proxies }, () => limiter())
  const downAt = Float64Array.from({ length: proxies }, () => random() * (DAY_MS - DOWN_MS))
  const isNew = new Uint8Array(proxies)
  const storeDownAt = random() * (DAY_MS - STORE_AWAY_MS)
  const store = limiter(CLIENTS * 2)
  const choices = way === 'hash' ? choicesOf(proxies) : null
  let [wronglyAllowed, wronglyRefused, most, inStore] = [0, 0, 0, 0]
  for (let i = 0; i < times.length; i++) {
    clockMs = times[i]!
    const client = clients[i]!
    const isDown = (node: number): boolean => clockMs >= downAt[node]! && clockMs < downAt[node]! + DOWN_MS
    let node = choices === null ? Math.floor(random() * proxies) : choices[2 * client]!
    if (isDown(node)) node = choices === null ? (node + 1) % proxies : choices[2 * client + 1]!
    if (isNew[node] === 0 && clockMs >= downAt[node]! + DOWN_MS) {
      nodes[node] = limiter()
      isNew[node] = 1
    }
    const isAway = clockMs >= storeDownAt && clockMs < storeDownAt + STORE_AWAY_MS
    const isShared = way === 'redis' && !isAway
    if (isShared) inStore += 1
    const { allowed } = (isShared ? store : nodes[node]!).take(client)
    if (allowed && allowedByOne[i] === 0) wronglyAllowed += 1
    if (!allowed && allowedByOne[i] === 1) wronglyRefused += 1
    if (i % 4096 === 0) most = Math.max(most, ...nodes.map((one) => one.clients))
  }
  const share = (n: number): string => `${((100 * n) / times.length).toFixed(3)} %`
  return {
    proxies: String(proxies),
    way,
    'wrongly allowed': share(wronglyAllowed),
    'wrongly refused': share(wronglyRefused),
    'memory of a proxy': `${((most * SCALE * BYTES_OF_CLIENT) / 1e6).toFixed(1)} MB`,
    'store, operations a second': way === 'redis' ? String(Math.round((inStore * SCALE) / (DAY_MS / 1000))) : '–',
  }
}

const traffic = trafficOf(randomStream(1, 'fleet'))
const one = limiter(CLIENTS * 2)
const allowedByOne = Uint8Array.from(traffic.times, (ms, i) => {
  clockMs = ms
  return Number(one.take(traffic.clients[i]!).allowed)
})
const refused = allowedByOne.reduce((sum, allowed) => sum + 1 - allowed, 0)
console.log(
  `scale 1:${SCALE}: ${REQUESTS} requests of ${CLIENTS} clients; one limiter for all refuses ${((100 * refused) / REQUESTS).toFixed(1)} %`,
)
const rows = [10, 100, 1000].flatMap((proxies) =>
  (['alone', 'hash', 'redis'] as const).map((way) => dayOf(way, proxies, traffic, allowedByOne)),
)
console.log(
  `| ${Object.keys(rows[0] ?? {}).join(' | ')} |\n|${'---|'.repeat(6)}\n${rows.map((row) => `| ${Object.values(row).join(' | ')} |`).join('\n')}`,
)
