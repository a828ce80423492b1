// Origins that are slow, hang, compress, forget or change: no request and no look waits for ever, and nothing leaks.
// long test: origins that hang until a time-out
import { createHash } from 'node:crypto'
import { readFile, rm } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brotliCompressSync, gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { ORIGIN_TIMES, originStore } from '../../../src/proxy/store/origin-store.ts'
import { Origin } from '../../support/origin.ts'
import { ask, startProxy, until, type TestProxy } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, snapshotsFolder } from '../../support/release.ts'

const STATS = '/api/public/stats'
const LARGE_CSV = '/api/analytics/export?type=ideas&period=all&format=csv'
const LARGE_JSON = '/api/analytics/export?type=ideas&period=all'
const CURRENT = 'current/manifest.json'
const PATIENT = { ...ORIGIN_TIMES, lookMs: 0 }
/** Where a test waits for a deadline. */
const SOON = { ...PATIENT, manifestMs: 1_000, snapshotMs: 1_000, headMs: 1_000 }
const LATER = { asOfMs: AS_OF_MS + HOUR_MS, revision: 1 }
/** Two exports over 1 MiB. */
const LARGE = { ideas: 400, titleChars: 3000, ageMs: 40 * 86_400_000 }

let folder: ReturnType<typeof snapshotsFolder>
let origin: Origin
let proxy: TestProxy
beforeEach(async () => {
  folder = snapshotsFolder()
  origin = new Origin(folder.dir)
  await publishRelease(folder.dir, LARGE)
  await origin.start()
})
afterEach(async () => {
  origin.instead.clear()
  await proxy.stop()
  try {
    // Whatever was under way, and however it ended.
    await until(async () => (await origin.connections()) === 0, 10_000, 'no connection is left open')
  } finally {
    await origin.stop()
    folder.remove()
  }
})

const start = async (times = PATIENT) => (proxy = await startProxy({ snapshots: originStore(origin.base, times) }))
const errors = () => proxy.log.filter(({ level }) => level === 'error').map(({ message }) => message)
const idOf = async () => (await ask(proxy.port, STATS)).headers['x-snapshot-id']

type Instead = (response: ServerResponse, file: string) => unknown

const dripping = (response: ServerResponse, write: (text: string) => unknown): void => {
  const timer = setInterval(() => write(' '), 40)
  response.once('close', () => clearInterval(timer))
}
const dripBody =
  (status = 200): Instead =>
  (response) => {
    response.writeHead(status).flushHeaders()
    dripping(response, (text) => response.write(text))
  }
const dripHead: Instead = (response) => {
  response.socket?.write('HTTP/1.1 200 OK\r\nX-Slow: x')
  dripping(response, (text) => response.socket?.write(text))
}
const hang: Instead = () => undefined

describe('an origin that takes for ever', () => {
  test.each<[string, Instead, string]>([
    ['drips its manifest', dripBody(), 'not there whole within 1 s'],
    ['drips the head of its manifest', dripHead, 'not there whole within 1 s'],
    ['drips an error', dripBody(503), 'answered 503'],
    ['drips a 404', dripBody(404), 'answered 404'],
    ['never answers', hang, 'not there whole within 1 s'],
  ])('that %s: the release before serves, and the next one is seen', async (_, instead, logged) => {
    await start(SOON)
    const id = await idOf()
    origin.instead.set(CURRENT, instead)
    await proxy.watcher.look()
    expect(errors()).toEqual([expect.stringContaining(logged)])
    expect(await idOf()).toBe(id)
    const next = await publishRelease(folder.dir, LATER)
    origin.instead.clear()
    await until(async () => (await idOf()) === next.id, 15_000, 'the watcher looks on by itself')
  })

  test.each<[string, Instead]>([
    ['drips the body', dripBody()],
    ['drips the head', dripHead],
    ['never answers', hang],
  ])('that %s of a snapshot: 500', async (_, instead) => {
    await start(SOON)
    origin.instead.set('stats.json', instead)
    expect((await ask(proxy.port, STATS)).status).toBe(500)
    expect(errors()).toEqual([expect.stringContaining('stats.json was not there whole within 1 s')])
  })

  test.each<[string, Instead]>([
    ['drips the head', dripHead],
    ['never answers', hang],
  ])('that %s of what passes through: 500', async (_, instead) => {
    await start(SOON)
    for (const end of ['all.csv', 'all.json', '7d.json']) origin.instead.set(end, instead)
    for (const target of [LARGE_CSV, LARGE_JSON, '/snapshots/current/analytics/categories/7d.json'])
      expect([target, (await ask(proxy.port, target)).status]).toEqual([target, 500])
    expect(errors()).toHaveLength(3)
    for (const message of errors()) expect(message).toContain('did not begin to answer within 1 s')
  })

  test('altogether: a request for what is not in memory fails in its own time, not in that of the manifest', async () => {
    await start({ ...SOON, manifestMs: 60_000 })
    await idOf()
    for (const end of ['.json', '.csv']) origin.instead.set(end, hang)
    const targets = ['/api/analytics/categories', LARGE_JSON, '/snapshots/current/analytics/categories/7d.json']
    const answers = await Promise.all(targets.map((target) => ask(proxy.port, target)))
    expect(answers.map(({ status }) => status)).toEqual([500, 500, 500])
    // What is in memory, as ever.
    for (const target of [STATS, '/snapshots/current/manifest.json'])
      expect([target, (await ask(proxy.port, target)).status]).toEqual([target, 200])
  })

  test('with many who wait for it: watcher and API have connections of their own', async () => {
    await start({ ...SOON, headMs: 5_000 })
    origin.instead.set('7d.json', hang)
    const waiting = Array.from({ length: 60 }, () => ask(proxy.port, '/snapshots/current/analytics/categories/7d.json'))
    await until(() => origin.of('7d.json').length >= 16, 5_000, 'they are under way')
    const next = await publishRelease(folder.dir, LATER)
    await proxy.watcher.look()
    expect(await idOf()).toBe(next.id)
    expect(errors()).toEqual([])
    expect(new Set((await Promise.all(waiting)).map(({ status }) => status))).toEqual(new Set([500]))
  })
})

