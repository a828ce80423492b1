// What Prometheus reads on the admin port: every metric is moved by the thing itself.
// long test: waits for time-outs, or starts a program for each case
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, truncate, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { ENDPOINTS, OPENAPI_PATH } from '../../../src/contract/kinds/register.ts'
import { packagePath } from '../../../src/process/package-root.ts'
import { startAdminServer, type AdminServer } from '../../../src/proxy/metrics/admin-server.ts'
import { originStore } from '../../../src/proxy/store/origin-store.ts'
import { createMemoryRateLimiter } from '../../../src/proxy/limit/rate-limit.ts'
import { LARGE_RELEASE, LARGE_TARGET, stalledReader } from '../../support/large-release.ts'
import { PREFIX, requests, scrape } from '../../support/metrics.ts'
import { perTest } from '../../support/per-test.ts'
import { ask, converse, NOW_MS, serving, startProxy, until } from '../../support/proxy.ts'
import type { Asking, ProxySpec, TestProxy } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, type ReleaseSpec } from '../../support/release.ts'

const STATS = '/api/public/stats'

const { folder, running } = perTest()

interface Watched extends TestProxy {
  readonly admin: AdminServer
  /** One sample of the text, its labels as they stand; undefined = absent. */
  readonly read: (sample: string) => Promise<number | undefined>
  readonly samples: () => Promise<ReadonlyMap<string, number>>
}

/** @param release of the folder; null = none */
async function start(spec: Partial<ProxySpec> = {}, release: ReleaseSpec | null = {}): Promise<Watched> {
  if (release !== null) await publishRelease(folder.dir, release)
  const proxy = await startProxy({ snapshots: folder.dir, ...spec })
  running.push(() => proxy.stop())
  const admin = await startAdminServer(proxy.context, '127.0.0.1', 0)
  running.push(() => admin.stop())
  const samples = () => scrape(admin.address.port)
  return { ...proxy, admin, samples, read: async (sample) => (await samples()).get(`${PREFIX}${sample}`) }
}

