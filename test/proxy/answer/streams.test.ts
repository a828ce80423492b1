// Large answers under way are bounded, in all and for one client; every place is given back, however its answer ends.
import { EventEmitter } from 'node:events'
import type { ServerResponse } from 'node:http'
import { rename } from 'node:fs/promises'
import type { Socket } from 'node:net'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { streamPlaces, StreamsFull } from '../../../src/proxy/answer/streams.ts'
import { LARGE_RELEASE, LARGE_TARGET } from '../../support/large-release.ts'
import { ask, dial, serving, until } from '../../support/proxy.ts'
import type { ReleaseSpec } from '../../support/release.ts'

const LARGE_FILE = '/snapshots/current/analytics/export/ideas/all.csv'
const READ = '/api/public/stats'
const [ONE, OTHER, THIRD] = ['203.0.113.1', '203.0.113.2', '203.0.113.3']

/** A proxy with sockets that end with each test; then every place is free. */
function servingLarge(release: ReleaseSpec) {
  const served = serving(release, { streams: 32 })
  const sockets: Socket[] = []
  afterEach(async () => {
    for (const socket of sockets.splice(0)) socket.destroy()
    await until(() => served().context.streams.underWay === 0, 5_000, 'every place is given back')
  })
  const connected = async (): Promise<Awaited<ReturnType<typeof dial>>> => {
    const dialled = await dial(served().port)
    sockets.push(dialled.socket.on('error', () => undefined))
    return dialled
  }
  return { served, connected }
}

describe('a proxy that sends 32 large answers at once, two to a client', () => {
  const { served, connected } = servingLarge(LARGE_RELEASE)

  /** Asks, and reads nothing but the first packet. */
  const slowReader = async (client: string, target = LARGE_TARGET): Promise<Socket> => {
    const { socket, received } = await connected()
    // At once: until somebody looks, all of it could have come.
    socket.once('data', () => socket.pause())
    socket.write(`GET ${target} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`)
    await until(() => received().length > 0, 5_000, 'the answer begins')
    expect(received().toString('latin1', 0, 12)).toBe('HTTP/1.1 200')
    return socket
  }

  test('a client that has its share gets 503, others what they ask for', async () => {
    const { port } = served()
    const first = await slowReader(ONE)
    await slowReader(ONE, LARGE_FILE)
    const [api, file] = [await ask(port, LARGE_TARGET, { client: ONE }), await ask(port, LARGE_FILE, { client: ONE })]
    const headers = { 'retry-after': '10', 'cache-control': 'no-store', 'access-control-allow-origin': '*' }
    const message = 'Too many large answers are being sent, to you or in all. Try again in 10 seconds.'
    for (const answer of [api, file]) {
      expect(answer).toMatchObject({ status: 503, headers })
      expect(answer.json()).toEqual({ error: 'Service Unavailable', message })
    }
    expect(api.headers).toHaveProperty('x-ratelimit-remaining')
    // What is small, or kept in memory, needs no place.
    for (const target of [READ, '/snapshots/current/public/stats.json', '/snapshots/current/manifest.json'])
      expect((await ask(port, target, { client: ONE })).status).toBe(200)
    expect((await ask(port, LARGE_TARGET, { client: OTHER })).status).toBe(200)
    first.destroy()
    const again = async (): Promise<boolean> => (await ask(port, LARGE_TARGET, { client: ONE })).status === 200
    await until(again, 5_000, 'its place is free')
  })

  test('a part counts by its own length', async () => {
    const { port, context } = served()
    await slowReader(ONE)
    await slowReader(ONE)
    const status = async (Range: string): Promise<number> =>
      (await ask(port, LARGE_FILE, { client: ONE, headers: { Range } })).status
    expect(await status('bytes=-8')).toBe(206)
    expect(await status(`bytes=0-${(64 << 10) - 1}`)).toBe(206)
    expect(await status(`bytes=0-${64 << 10}`)).toBe(503)
    expect(await status('bytes=99999999-')).toBe(416)
    expect(context.streams.underWay).toBe(2)
  })

  test('when all are taken no client gets one', async () => {
    for (let i = 0; i < 32; i++) await slowReader(`203.0.113.${100 + (i >> 1)}`)
    expect((await ask(served().port, LARGE_TARGET, { client: THIRD })).status).toBe(503)
    expect((await ask(served().port, READ, { client: THIRD })).status).toBe(200)
  })

  test.each(['GET', 'HEAD'])('%s gives its place back when it is answered', async (method) => {
    for (let i = 0; i < 5; i++)
      expect((await ask(served().port, LARGE_TARGET, { client: THIRD, method })).status).toBe(200)
  })

  test('so does a file that cannot be opened', async () => {
    const { port, dir, context } = served()
    const path = join(dir, 'current', 'analytics/export/ideas/all.csv')
    await rename(path, `${path}.away`)
    for (let i = 0; i < 3; i++) expect((await ask(port, LARGE_FILE, { client: THIRD })).status).toBe(500)
    await rename(`${path}.away`, path)
    await until(() => context.streams.underWay === 0, 5_000, 'every place is given back')
  })

  test.each(['destroy', 'resetAndDestroy'] as const)('so does a reader who leaves (%s)', async (leave) => {
    const socket = await slowReader(ONE)
    expect(served().context.streams.underWay).toBe(1)
    socket[leave]()
    await until(() => served().context.streams.underWay === 0, 5_000, 'it is free')
  })
})

