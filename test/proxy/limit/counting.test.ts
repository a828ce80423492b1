// What counts against a client's limit, end to end: which requests, what the headers say, the 101st.
import { beforeAll, describe, expect, test } from 'vitest'
import { createMemoryRateLimiter } from '../../../src/proxy/limit/rate-limit.ts'
import { contractOf, type Contract } from '../../support/openapi.ts'
import { ask, converse, NOW_MS, serving, type Asking } from '../../support/proxy.ts'
import { HOUR_MS } from '../../support/release.ts'
import { ownProxy } from '../own-proxy.ts'

const limitsOf = (headers: Readonly<Record<string, unknown>>) =>
  ['limit', 'remaining', 'reset'].map((name) => Number(headers[`x-ratelimit-${name}`]))

describe('100 requests per hour', () => {
  // Both clocks of a proxy, moved together: the wall clock of headers and the monotonic one of windows.
  const clock = { ms: 0 }
  const limiter = createMemoryRateLimiter({
    limit: 100,
    windowMs: HOUR_MS,
    maxClients: 1000,
    monotonicMs: () => clock.ms,
  })
  const served = serving({}, { limit: 100, limiter, nowMs: () => NOW_MS + clock.ms })
  const RESET = Math.ceil((NOW_MS + HOUR_MS) / 1000)
  let contract: Contract
  let clients = 0
  beforeAll(async () => {
    contract = await contractOf(served().port)
  })

  test.each<[string, Asking, number, number]>([
    ['/api/public/stats', {}, 200, 1],
    ['/api/public/stats', { method: 'HEAD' }, 200, 1],
    ['/api/analytics/trending?limit=3', {}, 200, 1],
    ['/api/analytics/categories', {}, 200, 1],
    ['/api/analytics/export?format=csv&type=ideas', {}, 200, 1],
    ['/api/public/stats', { headers: { 'If-None-Match': '*' } }, 304, 1],
    ['/api/analytics/trending?limit=0', {}, 400, 1],
    ['/api/nowhere', {}, 404, 1],
    ['/api/nowhere', { method: 'HEAD' }, 404, 1],
    ['/api', {}, 404, 1],
    ['/api/public/stats', { body: 'x', headers: { 'Content-Length': '1' } }, 413, 1],
    ['/api/public/stats', { method: 'OPTIONS' }, 204, 0],
    ['/api/nowhere', { method: 'OPTIONS' }, 204, 0],
    ['/api/public/stats', { method: 'POST' }, 405, 0],
    ['/api/nowhere', { method: 'DELETE' }, 404, 0],
    ['/api/openapi.json', {}, 200, 0],
    ['/api/openapi.json', { method: 'HEAD' }, 200, 0],
    ['/api/openapi.json', { headers: { 'If-None-Match': '*' } }, 304, 0],
    ['/api/openapi.json', { method: 'PUT' }, 405, 0],
  ])('%s %o: %i costs %i', async (target, asking, status, cost) => {
    const client = `192.0.2.${++clients}`
    const { port } = served()
    const left = async () => limitsOf((await ask(port, '/api', { client, method: 'OPTIONS' })).headers)[1] ?? Number.NaN
    const before = await left()
    const answer = await ask(port, target, { ...asking, client })
    expect(answer.status).toBe(status)
    expect(limitsOf(answer.headers)).toEqual([100, before - cost, RESET])
    expect(await left()).toBe(before - cost)
  })

  test.each(['/', '/healthz', '/readyz', '/freshz', '/nowhere', '/snapshots/current/manifest.json', '/snapshots/x'])(
    '%s neither counts nor has the headers',
    async (target) => {
      const client = '198.51.100.7'
      const answer = await ask(served().port, target, { client })
      expect(answer.names.filter((name) => name.startsWith('x-ratelimit'))).toEqual([])
      const { headers } = await ask(served().port, '/api', { client, method: 'OPTIONS' })
      expect(limitsOf(headers)).toEqual([100, 100, RESET])
    },
  )

  test('the 101st is a 429, until the window that the first request began has ended', async () => {
    const client = '203.0.113.5'
    const target = '/api/public/stats'
    const startMs = clock.ms
    for (let i = 1; i <= 100; i++) {
      const answer = await contract.ask(target, { client })
      expect([answer.status, ...limitsOf(answer.headers)]).toEqual([200, 100, 100 - i, RESET])
      clock.ms = startMs + 1000
    }
    const refusal = async (secondsLeft: number, asking: Asking = {}) => {
      const answer = await contract.ask(target, { client, ...asking })
      expect([answer.status, ...limitsOf(answer.headers)]).toEqual([429, 100, 0, RESET])
      expect(answer.headers).toMatchObject({ 'retry-after': String(secondsLeft), 'cache-control': 'no-store' })
      return answer
    }
    expect((await refusal(3599)).json()).toEqual({
      error: 'Rate limit exceeded',
      message: 'Rate limit of 100 requests per hour exceeded. Try again in 3599 seconds.',
    })
    expect((await refusal(3599, { method: 'HEAD' })).body).toHaveLength(0)
    for (const nowhere of ['/api/nowhere', '/api/analytics/trending?limit=0'])
      expect((await ask(served().port, nowhere, { client })).status).toBe(429)
    // What does not count is served all the same.
    for (const [other, method, status] of [
      [target, 'OPTIONS', 204],
      [target, 'POST', 405],
      ['/api/openapi.json', 'GET', 200],
    ] as const) {
      const answer = await ask(served().port, other, { client, method })
      expect([answer.status, ...limitsOf(answer.headers)]).toEqual([status, 100, 0, RESET])
    }
    expect((await ask(served().port, target, { client: '203.0.113.6' })).status).toBe(200)

    clock.ms = startMs + HOUR_MS - 1
    await refusal(1)
    clock.ms = startMs + HOUR_MS
    const again = await contract.ask(target, { client })
    expect([again.status, ...limitsOf(again.headers).slice(0, 2)]).toEqual([200, 100, 99])
    clock.ms = startMs
  })

  test('a 500 counts, too', async () => {
    const other = await ownProxy({ snapshots: null, limit: 100 })
    const { status, headers } = await ask(other.port, '/api/public/stats')
    expect([status, limitsOf(headers)[1]]).toEqual([500, 99])
  })

  test('a head that cannot be read does not', async () => {
    const { port } = served()
    const left = async () => limitsOf((await ask(port, '/api', { method: 'OPTIONS' })).headers)[1]
    const before = await left()
    for (const text of [
      'GET /api HTTP/1.1\r\n\r\n',
      'rubbish\r\n\r\n',
      `GET /api?${'x'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
    ])
      expect((await converse(port, [text])).answers[0]?.headers).not.toHaveProperty('x-ratelimit-limit')
    expect(await left()).toBe(before)
  })
})

test('another limit is what headers and message say', async () => {
  const { port } = await ownProxy({ snapshots: null, limit: 2 })
  for (const left of [1, 0]) {
    const { headers } = await ask(port, '/api')
    expect(limitsOf(headers).slice(0, 2)).toEqual([2, left])
  }
  expect((await ask(port, '/api')).json()['message']).toMatch(/^Rate limit of 2 requests per hour exceeded\. /)
})
