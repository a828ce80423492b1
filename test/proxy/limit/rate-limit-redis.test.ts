import fc from 'fast-check'
import { createServer, type Server, type Socket } from 'node:net'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import type { Log } from '../../../src/process/log.ts'
import { rateAnswers } from '../../../src/proxy/answer/api-headers.ts'
import { REDIS_TIMES, redisRateLimiter } from '../../../src/proxy/limit/rate-limit-redis.ts'
import { createMemoryRateLimiter } from '../../../src/proxy/limit/rate-limit.ts'
import type { RateLimiter, RateState } from '../../../src/proxy/limit/rate-limit.ts'
import { parseRedisAddress } from '../../../src/proxy/limit/redis-address.ts'
import { describeWithComponent } from '../../support/real-component.ts'
import { redisAvailable, startRedis, type Redis } from '../../support/redis.ts'

const HOUR_MS = 3_600_000
const SOON = { timeout: 20_000, interval: 5 }
/** Only tests of the time for a command shall see it run out, however busy the machine is. */
const PATIENT = { ...REDIS_TIMES, commandMs: 20_000, probeEveryMs: 50 }

const atEnd: (() => unknown)[] = []
afterEach(async () => {
  for (const end of atEnd.splice(0).reverse()) await end()
})

interface Line {
  readonly level: string
  readonly message: string
  readonly fields: object
}

function limiterOn(url: string, options: { limit?: number; windowMs?: number; times?: Partial<typeof PATIENT> } = {}) {
  const { limit = 100, windowMs = HOUR_MS, times } = options
  const lines: Line[] = []
  const to = (level: string) => (fields: object, message: string) => void lines.push({ level, message, fields })
  const log: Log = { info: to('info'), warn: to('warn'), error: to('error') }
  const fallback = createMemoryRateLimiter({ limit, windowMs, maxClients: 1000 })
  const address = parseRedisAddress(url)!
  const limiter = redisRateLimiter({ address, limit, windowMs, fallback, log }, { ...PATIENT, ...times })
  atEnd.push(() => limiter.close())
  return { limiter, lines, fallback }
}

/** A request is counted in the store if that is where its key appears. */
async function untilStoreCounts(redis: Redis, limiter: RateLimiter): Promise<void> {
  await redis.command('DEL analytics:rate:0bad000000000000')
  await expect
    .poll(async () => {
      await limiter.take('\u0BAD\u0000\u0000\u0000')
      return redis.command('EXISTS analytics:rate:0bad000000000000')
    }, SOON)
    .toMatch(/^:1/)
}

async function inParallel(count: number, take: (i: number) => RateState | Promise<RateState>): Promise<number> {
  const states = await Promise.all(Array.from({ length: count }, async (_, i) => take(i)))
  return states.filter((state) => state.allowed).length
}