describe('large answers that are kept in memory', () => {
  const MEDIUM = { ideas: 100, titleChars: 8000, ageMs: 100 * 86_400_000 }
  const TARGET = '/api/analytics/export?type=ideas&period=all&format=json'
  const { served, connected } = servingLarge(MEDIUM)

  /** Asks for more than the sockets of both sides can take, and reads nothing. */
  const unread = async (client: string): Promise<void> => {
    const { socket } = await connected()
    socket.pause()
    socket.write(`GET ${TARGET} HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: ${client}\r\n\r\n`.repeat(30))
  }

  test('take a place each while they are not read', async () => {
    const { port, context } = served()
    const answer = await ask(port, TARGET, { client: ONE })
    expect(answer.status).toBe(200)
    expect(answer.body.length).toBeGreaterThan(512 << 10)
    expect(answer.body.length).toBeLessThan(1 << 20)
    await unread(ONE)
    await unread(ONE)
    await until(() => context.streams.underWay === 2, 5_000, 'two are stuck')
    const refused = async (): Promise<boolean> => (await ask(port, TARGET, { client: ONE })).status === 503
    await until(refused, 5_000, 'a third is refused')
    expect((await ask(port, READ, { client: ONE })).status).toBe(200)
    expect((await ask(port, TARGET, { client: OTHER })).status).toBe(200)
  })

  test.each(['GET', 'HEAD'])('give it back when they are sent: %s', async (method) => {
    for (let i = 0; i < 5; i++) expect((await ask(served().port, TARGET, { client: THIRD, method })).status).toBe(200)
  })
})

/** As far as a place needs it. */
const responseOf = (closed = false): ServerResponse => Object.assign(new EventEmitter(), { closed }) as ServerResponse

test('a place is that of a response, until that has closed', () => {
  const streams = streamPlaces(32)
  const [first, second] = [responseOf(), responseOf()]
  for (const one of [first, first, second]) streams.take(one, 'a', 1 << 20)
  expect(streams.underWay).toBe(2)
  expect(() => streams.take(responseOf(), 'a', 1 << 20)).toThrow(StreamsFull)
  streams.take(responseOf(), 'b', 1 << 20)
  first.emit('close')
  streams.take(responseOf(), 'a', 1 << 20)
  expect(streams.underWay).toBe(3)
})

test('who has left before the answer is there takes none', () => {
  const streams = streamPlaces(1)
  streams.take(responseOf(true), 'a', 1 << 20)
  expect(streams.underWay).toBe(0)
})