describe('an origin that compresses though identity was asked for', () => {
  const asIs = (bytes: Buffer): Buffer => bytes
  const coded =
    (coding: string | string[], encode: (bytes: Buffer) => Buffer): Instead =>
    async (response, file) => {
      const bytes = encode(await readFile(file))
      response.writeHead(200, { 'Content-Encoding': coding, 'Content-Length': bytes.length }).end(bytes)
    }
  test('with one, or two: 500, and the log names it and what to do', async () => {
    await start()
    const twice = (bytes: Buffer): Buffer => brotliCompressSync(gzipSync(bytes))
    for (const [coding, encode] of [
      ['gzip', gzipSync],
      [['gzip', 'br'], twice],
    ] as [string | string[], (bytes: Buffer) => Buffer][]) {
      for (const end of ['stats.json', 'all.csv', 'all.json']) origin.instead.set(end, coded(coding, encode))
      for (const target of [STATS, LARGE_CSV, LARGE_JSON]) expect((await ask(proxy.port, target)).status).toBe(500)
    }
    expect(errors().length).toBeGreaterThan(3)
    for (const message of errors())
      expect(message).toMatch(/Content-Encoding "gzip(?:, br)?" .*switch that compression off/)
    for (const { headers } of origin.fetched) expect(headers['accept-encoding']).toBe('identity')
  })

  test('with Identity, or with none that it names: answers are right', async () => {
    await start()
    for (const coding of ['Identity', '']) {
      for (const end of ['.json', '.csv']) origin.instead.set(end, coded(coding, asIs))
      for (const target of [LARGE_CSV, LARGE_JSON]) expect((await ask(proxy.port, target)).status).toBe(200)
    }
    expect(errors()).toEqual([])
  })

  test.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'with one that is a name of every object, %s: the watcher looks on',
    async (name) => {
      await start(SOON)
      const id = await idOf()
      origin.instead.set(CURRENT, coded(name, asIs))
      await proxy.watcher.look()
      expect(errors()).toEqual([expect.stringContaining(`Content-Encoding "${name.toLowerCase()}"`)])
      expect(await idOf()).toBe(id)
      const next = await publishRelease(folder.dir, LATER)
      origin.instead.clear()
      await until(async () => (await idOf()) === next.id, 15_000, 'the watcher looks on by itself')
    },
  )
})

