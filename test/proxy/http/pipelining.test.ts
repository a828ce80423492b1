// Pipelining on real connections: answers in order however many are sent ahead, and what waits is bounded.
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { Pipelining, type PipeliningBounds } from '../../../src/proxy/http/pipelining.ts'
import { dial, until } from '../../support/proxy.ts'
import { ownServer } from '../own-proxy.ts'

interface Scene {
  readonly port: number
  /** Requests that node:http has handed over. */
  readonly taken: () => number
  readonly cut: () => number
  /** Answers what was asked for as /held. */
  readonly release: () => void
}

/** Every request is answered with its own target, /held only when released. */
async function scene(bounds?: PipeliningBounds): Promise<Scene> {
  const sockets = new Set<Socket>()
  const held: ServerResponse[] = []
  let [taken, cut] = [0, 0]
  const pipelining = new Pipelining(
    (request, response) => {
      if (request.url === '/held') held.push(response)
      else response.end(`${request.url};`)
    },
    sockets,
    () => (cut += 1),
    bounds,
  )
  const server = createServer((request, response) => {
    taken += 1
    pipelining.take(request, response)
  })
  return {
    port: await ownServer(server, sockets),
    taken: () => taken,
    cut: () => cut,
    release() {
      for (const response of held.splice(0)) response.end('/held;')
    },
  }
}

interface Client {
  readonly socket: Socket
  readonly bodies: () => string[]
  readonly isClosed: () => boolean
}

async function client(port: number, targets: readonly string[]): Promise<Client> {
  const { socket, received } = await dial(port)
  let closed = false
  socket.on('error', () => undefined).once('close', () => (closed = true))
  onTestFinished(() => void socket.destroy())
  socket.write(targets.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  return {
    socket,
    bodies: () =>
      received()
        .toString('latin1')
        .match(/(?<=\r\n\r\n)\/\w*(?=;)/g) ?? [],
    isClosed: () => closed,
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `/${i}`)

test('a client that reads gets every answer, in order, however many requests it sends ahead', async () => {
  const { port, cut } = await scene()
  const targets = numbered(20_000)
  const reader = await client(port, targets)
  await until(() => reader.bodies().length === targets.length, 30_000, 'all are answered')
  expect(reader.bodies()).toEqual(targets)
  expect(cut()).toBe(0)
})

test('behind an answer that takes its time no more is read than two packets, and all of it is answered later', async () => {
  const { port, taken, cut, release } = await scene()
  const targets = ['/held', ...numbered(20_000)]
  const reader = await client(port, targets)
  await until(() => taken() > 32, 5_000, 'requests wait')
  await sleep(300)
  // The shortest request of these takes 30 bytes of 64 KiB.
  expect(taken()).toBeLessThan((2 * 65_536) / 30)
  expect(reader.bodies()).toEqual([])
  release()
  await until(() => reader.bodies().length === targets.length, 30_000, 'all are answered')
  expect(reader.bodies()).toEqual(targets)
  expect(cut()).toBe(0)
})

test('when too much waits in all, the connection with the most is cut and no other', async () => {
  const { port, taken, cut, release } = await scene({ connectionBytes: 1 << 20, totalBytes: 95_000 })
  const modest = await Promise.all([client(port, ['/held', ...numbered(5)]), client(port, ['/held', ...numbered(8)])])
  await until(() => taken() === 15, 5_000, 'the modest are there')
  const greedy = await client(port, ['/held', ...numbered(31)])
  await until(() => taken() === 47, 5_000, 'so is the greedy one')
  expect(cut()).toBe(0)
  const last = await client(port, ['/held', ...numbered(3)])
  await until(() => greedy.isClosed(), 5_000, 'it is cut')
  expect(cut()).toBe(1)
  release()
  await until(() => last.bodies().length === 4, 5_000, 'the last is answered')
  await until(() => modest.every(({ bodies }, i) => bodies().length === [6, 9][i]), 5_000, 'and the modest')
  expect(greedy.bodies()).toEqual([])
})

test('what waited on a connection that has ended does not count any more', async () => {
  const { port, taken, cut, release } = await scene({ connectionBytes: 1 << 20, totalBytes: 95_000 })
  for (const gone of [1, 2, 3]) {
    const leaving = await client(port, ['/held', ...numbered(20)])
    await until(() => taken() === gone * 21, 5_000, 'its requests wait')
    leaving.socket.destroy()
  }
  const last = await client(port, ['/held', ...numbered(20)])
  await until(() => taken() === 84, 5_000, 'the last is there')
  release()
  await until(() => last.bodies().length === 21, 5_000, 'it is answered')
  expect(cut()).toBe(0)
})

test('long heads count: a connection on which few but large requests wait is cut', async () => {
  const { port, cut } = await scene({ connectionBytes: 100_000, totalBytes: 1 << 30 })
  const { socket, isClosed } = await client(port, ['/held'])
  socket.write(`GET /1 HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(12_000)}\r\n\r\n`.repeat(10))
  await until(isClosed, 5_000, 'it is cut')
  expect(cut()).toBe(1)
})

test('many connections at once keep no more than the bound, and clients with one request at a time are answered', async () => {
  const { port, cut } = await scene({ connectionBytes: 1 << 20, totalBytes: 500_000 })
  const crowd = await Promise.all(Array.from({ length: 100 }, () => client(port, ['/held', ...numbered(100)])))
  await until(() => cut() > 90, 10_000, 'most are cut')
  expect(crowd.filter(({ isClosed }) => !isClosed()).length).toBeGreaterThan(0)
  const honest = await client(port, ['/1'])
  await until(() => honest.bodies().length === 1, 5_000, 'it is answered')
  // What was paused meanwhile is read again.
  honest.socket.write('GET /2 HTTP/1.1\r\nHost: a\r\n\r\n')
  await until(() => honest.bodies().length === 2, 5_000, 'and again')
})

test.each(['resetAndDestroy', 'destroy'] as const)(
  'a client that leaves (%s) while answers are being written harms nobody',
  async (leave) => {
    const { port, release } = await scene()
    for (let i = 0; i < 5; i++) {
      const { socket } = await client(port, ['/held', ...numbered(5_000)])
      socket.pause()
      await sleep(20)
      release()
      await sleep(i)
      socket[leave]()
    }
    const honest = await client(port, ['/1'])
    await until(() => honest.bodies().length === 1, 5_000, 'it is answered')
  },
)
