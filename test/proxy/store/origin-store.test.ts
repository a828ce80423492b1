// A proxy whose releases lie behind HTTP: the same answers, nothing of a client passed on, nothing unproved let through.
// long test: waits for time-outs, or starts a program for each case
import { createReadStream } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { ORIGIN_TIMES, originStore } from '../../../src/proxy/store/origin-store.ts'
import { contractOf } from '../../support/openapi.ts'
import { Origin } from '../../support/origin.ts'
import { ask, converse, dial, startProxy, until, type TestProxy } from '../../support/proxy.ts'
import { publishRelease, snapshotsFolder } from '../../support/release.ts'

const STATS = '/api/public/stats'
const LARGE_CSV = '/api/analytics/export?type=ideas&period=all&format=csv'
const LARGE_JSON = '/api/analytics/export?type=ideas&period=all'
const CSV_PATH = 'analytics/export/ideas/all.csv'
const JSON_PATH = 'analytics/export/ideas/all.json'

const folder = snapshotsFolder()
const origin = new Origin(folder.dir)
let direct: TestProxy
beforeAll(async () => {
  await publishRelease(folder.dir, { ideas: 2500, titleChars: 3000, ageMs: 40 * 86_400_000 })
  await origin.start()
  direct = await startProxy({ snapshots: folder.dir })
})
afterAll(async () => {
  await direct?.stop()
  await origin.stop()
  folder.remove()
})

let proxy: TestProxy
beforeEach(async () => {
  proxy = await startProxy({ snapshots: originStore(origin.base, { ...ORIGIN_TIMES, lookMs: 0 }) })
  origin.fetched.length = 0
})
afterEach(async () => {
  origin.instead.clear()
  await proxy.stop()
})
const errors = () => proxy.log.filter(({ level }) => level === 'error').map(({ message }) => message)

describe('the answers', () => {
  test('are those of a proxy that reads the folder, of every endpoint and kind', async () => {
    const targets = [
      ...Object.values(ENDPOINTS).map(({ path }) => path),
      '/api/analytics/trending?limit=3&category=%F0%9F%98%80&period=90d',
      '/api/analytics/trending?category=nobody',
      '/api/analytics/export?type=users&format=csv',
      LARGE_JSON,
      LARGE_CSV,
      '/api/analytics/trending?limit=0',
      '/api/nowhere',
      '/snapshots/current/manifest.json',
      '/snapshots/current/public/stats.json',
      `/snapshots/current/${CSV_PATH}`,
      `/snapshots/releases/${proxy.watcher.release?.id}/${JSON_PATH}`,
      '/snapshots/releases/20260101T000000000Z-00000000/manifest.json',
      '/readyz',
      '/freshz',
    ]
    const lasting = ['x-ratelimit-remaining', 'x-ratelimit-reset', 'date']
    for (const target of targets)
      for (const method of ['GET', 'HEAD']) {
        const [one, other] = await Promise.all([proxy, direct].map(({ port }) => ask(port, target, { method })))
        expect([target, one?.status, one?.names]).toEqual([target, other?.status, other?.names])
        for (const name of lasting) for (const { headers } of [one, other].flatMap((a) => a ?? [])) delete headers[name]
        expect(one?.headers).toEqual(other?.headers)
        expect(one?.body.equals(other?.body ?? Buffer.from('none')), target).toBe(true)
      }
    expect(errors()).toEqual([])
  })

  test('are fetched once when they are small, and each time when they are large', async () => {
    for (let i = 0; i < 3; i++)
      for (const target of [STATS, `${STATS}?x`, LARGE_CSV, LARGE_JSON]) await ask(proxy.port, target)
    expect(origin.of('public/stats.json')).toHaveLength(1)
    expect(origin.of(CSV_PATH)).toHaveLength(3)
    expect(origin.of(JSON_PATH)).toHaveLength(3)
    await Promise.all(Array.from({ length: 20 }, () => ask(proxy.port, '/api/analytics/categories')))
    expect(origin.of('analytics/categories/30d.json')).toHaveLength(1)
  })
})

