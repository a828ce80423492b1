// What an answer of the API consists of: headers, timestamps, validators, bodies, and the errors.
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import { beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, type EndpointName } from '../../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { parseQuery } from '../../../src/contract/parse-query.ts'
import { snapshotPath } from '../../../src/contract/snapshot-paths.ts'
import { directoryStore } from '../../../src/proxy/store/directory-store.ts'
import type { SnapshotStore } from '../../../src/proxy/store/snapshot-store.ts'
import { contractOf, type Contract } from '../../support/openapi.ts'
import { ask, converse, NOW_MS, serving, type Answered } from '../../support/proxy.ts'
import { AS_OF_MS, HOSTILE_CATEGORIES, HOUR_MS } from '../../support/release.ts'
import { LARGE_IDEAS, TARGETS, TARGETS_OF } from '../../support/targets.ts'
import { ownProxy } from '../own-proxy.ts'

const CORS = ['access-control-allow-origin', 'access-control-expose-headers', 'cross-origin-resource-policy']
const LIMITS = ['ratelimit-policy', 'x-ratelimit-limit', 'x-ratelimit-remaining', 'x-ratelimit-reset']
const EVERY = [...CORS, ...LIMITS, 'cache-control', 'x-content-type-options']
const OF_RELEASE = ['etag', 'last-modified', 'vary', 'x-data-as-of', 'x-snapshot-id']
const OF_BODY = ['content-length', 'content-type']

const clock = { ms: NOW_MS }
const nowMs = () => clock.ms
const served = serving(LARGE_IDEAS, { nowMs })
let contract: Contract
beforeAll(async () => {
  contract = await contractOf(served().port)
})
const at = async (ms: number, target: string, asking?: Parameters<Contract['ask']>[1]) => {
  clock.ms = ms
  return contract.ask(target, asking)
}

describe.each(TARGETS)('%s', (_, target) => {
  const isCsv = target.includes('csv')
  const names = [...EVERY, ...OF_RELEASE, ...OF_BODY, ...(isCsv ? ['content-disposition'] : [])].sort()

  test('200: exactly these headers', async () => {
    const answer = await at(NOW_MS, target)
    expect(answer.names).toEqual(names)
    expect(answer.headers).toMatchObject({
      'content-type': isCsv ? 'text/csv; charset=utf-8' : 'application/json; charset=utf-8',
      'content-length': String(answer.body.length),
      'access-control-allow-origin': '*',
      'last-modified': 'Wed, 20 May 2026 09:30:00 GMT',
      'x-data-as-of': '2026-05-20T09:30:00.123Z',
      'x-snapshot-id': served().manifest.id,
      'x-content-type-options': 'nosniff',
      'cache-control': 'private, max-age=60',
      vary: 'Accept-Encoding',
      etag: expect.stringMatching(/^W\/"[0-9a-f]{32}(-[0-9a-z-]+)?"$/),
    })
  })

  test('the bytes differ from moment to moment in the timestamp only', async () => {
    const [early, late] = [await at(NOW_MS, target), await at(NOW_MS + 1, target)]
    if (isCsv) return expect(late.body.equals(early.body)).toBe(true)
    const stamp = (ms: number) => `"generatedAt":"${new Date(ms).toISOString()}","version":"1.0"}`
    expect(early.text.endsWith(stamp(NOW_MS))).toBe(true)
    expect(late.text).toBe(early.text.replace(stamp(NOW_MS), stamp(NOW_MS + 1)))
  })
})

/** Requests that one file answers whole; which one is what parse-query.test.ts and snapshot-paths.test.ts say. */
const WHOLE: Readonly<Record<EndpointName, readonly string[]>> = {
  stats: [''],
  trending: ['limit=100', 'limit=100&category=..%2Fx'],
  categories: [''],
  timeline: ['', 'period=all&interval=day'],
  outcomes: [''],
  export: [
    '',
    'type=outcomes',
    'type=ideas&period=all',
    'type=users&format=csv',
    'type=ideas&period=all&format=csv',
    'type=timeline&period=all&interval=day&format=csv',
  ],
}

describe('the body is the snapshot', () => {
  test.each(
    Object.values(ENDPOINTS).flatMap((endpoint) => WHOLE[endpoint.name].map((query) => [endpoint, query] as const)),
  )('$path, %s', async (endpoint, query) => {
    const parsed = parseQuery(endpoint, query)
    const path = parsed.ok ? snapshotPath(parsed.query) : ''
    const onDisk = await readFile(join(served().dir, 'current', path), 'utf8')
    const { generatedAt } = served().manifest
    const fresh = onDisk.replace(`"generatedAt":"${generatedAt}"`, `"generatedAt":"${new Date(NOW_MS).toISOString()}"`)
    expect((await at(NOW_MS, `${endpoint.path}?${query}`)).text === fresh).toBe(true)
  })
})

