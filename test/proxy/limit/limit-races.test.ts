// What must not move the limit: many requests at once, the edges of a window, a wall clock that is set, a machine asleep.
// long test: waits for time-outs, or starts a program for each case
import { describe, expect, test } from 'vitest'
import { createMemoryRateLimiter } from '../../../src/proxy/limit/rate-limit.ts'
import { ask, dial, NOW_MS, serving, until } from '../../support/proxy.ts'
import { HOUR_MS } from '../../support/release.ts'

const TARGET = '/api/analytics/trending'
const DAY_MS = 24 * HOUR_MS

const clocks = { wallMs: NOW_MS, monotonicMs: 0 }
const limiter = createMemoryRateLimiter({
  limit: 100,
  windowMs: HOUR_MS,
  maxClients: 1000,
  monotonicMs: () => clocks.monotonicMs,
})
const served = serving({}, { limit: 100, limiter, nowMs: () => clocks.wallMs })

/** The statuses of `requests` on each of `connections`, all sent before any answer is read. */
async function atOnce(client: string, connections: number, requests: number): Promise<Record<string, number>> {
  const one = `GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`
  const dialled = await Promise.all(Array.from({ length: connections }, () => dial(served().port)))
  try {
    for (const { socket } of dialled) socket.write(one.repeat(requests))
    const counted: Record<string, number> = {}
    for (const { received } of dialled) {
      const statuses = (): string[] =>
        Array.from(
          received()
            .toString('latin1')
            .matchAll(/HTTP\/1\.1 (\d{3}) /g),
          ([, status = '']) => status,
        )
      await until(() => statuses().length === requests, 30_000, `${requests} answers`)
      for (const status of statuses()) counted[status] = (counted[status] ?? 0) + 1
    }
    return counted
  } finally {
    for (const { socket } of dialled) socket.destroy()
  }
}

describe('10,000 requests of one client: exactly 100 are allowed', () => {
  test.each([
    [1, 10_000],
    [50, 200],
    [500, 20],
    [2000, 5],
  ])('on %i connections, %i pipelined on each', async (connections, requests) => {
    const client = `203.0.113.${Math.ceil(connections / 10)}`
    expect(await atOnce(client, connections, requests)).toEqual({ 200: 100, 429: 9_900 })
    expect(await atOnce('198.51.100.1', 1, 1), 'another client is not touched').toEqual({ 200: 1 })
  })
})

test('the edges of a window: its last millisecond is a 429, the next one is not', async () => {
  const client = '192.0.2.1'
  const startMs = clocks.monotonicMs
  expect(await atOnce(client, 1, 1)).toEqual({ 200: 1 })
  clocks.monotonicMs = startMs + HOUR_MS - 1
  expect(await atOnce(client, 10, 20)).toEqual({ 200: 99, 429: 101 })
  // However late the other 99 came, the window ends with the hour of its first request.
  clocks.monotonicMs = startMs + HOUR_MS
  expect(await atOnce(client, 10, 20)).toEqual({ 200: 100, 429: 100 })
})

describe('the wall clock shows in the header, and nowhere else', () => {
  let clients = 100
  const steps = { 'an hour': HOUR_MS, 'a day': DAY_MS }
  const table = Object.entries(steps).flatMap(([name, ms]) => [
    [`${name} forward`, ms] as const,
    [`${name} back`, -ms] as const,
  ])

  test.each([...table, ['eight hours asleep, which the monotonic clock does not see', 8 * HOUR_MS] as const])(
    '%s',
    async (_, stepMs) => {
      const client = `192.0.2.${++clients}`
      const leftMs = HOUR_MS - 60_000
      await atOnce(client, 1, 60)
      clocks.monotonicMs += 60_000
      clocks.wallMs += 60_000
      const look = async () => {
        const { status, headers } = await ask(served().port, TARGET, { client, method: 'OPTIONS' })
        return [status, headers['x-ratelimit-remaining'], headers['x-ratelimit-reset']]
      }
      const resetAt = () => String(Math.ceil((clocks.wallMs + leftMs) / 1000))
      expect(await look()).toEqual([204, '40', resetAt()])
      clocks.wallMs += stepMs
      expect(await look()).toEqual([204, '40', resetAt()])
      expect(await atOnce(client, 1, 50)).toEqual({ 200: 40, 429: 10 })
      const refused = await ask(served().port, TARGET, { client })
      expect([refused.status, refused.headers['retry-after'], refused.headers['x-ratelimit-reset']]).toEqual([
        429,
        String(leftMs / 1000),
        resetAt(),
      ])
      clocks.monotonicMs += leftMs
      expect(await atOnce(client, 1, 1)).toEqual({ 200: 1 })
      clocks.wallMs -= stepMs
    },
  )
})