describe('requests are counted by what they asked for and what they got', () => {
  const served = serving({}, { nowMs: () => AS_OF_MS + 3 * HOUR_MS })
  let admin: AdminServer | undefined
  beforeAll(async () => {
    admin = await startAdminServer(served().context, '127.0.0.1', 0)
  })
  afterAll(() => admin?.stop())

  /** The samples of requests that `act` moved, and by how much. */
  async function moved(act: () => Promise<unknown>): Promise<Record<string, number>> {
    const look = () => scrape(admin?.address.port ?? 0)
    const before = await look()
    await act()
    const changes = [...(await look())].map(([sample, count]) => [sample, count - (before.get(sample) ?? 0)] as const)
    return Object.fromEntries(changes.filter(([sample, by]) => sample.startsWith(`${PREFIX}requests`) && by !== 0))
  }

  test.each<[endpoint: string, status: number, target: string, asking: Asking]>([
    ...Object.values(ENDPOINTS).map(({ name, path }) => [name, 200, path, {}] as [string, number, string, Asking]),
    ['stats', 200, `http://anybody${STATS}`, {}],
    ['stats', 204, STATS, { method: 'OPTIONS' }],
    ['stats', 200, STATS, { method: 'HEAD' }],
    ['stats', 405, STATS, { method: 'POST' }],
    ['stats', 413, STATS, { headers: { 'Content-Length': '1' }, body: 'x' }],
    ['stats', 304, STATS, { headers: { 'If-None-Match': '*' } }],
    ['trending', 400, '/api/analytics/trending?limit=0', {}],
    ['openapi', 200, OPENAPI_PATH, {}],
    ['files', 200, '/snapshots/current/manifest.json', {}],
    ['files', 404, '/snapshots/current/none.json', {}],
    ['site', 404, '/', {}],
    ['site', 200, '/public/stats.json', {}],
    ['site', 404, '/metrics', {}],
    ['site', 404, '/constructor', {}],
    ['page', 200, '/healthz', {}],
    ['page', 503, '/freshz', {}],
    ['other', 404, '/api', {}],
  ])('%s %i: %s', async (endpoint, status, target, asking) => {
    const asked = async () => expect((await ask(served().port, target, asking)).status).toBe(status)
    expect(await moved(asked)).toEqual({ [PREFIX + requests(endpoint, status)]: 1 })
  })

  test.each([
    ['that is no HTTP', 'nonsense\r\n\r\n', 400],
    ['with an unknown method', 'BREW / HTTP/1.1\r\nHost: a\r\n\r\n', 405],
    ['without Host', 'GET / HTTP/1.1\r\n\r\n', 400],
    ['with too long a target', `GET /${'a'.repeat(5000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414],
    ['that is CONNECT', 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n', 405],
  ])('a head %s', async (_, text, status) => {
    const asked = async () =>
      expect((await converse(served().port, [text])).answers.map((answer) => answer.status)).toEqual([status])
    expect(await moved(asked)).toEqual({ [PREFIX + requests('unreadable', status)]: 1 })
  })

  test('pipelined ones are counted one by one', async () => {
    const { port, read } = await start()
    const text = `GET ${STATS} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(20)
    await converse(port, [text], { answers: 20 })
    expect(await read(requests('stats', 200))).toBe(20)
  })

  test('what an endpoint may answer is there at 0 before it is asked', async () => {
    const { read } = await start({ snapshots: null }, null)
    for (const endpoint of Object.keys(ENDPOINTS))
      for (const status of [200, 304, 400, 429, 500]) expect(await read(requests(endpoint, status))).toBe(0)
  })

  test('a thousand unknown paths make one series', async () => {
    const { port, samples } = await start()
    const strange = (i: number): string =>
      ['/', '/api/', '/snapshots/', '/api/public/stats/', '/api/'][i % 5] + `x${i}"\\`
    for (const i of [0, 1, 2]) await ask(port, strange(i))
    const before = [...(await samples()).keys()]
    const text = Array.from({ length: 1000 }, (_, i) => `GET ${strange(i)} HTTP/1.1\r\nHost: a${i}\r\n\r\n`)
    const clients = Array.from({ length: 40 }, (_, i) => text.slice(25 * i, 25 * (i + 1)).join(''))
    await Promise.all(clients.map((ahead) => converse(port, [ahead], { answers: 25, forMs: 20_000 })))
    const after = await samples()
    expect([...after.keys()]).toEqual(before)
    expect(after.get(`${PREFIX}${requests('site', 404)}`)).toBe(201)
    expect(after.get(`${PREFIX}${requests('other', 404)}`)).toBe(601)
    expect(after.get(`${PREFIX}${requests('files', 404)}`)).toBe(201)
  })
})

describe('the limiter', () => {
  test('429 answers and clients', async () => {
    const { port, samples } = await start({ limit: 2 })
    for (const client of ['203.0.113.1', '203.0.113.2', '203.0.113.3']) await ask(port, STATS, { client })
    for (let i = 0; i < 4; i++) await ask(port, STATS, { client: '203.0.113.1' })
    const seen = await samples()
    expect(seen.get('analytics_proxy_rate_limit_clients')).toBe(3)
    expect(seen.get('analytics_proxy_rate_limit_refusals_total')).toBe(3)
    expect(seen.get(`${PREFIX}${requests('stats', 429)}`)).toBe(3)
    expect([...seen.keys()].filter((sample) => sample.includes('203.0'))).toEqual([])
  })
})

describe('the store of the limiter', () => {
  test('down while it does not answer; memory never is', async () => {
    expect(await (await start({}, null)).read('rate_store_down')).toBe(0)
    const memory = createMemoryRateLimiter({ limit: 1, windowMs: 1000, maxClients: 1000 })
    for (const storeDown of [true, false])
      expect(await (await start({ limiter: { ...memory, storeDown } }, null)).read('rate_store_down')).toBe(
        storeDown ? 1 : 0,
      )
  })
})

describe('the cache', () => {
  test('a miss, then hits; a 304 needs no body; the size of what is kept', async () => {
    const { port, samples } = await start({ cacheBytes: 5 << 20 })
    const cache = async () => {
      const seen = await samples()
      return ['hits_total', 'misses_total', 'max_bytes', 'bytes'].map((name) => seen.get(`${PREFIX}cache_${name}`))
    }
    expect(await cache()).toEqual([0, 0, 5 << 20, 0])
    const { body } = await ask(port, STATS)
    const [hits, misses, , bytes = 0] = await cache()
    expect([hits, misses]).toEqual([0, 1])
    expect(bytes).toBeGreaterThan(body.length)
    await ask(port, STATS)
    await ask(port, STATS)
    await ask(port, STATS, { headers: { 'If-None-Match': '*' } })
    expect(await cache()).toEqual([2, 1, 5 << 20, bytes])
  })
})

describe('the release', () => {
  test('absent without one; then its age, its cadence, and how often it was switched', async () => {
    const { watcher, read } = await start({ nowMs: () => NOW_MS + 60_000 }, null)
    expect(await read('release_age_seconds')).toBeUndefined()
    expect(await read('release_cadence_seconds')).toBeUndefined()
    expect(await read('release_switches_total')).toBe(0)
    await publishRelease(folder.dir, { cadenceMs: 300_000 })
    await watcher.look()
    expect(await read('release_age_seconds')).toBe((NOW_MS + 60_000 - AS_OF_MS) / 1000)
    expect(await read('release_cadence_seconds')).toBe(300)
    await watcher.look()
    expect(await read('release_switches_total')).toBe(1)
    await publishRelease(folder.dir, { asOfMs: AS_OF_MS + 60_000, revision: 1 })
    await watcher.look()
    expect(await read('release_switches_total')).toBe(2)
    expect(await read('release_age_seconds')).toBe((NOW_MS - AS_OF_MS) / 1000)
  })

  test('an age is never below 0, also when the clock is behind', async () => {
    expect(await (await start({ nowMs: () => AS_OF_MS - HOUR_MS })).read('release_age_seconds')).toBe(0)
  })

  test('unreadable, while the one before goes on', async () => {
    const { watcher, read } = await start()
    expect(await read('release_unreadable')).toBe(0)
    // Only when it is told to, so that it does not come between publishing and damaging.
    watcher.stop()
    const { id } = await publishRelease(folder.dir, { asOfMs: AS_OF_MS + 60_000, revision: 1 })
    const path = join(folder.dir, 'releases', id, 'manifest.json')
    const sound = await readFile(path)
    await writeFile(path, '{}')
    await watcher.look()
    expect([await read('release_unreadable'), await read('release_switches_total')]).toEqual([1, 1])
    await writeFile(path, sound)
    await watcher.look()
    expect([await read('release_unreadable'), await read('release_switches_total')]).toEqual([0, 2])
  })

  test('the alert rules ask for names that are there', async () => {
    const { samples } = await start()
    const rules = readFileSync(packagePath('deploy', 'prometheus', 'analytics.rules.yml'), 'utf8')
    const names = new Set([...rules.matchAll(/analytics_proxy_\w+/g)].map(([name]) => name))
    expect(names.size).toBeGreaterThan(1)
    const seen = [...(await samples()).keys()].map((sample) => sample.replace(/\{.*/, ''))
    for (const name of names) expect(seen).toContain(name)
  })
})

describe('streams that do not reach their end', () => {
  const slowReader = async (port: number) => {
    const { socket } = await stalledReader(port)
    socket.on('error', () => undefined)
    return socket
  }
  const ends = async ({ read }: Watched) =>
    Promise.all(['source', 'reader'].map((cause) => read(`stream_errors_total{cause="${cause}"}`)))

  test('none, when it is read to its end', async () => {
    const watched = await start({}, LARGE_RELEASE)
    expect((await ask(watched.port, LARGE_TARGET)).status).toBe(200)
    expect((await ask(watched.port, LARGE_TARGET, { method: 'HEAD' })).status).toBe(200)
    expect(await ends(watched)).toEqual([0, 0])
  })

  test.each(['destroy', 'resetAndDestroy'] as const)('the reader leaves (%s)', async (leave) => {
    const watched = await start({}, LARGE_RELEASE)
    const socket = await slowReader(watched.port)
    expect(await ends(watched)).toEqual([0, 0])
    socket[leave]()
    await until(async () => (await ends(watched))[1] === 1, 3000, 'the reader has left')
    expect(await ends(watched)).toEqual([0, 1])
  })

  test('the file is cut short underneath', async () => {
    const watched = await start({}, LARGE_RELEASE)
    const socket = await slowReader(watched.port)
    await truncate(join(folder.dir, 'current', 'analytics/export/ideas/all.csv'), 15_000_000)
    socket.resume()
    await until(async () => (await ends(watched))[0] === 1, 3000, 'the source has failed')
    expect(await ends(watched)).toEqual([1, 0])
  })

  test.each(['csv', 'json'])('the origin hangs up in the middle (%s)', async (format) => {
    await publishRelease(folder.dir, LARGE_RELEASE)
    const origin = createServer((request, response) => {
      const bytes = readFileSync(join(folder.dir, request.url ?? ''))
      response.writeHead(200, { 'Content-Length': bytes.length })
      if (bytes.length < 10_000_000) response.end(bytes)
      else response.write(bytes.subarray(0, 1_000_000), () => response.destroy())
    }).listen(0, '127.0.0.1')
    await once(origin, 'listening')
    running.push(() => Promise.resolve(origin.close()))
    const { port } = origin.address() as AddressInfo
    const watched = await start({ snapshots: originStore(`http://127.0.0.1:${port}`) }, null)
    await expect(ask(watched.port, LARGE_TARGET.replace('csv', format))).rejects.toThrow('aborted')
    await until(async () => (await ends(watched))[0] === 1, 3000, 'the source has failed')
    expect(await ends(watched)).toEqual([1, 0])
  })
})

describe('the event loop', () => {
  test('how late it was, when it stood still', async () => {
    const { read } = await start({ snapshots: null }, null)
    await sleep(100)
    const untilMs = performance.now() + 300
    while (performance.now() < untilMs);
    await sleep(50)
    const worst = (await read('event_loop_delay_max_seconds')) ?? 0
    expect(worst).toBeGreaterThan(0.2)
    // A second look finds it still.
    expect(await read('event_loop_delay_max_seconds')).toBeGreaterThanOrEqual(worst)
    expect(await read('event_loop_delay_p99_seconds')).toBeGreaterThan(0)
  })
})