describe('trending', () => {
  const ideasOf = (answer: Answered) => answer.json()['ideas'] as { id: string; rank: number; categories: string[] }[]

  test('is cut to the limit: the first of the hundred, and a count that agrees', async () => {
    const all = ideasOf(await at(NOW_MS, '/api/analytics/trending?limit=100'))
    expect(all.map(({ rank }) => rank)).toEqual(Array.from({ length: 100 }, (_, i) => i + 1))
    for (const limit of [1, 2, 20, 99, 100]) {
      const answer = await at(NOW_MS, `/api/analytics/trending?limit=${limit}`)
      expect(answer.json()).toMatchObject({ limit, count: limit, ideas: all.slice(0, limit) })
    }
    expect((await at(NOW_MS, '/api/analytics/trending')).json()).toMatchObject({ limit: 20, count: 20 })
  })

  test.each<[string, string, number]>([
    ...HOSTILE_CATEGORIES.map((name): [string, string, number] => [encodeURIComponent(name), name, 20]),
    ['PRODUCT', 'Product', 20],
    ['__PROTO__', '__proto__', 20],
    ['+%C2%A0Product%E2%80%83', 'Product', 20],
    ['uncategorized', 'Uncategorized', 20],
    ['Uncategorized', 'Uncategorized', 20],
    ['constructor', 'constructor', 0],
    ['+%C2%A0Nobody++knows%E2%80%83', 'Nobody  knows', 0],
    ['e%CC%81', '\u00E9', 0],
    ['%F0%9F%98%81', '😁', 0],
  ])('category=%s is read as %s: %i ideas', async (asked, echo, count) => {
    const answer = await at(NOW_MS, `/api/analytics/trending?category=${asked}`)
    expect(answer.json()).toMatchObject({ category: echo, count, dataAsOf: '2026-05-20T09:30:00.123Z' })
    expect(ideasOf(answer)).toHaveLength(count)
    for (const idea of ideasOf(answer)) expect(idea).toMatchObject({ category: echo })
  })

  test('an unknown category has the shape of a known one: the same keys, in order, and the window', async () => {
    const known = (await at(NOW_MS, '/api/analytics/trending?category=all')).json()
    const unknown = (await at(NOW_MS, '/api/analytics/trending?category=unknown')).json()
    expect(Object.keys(unknown)).toEqual(Object.keys(known))
    expect(unknown).toEqual({ ...known, category: 'unknown', count: 0, ideas: [] })
  })
})

describe('freshness', () => {
  test.each<[number, string | undefined]>([
    [AS_OF_MS, undefined],
    [AS_OF_MS + 2 * HOUR_MS, undefined],
    [AS_OF_MS + 2 * HOUR_MS + 1, 'true'],
    [AS_OF_MS + 1000 * HOUR_MS, 'true'],
  ])('at %i: X-Data-Stale %s, on every 200 and 304', async (ms, stale) => {
    for (const [name, target] of TARGETS) {
      const seen = [await at(ms, target), await at(ms, target, { headers: { 'If-None-Match': '*' } })]
      expect([name, ...seen.map(({ status, headers }) => [status, headers['x-data-stale']])]).toEqual([
        name,
        [200, stale],
        [304, stale],
      ])
    }
  })
})

describe('CSV', () => {
  test.each(EXPORT_TYPES)('%s: a file with a name', async (type) => {
    for (const period of ['24h', '7d', '30d', '90d', 'all']) {
      const { headers } = await at(NOW_MS, `/api/analytics/export?type=${type}&period=${period}&format=csv`)
      expect(headers).toMatchObject({
        'content-type': 'text/csv; charset=utf-8',
        'content-disposition': `attachment; filename="analytics-${type}-${period}-20260520T093000Z.csv"`,
      })
    }
  })
})

describe('CORS', () => {
  test('a browser client may read every header that is of use to it', async () => {
    const { headers } = await at(NOW_MS, TARGETS_OF.export['large CSV'])
    const exposed = String(headers['access-control-expose-headers']).toLowerCase().split(', ')
    // The Fetch standard's safelist needs no mention.
    const safe = ['cache-control', 'content-length', 'content-type', 'last-modified']
    const ofNoUse = ['vary', 'x-content-type-options', ...CORS]
    for (const name of [...Object.keys(headers), 'x-data-stale', 'retry-after', 'allow'])
      if (!safe.includes(name) && !ofNoUse.includes(name) && !/^(connection|keep-alive)$/.test(name))
        expect(exposed).toContain(name)
  })

  test('preflight: exactly these headers', async () => {
    const headers = { Origin: 'https://a.example', 'Access-Control-Request-Method': 'GET' }
    const answer = await ask(served().port, TARGETS_OF.stats.whole, { method: 'OPTIONS', headers })
    expect([answer.status, answer.body.length]).toEqual([204, 0])
    const preflight = ['access-control-allow-headers', 'access-control-allow-methods', 'access-control-max-age']
    expect(answer.names).toEqual([...CORS, ...LIMITS, ...preflight, 'cache-control'].sort())
  })
})

