// A server that closes each connection behind its answer: HTTP/1.0, `Connection: close`, nginx with keepalive_timeout 0. The end of
// a connection while its reader has paused once ended the process.
// long test: writes or reads whole releases for each case
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, createServer, type AddressInfo, type Server } from 'node:net'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { originStore, ORIGIN_TIMES } from '../../../src/proxy/store/origin-store.ts'
import { AS_OF_MS, publishSamples } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { addressReader } from '../../../src/release/reading/address-reader.ts'
import type { ManifestFile } from '../../../src/release/format/manifest.ts'
import { run } from '../../builder/build-program.ts'
import { ask, startProxy } from '../../support/proxy.ts'
import { publishRelease } from '../../support/release.ts'

/** Two exports over 1 MiB. */
const LARGE = { ideas: 400, titleChars: 3000, ageMs: 40 * 86_400_000 }
const TARGETS = [
  '/api/public/stats',
  '/api/analytics/export?type=ideas&period=all',
  '/api/analytics/export?type=ideas&period=all&format=csv',
  '/snapshots/current/analytics/export/ideas/all.json',
  '/snapshots/current/analytics/export/ideas/all.csv',
  '/snapshots/current/manifest.json',
]

/** @param head of each answer, without its end @param cutTo how much of a body is sent */
async function closing(dir: string, head: (bytes: number) => string, cutTo = Infinity): Promise<Server> {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', (request) => {
      const [, path = ''] = /^GET (\S+)/.exec(request.toString('latin1')) ?? []
      let body: Buffer
      try {
        body = readFileSync(join(dir, path))
      } catch {
        return void socket.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n')
      }
      socket.end(Buffer.concat([Buffer.from(`${head(body.length)}\r\n\r\n`), body.subarray(0, cutTo)]))
    })
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return server
}

const addressOf = (server: Server): string => `http://127.0.0.1:${(server.address() as AddressInfo).port}`

/** Asks, reads nothing for a while, and leaves. */
async function leaveUnread(port: number, target: string): Promise<void> {
  const socket = connect(port, '127.0.0.1').pause()
  socket.on('error', () => {})
  socket.write(`GET ${target} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  await setTimeout(200)
  socket.destroy()
}

const HEADS: readonly [what: string, head: (bytes: number) => string][] = [
  ['HTTP/1.0 without a length', () => 'HTTP/1.0 200 OK'],
  ['HTTP/1.0 with a length', (bytes) => `HTTP/1.0 200 OK\r\nContent-Length: ${bytes}`],
  ['Connection: close', (bytes) => `HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: ${bytes}`],
  ['Connection: close without a length', () => 'HTTP/1.1 200 OK\r\nConnection: close'],
]

const folder = temporaryFolder(afterAll)
let server: Server | undefined
beforeAll(() => publishRelease(folder, LARGE))
afterEach(() => void server?.close())

describe.each(HEADS)('a server of %s', (_, head) => {
  it('is verified', async () => {
    const whole = temporaryFolder()
    await publishSamples(whole, AS_OF_MS)
    server = await closing(whole, head)
    for (let i = 0; i < 2; i++) {
      const ran = await run(['verify', addressOf(server)])
      expect(ran).toMatchObject({ code: 0, stderr: '' })
      expect(ran.stdout).toContain(' is whole: ')
    }
  })

  it('is an origin: each of many answers is whole, also to a client that leaves', async () => {
    server = await closing(folder, head)
    const proxy = await startProxy({ snapshots: originStore(addressOf(server), { ...ORIGIN_TIMES, lookMs: 0 }) })
    try {
      const sizes = new Map<string, Set<number>>()
      for (let i = 0; i < 5; i++)
        await Promise.all(
          TARGETS.map(async (target) => {
            const { status, text } = await ask(proxy.port, target)
            expect([target, status]).toEqual([target, 200])
            sizes.set(target, (sizes.get(target) ?? new Set()).add(text.length))
            await leaveUnread(proxy.port, target)
            await proxy.watcher.look()
          }),
        )
      for (const [target, found] of sizes) expect([target, found.size]).toEqual([target, 1])
    } finally {
      await proxy.stop()
    }
  })
})

it('that cuts each answer short is named, and nothing ends', async () => {
  server = await closing(folder, (bytes) => `HTTP/1.0 200 OK\r\nContent-Length: ${bytes}`, 100)
  const { code, stderr } = await run(['verify', addressOf(server)])
  expect(code).toBeGreaterThan(0)
  expect(stderr).toMatch(/manifest\.json was cut off/)
})

// As much as a reader takes before it pauses, and then the connection ends.
it.each([1, 65_535, 65_536, 65_537, 131_072])(
  'whose answer of %i bytes is read late gives all of it',
  async (bytes) => {
    const body = Buffer.alloc(bytes, 'x')
    server = createServer((socket) => {
      socket.on('error', () => {})
      socket.once('data', () => {
        socket.write('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\n')
        void setTimeout(20).then(() => socket.end(body))
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const reader = addressReader(addressOf(server))
    const sha256 = createHash('sha256').update(body).digest('hex')
    const file = { path: 'a.json', bytes, sha256, records: null } as unknown as ManifestFile
    try {
      const stream = await reader.stream('x', file)
      await setTimeout(200)
      expect((await stream.toArray()).reduce((sum: number, chunk: Buffer) => sum + chunk.length, 0)).toBe(bytes)
      expect((await reader.read('x', file)).length).toBe(bytes)
    } finally {
      await reader.close()
    }
  },
)