describe('how often it is asked', () => {
  test('for the current manifest: by what is left of its max-age, 304 included', async () => {
    await start()
    let age = '10'
    const { store } = proxy.context
    origin.instead.set(CURRENT, async (response, file) => {
      response.setHeader('Cache-Control', 'public, max-age=60, stale-while-revalidate=300').setHeader('Age', age)
      response.setHeader('ETag', '"one"')
      response.end(await readFile(file))
    })
    await store.current()
    expect(store.lookAgainMs).toBe(50_000)
    origin.instead.set(CURRENT, (response) =>
      response.writeHead(304, { 'Cache-Control': 'max-age=60', Age: age, ETag: '"one"' }).end(),
    )
    age = '40'
    await store.current()
    expect(store.lookAgainMs).toBe(20_000)
    age = '70'
    for (const expected of [1_000, 2_000, 4_000]) {
      await store.current()
      expect(store.lookAgainMs).toBe(expected)
    }
    age = '0'
    await store.current()
    expect(store.lookAgainMs).toBe(60_000)
    origin.instead.set(CURRENT, async (response, file) =>
      response.setHeader('Cache-Control', ['public', 'max-age=30']).end(await readFile(file)),
    )
    await store.current()
    expect(store.lookAgainMs).toBe(30_000)
  })

  test('for the current manifest: not once for each request that fails', async () => {
    await start(ORIGIN_TIMES)
    origin.instead.set('public/stats.json', (response) => response.writeHead(503).end())
    const startMs = performance.now()
    origin.fetched.length = 0
    for (let i = 0; i < 60; i++) expect((await ask(proxy.port, `${STATS}?${i}`)).status).toBe(500)
    const seconds = (performance.now() - startMs) / 1000
    expect(origin.of(CURRENT).length).toBeLessThanOrEqual(3 + 2 * seconds)
    expect(origin.of(CURRENT).length).toBeLessThan(40)
  })

  test('for made-up ids: never', async () => {
    await start()
    const count = origin.fetched.filter(({ path }) => !path.endsWith(CURRENT)).length
    const ids = Array.from(
      { length: 200 },
      (_, i) => `2026052${i % 10}T09300012${i % 7}Z-${String(i).padStart(8, '0')}`,
    )
    const asked = ids.map((id) => ask(proxy.port, `/snapshots/releases/${id}/public/stats.json`))
    expect(new Set((await Promise.all(asked)).map(({ status }) => status))).toEqual(new Set([404]))
    expect(origin.fetched.filter(({ path }) => !path.endsWith(CURRENT))).toHaveLength(count)
  })

  test('for a release that was current here: once for all who ask, and until it is gone', async () => {
    await start()
    const old = proxy.watcher.release?.id ?? ''
    await publishRelease(folder.dir, LATER)
    await proxy.watcher.look()
    const paths = ['manifest.json', 'public/stats.json', 'analytics/export/ideas/all.csv']
    const all = async () => {
      const answers = paths.flatMap((path) =>
        Array.from({ length: 5 }, () => ask(proxy.port, `/snapshots/releases/${old}/${path}`)),
      )
      return new Set((await Promise.all(answers)).map(({ status }) => status))
    }
    expect(await all()).toEqual(new Set([200]))
    // One load; five pass through.
    expect(origin.of(`${old}/manifest.json`)).toHaveLength(6)
    await rm(join(folder.dir, 'releases', old), { recursive: true })
    // The first who meets a file that is gone has the release asked for again.
    expect((await ask(proxy.port, `/snapshots/releases/${old}/public/stats.json`)).status).toBe(404)
    expect(await all()).toEqual(new Set([404]))
    const before = origin.fetched.length
    expect(await all()).toEqual(new Set([404]))
    expect(origin.fetched.slice(before).filter(({ path }) => !path.endsWith(CURRENT))).toEqual([])
  })
})

describe('an origin that changes', () => {
  test('connections that it closes when they are used again cost no answer', async () => {
    const used = new WeakSet<object>()
    const once: Instead = async (response, file) => {
      const { socket } = response
      if (socket === null || used.has(socket)) return response.destroy()
      used.add(socket)
      response.end(await readFile(file))
    }
    for (const end of ['.json', '.csv']) origin.instead.set(end, once)
    await start()
    for (const period of ['24h', '7d', '30d', '90d', 'all'])
      expect((await ask(proxy.port, `/api/analytics/categories?period=${period}`)).status).toBe(200)
    for (let i = 0; i < 5; i++) await proxy.watcher.look()
    expect(errors()).toEqual([])
  })

  test('other bytes under one id: not served, until the manifest says that they are right', async () => {
    await start()
    const good = await readFile(join(folder.dir, 'current', 'public/stats.json'), 'utf8')
    const changed = good.replace('"generatedAt":"2026', '"generatedAt":"2027')
    const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
    origin.instead.set('stats.json', (response) => response.end(changed))
    const first = await ask(proxy.port, STATS)
    expect([first.status, errors()]).toEqual([500, [expect.stringContaining('sha256')]])
    origin.instead.set(CURRENT, async (response, file) =>
      response.end((await readFile(file, 'utf8')).replace(sha256(good), sha256(changed))),
    )
    await proxy.watcher.look()
    await until(async () => (await ask(proxy.port, STATS)).status === 200, 10_000, 'the new bytes are served')
  })

  test('a redirect is named, with where it leads', async () => {
    await start()
    origin.instead.set(CURRENT, (response) =>
      response.writeHead(301, { Location: 'https://files.example.org/manifest.json' }).end(),
    )
    await proxy.watcher.look()
    expect(errors()).toEqual([
      expect.stringMatching(/answered 301, .*give the address itself, https:\/\/files\.example\.org\/manifest\.json/),
    ])
  })

  test('a 304 that nobody asked for is no manifest', async () => {
    origin.instead.set(CURRENT, (response) => response.writeHead(304, { ETag: '"x"' }).end())
    await start()
    expect((await ask(proxy.port, STATS)).status).toBe(500)
    expect(errors()[0]).toContain('answered 304, expected 200')
    origin.instead.clear()
    await until(async () => (await ask(proxy.port, STATS)).status === 200, 15_000, 'the first release')
  })
})

test('a name that cannot be resolved: the proxy is up, says so once, and ends', async () => {
  proxy = await startProxy({ snapshots: originStore('http://no-such-origin.invalid/files', SOON) })
  await proxy.watcher.look()
  expect((await ask(proxy.port, STATS)).status).toBe(500)
  expect((await ask(proxy.port, '/healthz')).status).toBe(200)
  expect(errors()[0]).toContain('no-such-origin.invalid')
})