describe('no header of a client travels', () => {
  const SECRETS = {
    Cookie: 'session=secret',
    Authorization: 'Bearer secret',
    'X-Forwarded-For': '203.0.113.99',
    Forwarded: 'for=secret',
    'User-Agent': 'secret/1.0',
    Referer: 'https://secret.example/',
    Origin: 'https://secret.example',
    'Accept-Language': 'x-secret',
    'Accept-Encoding': 'x-secret, br',
    Range: 'bytes=0-5',
    'If-None-Match': '"secret"',
    'If-Range': '"secret"',
    'If-Modified-Since': 'Wed, 20 May 2020 09:30:00 GMT',
    'X-Request-Id': 'secret',
    Connection: 'close, X-Request-Id',
    TE: 'trailers',
    Trailer: 'x',
    Expect: 'secret',
    Via: '1.1 secret',
  }
  const ALLOWED = ['accept', 'accept-encoding', 'connection', 'host', 'if-none-match']

  const FILES = [CSV_PATH, 'analytics/categories/7d.json'].map((path) => `/snapshots/current/${path}`)
  test.each([STATS, LARGE_JSON, LARGE_CSV, ...FILES])('%s', async (target) => {
    const lines = Object.entries(SECRETS).map(([name, value]) => `${name}: ${value}\r\n`)
    const text = `GET ${target} HTTP/1.1\r\nHost: secret.example\r\n${lines.join('')}\r\n`
    const { answers } = await converse(proxy.port, [text])
    expect(answers.map(({ status, whole }) => [status, whole])).toEqual([[200, true]])
    const files = origin.fetched.filter(({ path }) => !path.endsWith('manifest.json'))
    expect(files).toHaveLength(1)
    for (const { headers, path } of origin.fetched) {
      expect(ALLOWED, path).toEqual(expect.arrayContaining(Object.keys(headers)))
      expect(JSON.stringify(headers)).not.toMatch(/secret|203\.0\.113/)
      expect(headers.host).toBe(`127.0.0.1:${origin.port}`)
    }
    // Only the proxy's own question for the current manifest is conditional.
    for (const { headers } of files) expect(headers).not.toHaveProperty('if-none-match')
  })

  test('the manifest is asked for by its ETag, so that an unchanged one is not sent', async () => {
    const { release } = proxy.watcher
    await proxy.watcher.look()
    await proxy.watcher.look()
    expect(origin.of('current/manifest.json').map(({ headers }) => headers['if-none-match'])).toContainEqual(
      expect.stringMatching(/^"/),
    )
    expect(proxy.watcher.release).toBe(release)
  })
})

describe('what is not proved is not served', () => {
  const cut = async (response: ServerResponse, file: string) => {
    const bytes = await readFile(file)
    response.writeHead(200, { 'Content-Length': bytes.length })
    response.write(bytes.subarray(0, bytes.length / 2), () => response.destroy())
  }
  const flipped = async (response: ServerResponse, file: string) => {
    const bytes = await readFile(file)
    bytes[50] = (bytes[50] ?? 0) ^ 1
    response.end(bytes)
  }
  const answering = (status: number) => (response: ServerResponse) => response.writeHead(status).end('oops')
  const longer = async (response: ServerResponse, file: string) => response.end(`${await readFile(file, 'utf8')} `)
  const reset = (response: ServerResponse) => response.destroy()

  const DAMAGED = 'The snapshot for this request is missing or damaged. The next release will replace it.'
  const UNREADABLE = 'The snapshot for this request could not be read just now. Try again later.'
  test.each<[string, (response: ServerResponse, file: string) => unknown, string, string]>([
    ['a flipped bit', flipped, 'sha256', DAMAGED],
    ['a byte too many', longer, 'is over', DAMAGED],
    ['404', answering(404), '404', DAMAGED],
    ['half of it', cut, 'cut off', UNREADABLE],
    ['503', answering(503), '503', UNREADABLE],
    ['206', answering(206), '206', UNREADABLE],
    ['304', answering(304), '304', UNREADABLE],
    ['a redirect', (response) => response.writeHead(302, { Location: '/elsewhere' }).end(), '302', UNREADABLE],
    ['no answer', reset, 'cannot fetch', UNREADABLE],
  ])('%s instead of a small snapshot: 500, and a line in the log', async (_, instead, logged, message) => {
    origin.instead.set('public/stats.json', instead)
    const contract = await contractOf(proxy.port)
    const answer = await contract.ask(STATS)
    expect([answer.status, answer.json()['message']]).toEqual([500, message])
    expect(answer.text).not.toContain('127.0.0.1')
    expect(errors()).toEqual([expect.stringContaining(logged)])
  })

  describe.each([
    ['JSON', LARGE_JSON, JSON_PATH],
    ['CSV', LARGE_CSV, CSV_PATH],
  ])('instead of large %s', (__, target, path) => {
    test.each<[string, (response: ServerResponse, file: string) => unknown]>([
      ['404', answering(404)],
      ['503', answering(503)],
      ['206', answering(206)],
      ['a redirect', (response) => response.writeHead(302, { Location: '/elsewhere' }).end()],
      ['no answer', reset],
      ['another length', (response) => response.writeHead(200, { 'Content-Length': 5 }).end('short')],
    ])('%s: 500', async (_, instead) => {
      origin.instead.set(path, instead)
      expect((await ask(proxy.port, target)).status).toBe(500)
      expect(errors()).toHaveLength(1)
      origin.instead.clear()
      expect((await ask(proxy.port, target)).status).toBe(200)
    })

    test.each<[string, (response: ServerResponse, file: string) => unknown]>([
      ['half of it', cut],
      ['too little, in chunks', async (response, file) => response.end((await readFile(file)).subarray(0, -1))],
      ['too much, in chunks', longer],
    ])('%s: cut off, never passed as whole', async (_, instead) => {
      origin.instead.set(path, (response, file) => {
        response.removeHeader('Content-Length')
        return instead(response, file)
      })
      // Chunks carry no length that could be checked beforehand.
      const { answers, closed } = await converse(proxy.port, [`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`.repeat(2)])
      expect([answers.length, closed]).toEqual([1, true])
      expect((await ask(proxy.port, STATS)).status).toBe(200)
    })
  })

  test('a manifest that is damaged: the release before keeps serving', async () => {
    const id = proxy.watcher.release?.id
    for (const instead of [flipped, cut, answering(404), answering(500), reset]) {
      origin.instead.set('current/manifest.json', instead)
      await proxy.watcher.look()
      const answer = await ask(proxy.port, STATS)
      expect([answer.status, answer.headers['x-snapshot-id']]).toEqual([200, id])
    }
    expect(JSON.stringify((await ask(proxy.port, '/readyz')).json())).not.toContain('127.0.0.1')
  })
})

describe('an origin that is away', () => {
  test('what is at hand keeps being served, the rest is a 500, and all is well when it is back', async () => {
    await ask(proxy.port, STATS)
    await ask(proxy.port, '/api/analytics/export?type=users&format=csv')
    await origin.stop()
    try {
      await until(() => errors().length > 0, 10_000, 'the log says so')
      for (const target of [STATS, '/api/analytics/export?type=users&format=csv'])
        expect([target, (await ask(proxy.port, target)).status]).toEqual([target, 200])
      for (const target of ['/api/analytics/categories', '/api/analytics/trending?category=nobody', LARGE_JSON]) {
        const answer = await ask(proxy.port, target)
        expect([target, answer.status, answer.json()['error']]).toEqual([target, 500, 'Internal Server Error'])
      }
      expect((await ask(proxy.port, '/readyz')).status).toBe(200)
    } finally {
      await origin.start()
    }
    await until(() => proxy.watcher.problem === null, 10_000, 'it is seen again')
    await sleep(1000)
    for (const target of ['/api/analytics/categories', LARGE_JSON, LARGE_CSV])
      expect([target, (await ask(proxy.port, target)).status]).toEqual([target, 200])
    expect(proxy.log.some(({ message }) => message === 'releases can be read again')).toBe(true)
  })
})

describe('transfers', () => {
  /** Begins, and does not go on. */
  const trickle = async (response: ServerResponse, file: string) => {
    response.writeHead(200, { 'Content-Length': (await stat(file)).size })
    const beginning = createReadStream(file, { end: 1_000_000 })
    beginning.pipe(response, { end: false })
    // A client that closed may wait for more, as long as nothing that is sent to it comes back.
    const more = setInterval(() => response.write(' '), 50)
    response.once('close', () => {
      clearInterval(more)
      beginning.destroy()
    })
  }

  test.each([LARGE_CSV, LARGE_JSON, `/snapshots/current/${CSV_PATH}`])(
    '%s: a reader who leaves ends it',
    async (target) => {
      origin.instead.set('all.csv', trickle)
      origin.instead.set('all.json', trickle)
      for (const how of ['destroy', 'resetAndDestroy'] as const) {
        origin.fetched.length = 0
        const { socket } = await dial(proxy.port)
        socket.on('error', () => undefined)
        socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`)
        const large = () => origin.fetched.find(({ path }) => /all\.(csv|json)$/.test(path))
        await until(() => large() !== undefined, 1000, 'the transfer begins')
        await sleep(100)
        expect(large()?.aborted).toBe(false)
        socket[how]()
        await until(() => large()?.aborted === true, 1000, 'the origin is told')
      }
    },
  )

  test('a reader who leaves before the origin answers ends it, frees its place, and is no error', async () => {
    origin.instead.set('all.csv', () => undefined)
    origin.fetched.length = 0
    const logged = proxy.log.length
    const { socket } = await dial(proxy.port)
    socket.on('error', () => undefined)
    socket.write(`GET ${LARGE_CSV} HTTP/1.1\r\nHost: a\r\n\r\n`)
    await until(() => origin.of('all.csv').length === 1, 1000, 'the origin is asked')
    expect(proxy.context.streams.underWay).toBe(1)
    socket.resetAndDestroy()
    await until(() => origin.of('all.csv')[0]?.aborted === true, 1000, 'the origin is told')
    await until(() => proxy.context.streams.underWay === 0, 1000, 'the place is free')
    expect(proxy.log.slice(logged)).toEqual([])
  })

  test('the body of a request does not travel', async () => {
    origin.fetched.length = 0
    const smuggled = 'GET /files/smuggled HTTP/1.1\r\nHost: a\r\n\r\n'
    const request = `GET /snapshots/current/${CSV_PATH} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n`
    await converse(proxy.port, [`${request}Content-Length: ${smuggled.length}\r\n\r\n${smuggled}`])
    expect(origin.of('all.csv').map(({ headers }) => headers['content-length'])).toEqual([undefined])
    expect(origin.of('smuggled')).toEqual([])
  })

  test('many at once: each whole, and no warning of a leak', async () => {
    const warnings: string[] = []
    const note = (warning: Error) => void warnings.push(warning.message)
    process.on('warning', note)
    try {
      const answers = await Promise.all(Array.from({ length: 14 }, () => ask(proxy.port, LARGE_CSV)))
      expect(new Set(answers.map(({ status, body }) => `${status} ${body.length}`)).size).toBe(1)
      expect(answers[0]?.body.length).toBe(proxy.watcher.release?.files.get(CSV_PATH)?.bytes)
      await sleep(10)
      expect(warnings).toEqual([])
    } finally {
      process.off('warning', note)
    }
  })
})