describeWithComponent('a rate store shared by proxies', redisAvailable(), () => {
  let redis: Redis
  beforeEach(async () => {
    redis = await startRedis()
    atEnd.push(() => redis.stop())
  })

  async function counting(options: Parameters<typeof limiterOn>[1] = {}): Promise<ReturnType<typeof limiterOn>> {
    const scene = limiterOn(redis.url, options)
    await untilStoreCounts(redis, scene.limiter)
    return scene
  }

  test('exactly the limit is allowed under 1,000 parallel requests', async () => {
    const { limiter, lines, fallback } = await counting()
    expect(await inParallel(1000, () => limiter.take(1))).toBe(100)
    expect(fallback.take(1, 0).remaining).toBe(100)
    expect(lines).toEqual([])
  })

  test('two proxies count together', async () => {
    const [a, b] = [limiterOn(redis.url), limiterOn(redis.url)]
    await untilStoreCounts(redis, a.limiter)
    await redis.command('FLUSHALL')
    await untilStoreCounts(redis, b.limiter)
    expect(await inParallel(1000, (i) => (i % 2 === 0 ? a : b).limiter.take('\u2001\u0DB8\u0000\u0100'))).toBe(100)
    expect(await a.limiter.take(2)).toMatchObject({ allowed: true, remaining: 99 })
    expect(await b.limiter.take(2)).toMatchObject({ allowed: true, remaining: 98 })
    expect(await a.limiter.take(2, 0)).toMatchObject({ allowed: true, remaining: 98 })
  })

  test('a window is fixed: 429s and peeks do not count or extend it, then a new one', async () => {
    const { limiter } = await counting({ limit: 3, windowMs: 1000 })
    expect(await limiter.take(5, 0)).toEqual({ allowed: true, remaining: 3, resetInMs: 1000 })
    expect(await redis.command('EXISTS analytics:rate:5')).toMatch(/^:0/)
    expect(await limiter.take(5)).toEqual({ allowed: true, remaining: 2, resetInMs: 1000 })
    const startMs = performance.now()
    const remaining: number[] = []
    for (let elapsedMs = 0; elapsedMs < 250; elapsedMs = performance.now() - startMs) {
      const state = await limiter.take(5)
      expect(state.allowed).toBe(remaining.length < 2)
      expect(state.resetInMs).toBeLessThanOrEqual(1000 - elapsedMs + 10)
      expect(await limiter.take(5, 0)).toMatchObject({ allowed: state.remaining > 0, remaining: state.remaining })
      remaining.push(state.remaining)
    }
    expect(remaining.slice(0, 4)).toEqual([1, 0, 0, 0])
    expect(await redis.command('GET analytics:rate:5')).toMatch(/^\$1\r\n3\r\n/)
    await expect.poll(async () => (await limiter.take(5, 0)).remaining, SOON).toBe(3)
    expect(await limiter.take(5)).toEqual({ allowed: true, remaining: 2, resetInMs: 1000 })
  })

  test('every key is short, is a prefix of a client and goes by itself', async () => {
    const { limiter } = await counting()
    await redis.command('FLUSHALL')
    // Lone surrogates would all be one U+FFFD as UTF-8.
    for (const key of [0, -1, '', '\uD800\u0000\u0000\uFF00', '\uD801\u0000\u0000\uFF00'])
      expect(await limiter.take(key)).toMatchObject({ remaining: 99 })
    const keys = (await redis.command('KEYS *')).match(/analytics:rate:.*(?=\r)/g) ?? []
    expect(keys.sort()).toEqual(
      ['', '0', 'd80000000000ff00', 'd80100000000ff00', 'ffffffff'].map((key) => `analytics:rate:${key}`),
    )
    for (const key of keys)
      expect(Number((await redis.command(`PTTL ${key}`)).slice(1, 9))).toBeGreaterThan(HOUR_MS / 2)
  })

  test('proxies with another database of the store count for themselves', async () => {
    const { limiter } = limiterOn(redis.url)
    const { limiter: other } = limiterOn(`${redis.url}/1`)
    await untilStoreCounts(redis, limiter)
    await expect
      .poll(async () => {
        await other.take(1)
        return redis.command('INFO keyspace')
      }, SOON)
      .toContain('db1:keys=')
    expect(await limiter.take(1)).toMatchObject({ remaining: 99 })
    await redis.command('FLUSHDB')
    expect(await redis.command('INFO keyspace')).toContain('db1:keys=')
    expect(await limiter.take(1)).toMatchObject({ remaining: 99 })
  })

  test('a key whose expiry was removed rejects no client for ever', async () => {
    const { limiter } = await counting({ limit: 1 })
    await limiter.take(5)
    await redis.command('PERSIST analytics:rate:5')
    expect(await limiter.take(5, 0)).toEqual({ allowed: true, remaining: 1, resetInMs: HOUR_MS })
    expect(await limiter.take(5)).toEqual({ allowed: true, remaining: 0, resetInMs: HOUR_MS })
    expect(await limiter.take(5)).toMatchObject({ allowed: false })
  })

  test('the scripts are sent again when the store has forgotten them', async () => {
    const { limiter, fallback, lines } = await counting()
    await redis.command('SCRIPT FLUSH')
    expect(await inParallel(300, () => limiter.take(1))).toBe(100)
    expect(fallback.take(1, 0).remaining).toBe(100)
    expect(lines).toEqual([])
  })

  test('killed: counted here, no request fails; back: counted there again; one line for each', async () => {
    const { limiter, lines, fallback } = await counting()
    expect(limiter.storeDown).toBe(false)
    const during = inParallel(1000, () => limiter.take(1))
    await redis.stop()
    expect(await during).toBeLessThanOrEqual(200)
    expect(await inParallel(1000, () => limiter.take(2))).toBe(100)
    expect(fallback.take(2, 0)).toMatchObject({ allowed: false, remaining: 0 })
    expect(await limiter.take(2, 0)).toMatchObject({ allowed: false, remaining: 0 })
    expect(lines.map((line) => line.level)).toEqual(['warn'])
    expect(limiter.storeDown).toBe(true)

    redis = await startRedis({ port: redis.port })
    atEnd.push(() => redis.stop())
    await untilStoreCounts(redis, limiter)
    expect(limiter.storeDown).toBe(false)
    expect(await inParallel(1000, () => limiter.take(3))).toBe(100)
    expect(fallback.take(3, 0).remaining).toBe(100)
    expect(lines.map(({ level }) => level)).toEqual(['warn', 'info'])
    const messages = lines.map(({ message }) => message).join()
    expect(messages).toMatch(/counting in this process.*answers again/)
    expect(lines[0]?.fields).toEqual({ store: `redis://127.0.0.1:${redis.port}`, reason: expect.any(String) as string })
  })

  test('stalled: the first requests wait for the command timeout, later ones for nothing', async () => {
    const times = { commandMs: 500, silenceMs: 600, pingEveryMs: 200 }
    const { limiter, lines } = await counting({ times })
    redis.pause()
    atEnd.push(async () => redis.resume())
    const startMs = performance.now()
    expect(await inParallel(1000, () => limiter.take(1))).toBe(100)
    const waitedMs = performance.now() - startMs
    expect(waitedMs).toBeGreaterThanOrEqual(times.commandMs - 5)
    expect(waitedMs).toBeLessThan(times.commandMs + 2000)
    // Not even a promise: the state is there at once.
    for (let i = 0; i < 1000; i++) expect(limiter.take(1)).toHaveProperty('allowed', false)
    // Longer than a silent connection is kept: a new one is stalled, too.
    await new Promise((resolve) => setTimeout(resolve, 2 * times.silenceMs))
    expect(limiter.take(1)).toHaveProperty('allowed', false)
    expect(lines.map((line) => line.level)).toEqual(['warn'])
    redis.resume()
    await untilStoreCounts(redis, limiter)
    expect(lines.map((line) => line.level)).toEqual(['warn', 'info'])
  })

  test('a stall of this process is not taken for one of the store', async () => {
    const { limiter, lines, fallback } = await counting({ times: { commandMs: 1500 } })
    const during = inParallel(300, () => limiter.take(1))
    await new Promise((resolve) => setImmediate(resolve))
    const startMs = performance.now()
    while (performance.now() - startMs < 1600);
    expect(await during).toBe(100)
    expect(fallback.take(1, 0).remaining).toBe(100)
    expect(lines).toEqual([])
  })

  test('a store that answers but cannot write is an outage until it can', async () => {
    const { limiter, lines, fallback } = await counting()
    await redis.command('REPLICAOF 127.0.0.1 1')
    expect(await inParallel(300, () => limiter.take(1))).toBe(100)
    expect(fallback.take(1, 0).remaining).toBe(0)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(lines).toHaveLength(1)
    expect(lines[0]?.fields).toHaveProperty('reason', expect.stringContaining('READONLY'))
    await redis.command('REPLICAOF NO ONE')
    await redis.command('FLUSHALL')
    await untilStoreCounts(redis, limiter)
    expect(lines.map((line) => line.level)).toEqual(['warn', 'info'])
  })

  test('passwords and databases are used, and a password is in no line of the log', async () => {
    const guarded = await startRedis({ args: ['--requirepass', 's3cr%t'] })
    atEnd.push(() => guarded.stop())
    const url = (password: string) => `redis://:${password}@127.0.0.1:${guarded.port}/3`
    const { limiter, fallback } = limiterOn(url('s3cr%25t'))
    await expect
      .poll(async () => {
        await limiter.take(1)
        return (await limiter.take(1, 0)).remaining !== fallback.take(1, 0).remaining
      }, SOON)
      .toBe(true)
    const { lines, limiter: refused } = limiterOn(url('wr%40ng'))
    await expect.poll(() => lines.length, SOON).toBe(1)
    expect(await inParallel(300, () => refused.take(1))).toBe(100)
    expect(lines[0]?.fields).toEqual({
      store: `redis://127.0.0.1:${guarded.port}/3`,
      reason: expect.stringContaining('WRONGPASS') as string,
    })
    expect(JSON.stringify(lines)).not.toMatch(/wr%40ng|wr@ng/)
  })

  test('after close nothing is connected, nothing is logged, and a second close is harmless', async () => {
    const { limiter, lines } = await counting()
    const during = inParallel(100, () => limiter.take(1))
    limiter.close()
    limiter.close()
    await during
    await expect.poll(async () => (await redis.command('CLIENT LIST')).match(/^id=/gm)?.length, SOON).toBe(1)
    expect(lines).toEqual([])
  })
})