describe('errors', () => {
  test.each<[number, string, string, string[]]>([
    [400, 'GET', '/api/analytics/trending?limit=0', []],
    [404, 'GET', '/api/nowhere', []],
    [405, 'POST', '/api/public/stats', ['allow']],
  ])('%i: two strings in JSON, kept by no cache', async (status, method, target, more) => {
    const answer = await ask(served().port, target, { method })
    expect(answer.status).toBe(status)
    expect(Object.entries(answer.json()).map(([key, value]) => [key, typeof value])).toEqual([
      ['error', 'string'],
      ['message', 'string'],
    ])
    expect(answer.names).toEqual([...EVERY, ...OF_BODY, ...more].sort())
    expect(answer.headers).toMatchObject({
      'content-type': 'application/json; charset=utf-8',
      'cache-control': 'no-store',
      'access-control-allow-origin': '*',
    })
  })

  test.each(Object.values(ENDPOINTS))('500 at $path: nothing was ever published', async ({ path }) => {
    const { port } = await ownProxy({ snapshots: null })
    const answer = await (await contractOf(port)).ask(path)
    expect([answer.status, answer.names]).toEqual([500, [...EVERY, ...OF_BODY].sort()])
    expect(answer.json()).toEqual({
      error: 'Internal Server Error',
      message: 'No release has been published yet. Try again later.',
    })
  })

  test.each<[string, (store: SnapshotStore) => SnapshotStore, RegExp, RegExp]>([
    [
      'damaged',
      (store) => ({ ...store, read: (id, file) => store.read(id, { ...file, sha256: '0'.repeat(64) }) }),
      /^The snapshot for this request is missing or damaged\./,
      /sha256/,
    ],
    [
      'unexpected',
      (store) => ({ ...store, read: () => Promise.reject(new Error('/secret/path is out of order')) }),
      /^Something unexpected went wrong/,
      /unexpected: Error: \/secret\/path is out of order/,
    ],
    [
      'unexpected, thrown at once',
      (store) => ({
        ...store,
        read: () => {
          throw new TypeError('/secret/path is undefined')
        },
      }),
      /^Something unexpected went wrong/,
      /unexpected: TypeError/,
    ],
  ])('500, %s: the client gets a sentence, the log gets the reason', async (_, broken, message, logged) => {
    const { port, log } = await ownProxy({ snapshots: broken(directoryStore(served().dir)) })
    const check = await contractOf(port)
    for (const target of [TARGETS_OF.stats.whole, TARGETS_OF.trending.cut, TARGETS_OF.export['small CSV']]) {
      const answer = await check.ask(target)
      expect([answer.status, answer.names]).toEqual([500, [...EVERY, ...OF_BODY].sort()])
      expect(answer.json()['message']).toMatch(message)
      expect(answer.text).not.toMatch(/secret|\/tmp|\bat \w/)
    }
    expect(log.filter(({ level }) => level === 'error').map((line) => line.message)).toContainEqual(
      expect.stringMatching(logged),
    )
  })

  test.each([
    ['a byte short', -1],
    ['a byte long', 1],
  ])('a stream that is %s: never a byte that does not belong there', async (_, more) => {
    const store = directoryStore(served().dir)
    const wrong: SnapshotStore = {
      ...store,
      stream: async (id, file, exchange) => {
        const bytes = await buffer(await store.stream(id, file, exchange))
        return Readable.from(more > 0 ? [bytes, Buffer.from(' ')] : [bytes.subarray(0, -1)])
      },
    }
    const { port } = await ownProxy({ snapshots: wrong })
    for (const target of [TARGETS_OF.export['large CSV'], TARGETS_OF.export['large JSON']]) {
      const line = `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`
      const { answers, closed } = await converse(port, [line + line])
      // The second request gets no answer: the connection is in doubt.
      expect([answers.length, closed]).toEqual([1, true])
      expect(answers[0]).toMatchObject({ status: 200, whole: more > 0 })
    }
    expect((await ask(port, TARGETS_OF.stats.whole)).status).toBe(200)
  })
})

describe('a small memory', () => {
  test('answers the same when nothing fits into the cache', async () => {
    const { port } = await ownProxy({ snapshots: served().dir, cacheBytes: 2048, nowMs: () => NOW_MS })
    for (const [, target] of TARGETS)
      for (let i = 0; i < 2; i++)
        expect((await ask(port, target)).body.equals((await at(NOW_MS, target)).body), target).toBe(true)
  })
})