describe('a store that talks nonsense', () => {
  async function serverThat(answer: (socket: Socket) => void): Promise<string> {
    const sockets = new Set<Socket>()
    const server: Server = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => undefined)
      answer(socket)
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    atEnd.push(async () => {
      for (const socket of sockets) socket.destroy()
      await new Promise((resolve) => server.close(resolve))
    })
    const address = server.address()
    return `:${typeof address === 'object' ? address?.port : ''}`
  }

  test.each<[string, (socket: Socket) => void]>([
    ['closes at once', (socket) => socket.destroy()],
    ['answers in HTTP', (socket) => socket.on('data', () => socket.end('HTTP/1.1 400 Bad Request\r\n\r\n'))],
    ['says everything is fine', (socket) => socket.on('data', () => socket.write('+OK\r\n'))],
    [
      'repeats the password',
      (socket) => socket.on('data', () => socket.write("-ERR unknown command 'AUTH hunter2'\r\n")),
    ],
  ])('%s: counted here, one line, no password in it', async (_, answer) => {
    const { limiter, lines } = limiterOn(`redis://u:hunter2@127.0.0.1${await serverThat(answer)}`)
    await expect.poll(() => lines.length, SOON).toBe(1)
    expect(await inParallel(1000, () => limiter.take(1))).toBe(100)
    await new Promise((resolve) => setTimeout(resolve, 150))
    expect(await inParallel(1000, () => limiter.take(1))).toBe(0)
    expect(lines.map((line) => line.level)).toEqual(['warn'])
    expect(JSON.stringify(lines)).not.toContain('hunter2')
  })

  /** What a reply is on the wire. */
  function wire(reply: unknown): string {
    if (Array.isArray(reply)) return `*${reply.length}\r\n${reply.map(wire).join('')}`
    if (typeof reply === 'bigint') return `:${reply}\r\n`
    return typeof reply === 'string' ? `$${Buffer.byteLength(reply)}\r\n${reply}\r\n` : '$-1\r\n'
  }

  /** Answers the probe as a store would, and everything else with what `reply` gives then; the limiter that asks it first. */
  async function countedBy(reply: () => unknown) {
    const address = await serverThat((socket) =>
      socket.on('data', (data) => {
        const asks = String(data).split('EVALSHA').slice(1)
        for (const ask of asks) socket.write(wire(ask.includes('probe') ? [1n, 1n, 1000n] : reply()))
        if (asks.length === 0) socket.write('+PONG\r\n')
      }),
    )
    const scene = limiterOn(`redis://127.0.0.1${address}`, { times: { probeEveryMs: 5 } })
    await expect.poll(() => scene.limiter.storeDown, SOON).toBe(false)
    return scene
  }

  test('whatever it answers, the headers that a client gets are in range and agree with one another', async () => {
    const ROUND = [0n, 1n, 2n, 99n, 100n, 101n, 3_600_000n, 3_600_001n, 86_400_001n, 1n << 53n, -1n, -1n << 63n]
    const number = fc.oneof(fc.constantFrom(...ROUND), fc.bigInt({ min: -(1n << 63n), max: (1n << 63n) - 1n }))
    const value = fc.oneof({ weight: 5, arbitrary: number }, fc.constantFrom('1', '-0', 'NaN', null), fc.array(number))
    const likely = fc.tuple(fc.constantFrom(0n, 1n, 2n, -1n), number, number)
    const replies = fc.oneof({ weight: 3, arbitrary: likely }, fc.array(value, { maxLength: 5 }), value)
    let [reply, client]: [unknown, number] = [null, 0]
    const { limiter } = await countedBy(() => reply)
    await fc.assert(
      fc.asyncProperty(replies, fc.constantFrom<(0 | 1)[]>(0, 1), async (given, requests) => {
        // After a bad answer, until it is asked again.
        await expect.poll(() => limiter.storeDown, SOON).toBe(false)
        reply = given
        const state = await limiter.take(client++, requests)
        const sent = rateAnswers(100, 3_600_000).headers(state, 0)
        const [remaining, reset] = [Number(sent[3]), Number(sent[5])]
        expect([remaining, reset].every((one) => Number.isInteger(one) && one >= 0)).toBe(true)
        expect(remaining).toBeLessThanOrEqual(state.allowed && requests === 1 ? 99 : 100)
        expect(reset).toBeLessThanOrEqual(3600)
        expect(state.resetInMs).toBeLessThanOrEqual(HOUR_MS)
        if (!state.allowed || requests === 0) expect(state.allowed).toBe(remaining > 0)
      }),
      { numRuns: 100 },
    )
  })

  test.each<[string, 0 | 1, unknown]>([
    ['neither allowed nor not', 1, [2n, 5n, 1000n]],
    ['allowed, beyond the limit', 1, [1n, 101n, 1000n]],
    ['allowed, and this request is not counted', 1, [1n, 0n, 1000n]],
    ['the next one is allowed, at the limit', 0, [1n, 100n, 1000n]],
    ['not allowed, below the limit', 1, [0n, 99n, 1000n]],
    ['more requests than any limit lets through', 1, [0n, 100_001n, 1000n]],
    ['a longer window than there is', 1, [1n, 5n, 86_400_001n]],
    ['a window that has ended', 1, [1n, 5n, -1n]],
    ['a number as text', 1, [1n, '5', 1000n]],
    ['a fourth number', 1, [1n, 5n, 1000n, 1n]],
  ])('%s: counts as a store that does not answer', async (_, requests, reply) => {
    const { limiter, lines, fallback } = await countedBy(() => reply)
    expect(await limiter.take(1, requests)).toMatchObject({
      allowed: true,
      remaining: 100 - requests,
    })
    expect(fallback.take(1, 0).remaining).toBe(100 - requests)
    expect(lines.map(({ fields }) => fields)).toEqual([
      expect.objectContaining({ reason: expect.stringContaining('its script answered [') as string }),
    ])
  })

  test('a key of a higher limit and a longer window is counted on: after a restart with less there are such keys', async () => {
    const { limiter, lines } = await countedBy(() => [0n, 900n, 86_400_000n])
    expect(await limiter.take(1)).toEqual({ allowed: false, remaining: 0, resetInMs: HOUR_MS })
    expect(lines).toEqual([])
  })

  test.each<[string, string]>([
    ['no reply at all', '?garbage\r\n'],
    ['a text that drips for ever', '+'],
  ])('that once answers %s is counted in again', async (_, nonsense) => {
    let isOnce = false
    const address = await serverThat((socket) => {
      let drip: NodeJS.Timeout | undefined
      socket.once('close', () => clearInterval(drip))
      socket.on('data', (data) => {
        for (const [ask] of String(data).matchAll(/EVALSHA[^E]*|PING/g))
          if (drip !== undefined) continue
          else if (ask === 'PING') socket.write('+PONG\r\n')
          else if (isOnce && !ask.includes('probe')) {
            isOnce = false
            socket.write(nonsense)
            if (nonsense === '+') drip = setInterval(() => socket.write('a'), 100)
          } else socket.write(wire([1n, 1n, 1000n]))
      })
    })
    const { limiter } = limiterOn(`redis://127.0.0.1${address}`, { times: { commandMs: 300 } })
    await expect.poll(() => limiter.storeDown, SOON).toBe(false)
    isOnce = true
    expect((await limiter.take(1)).allowed).toBe(true)
    await limiter.take(2)
    await expect.poll(() => limiter.storeDown, { timeout: 10_000, interval: 1 }).toBe(true)
    await expect.poll(() => limiter.storeDown, SOON).toBe(false)
  })

  test('a probe that is answered with nonsense leaves the store down', async () => {
    const address = await serverThat((socket) => socket.on('data', () => socket.write(wire([0n, 0n, 0n]))))
    const { limiter, lines } = limiterOn(`redis://127.0.0.1${address}`)
    await expect.poll(() => lines.length, SOON).toBe(1)
    expect(limiter.storeDown).toBe(true)
  })
})

test.each(['', 'memory', 'http://h:6379', '//u:hunter2@h', 'redis://u:hunter2@h/x', 'redis://u:hunter2@h:99999'])(
  'the address %j is none',
  (url) => expect(parseRedisAddress(url)).toBeNull(),
)
