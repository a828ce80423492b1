// Pipelining on real connections: answers in order however many are sent ahead, and what waits is bounded.
import { createServer, type ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { pipelining } from '../../../src/proxy/http/pipelining.ts'
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

/** Every request is answered with its own target, /held only when released; after /last the connection is closed. */
async function scene(bounds?: Parameters<typeof pipelining>[2]): Promise<Scene> {
  const sockets = new Set<Socket>()
  const held: ServerResponse[] = []
  let [taken, cut] = [0, 0]
  const pipelined = pipelining(
    (response) => {
      const { url } = response.req
      if (url === '/held') held.push(response)
      else {
        if (url === '/last') response.shouldKeepAlive = false
        response.end(`${url};`)
      }
    },
    () => (cut += 1),
    bounds,
  )
  const server = createServer((_request, response) => {
    taken += 1
    pipelined.take(response)
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
  readonly ask: (targets: readonly string[]) => void
  readonly bodies: () => string[]
  readonly isClosed: () => boolean
}

async function client(port: number, targets: readonly string[]): Promise<Client> {
  const { socket, received } = await dial(port)
  let closed = false
  socket.on('error', () => undefined).once('close', () => (closed = true))
  onTestFinished(() => void socket.destroy())
  const ask = (more: readonly string[]): void =>
    void socket.write(more.map((target) => `GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`).join(''))
  ask(targets)
  return {
    socket,
    ask,
    bodies: () =>
      received()
        .toString('latin1')
        .match(/(?<=\r\n\r\n)\/\w*(?=;)/g) ?? [],
    isClosed: () => closed,
  }
}

const numbered = (count: number): string[] => Array.from({ length: count }, (_, i) => `/${i}`)

test('a client that reads gets every answer, in order: 32 requests sent ahead, again and again', async () => {
  const { port, cut } = await scene()
  const reader = await client(port, [])
  const targets: string[] = []
  for (let times = 0; times < 50; times++) {
    const more = numbered(32).map((target) => `${target}of${times}`)
    targets.push(...more)
    reader.ask(more)
    await until(() => reader.bodies().length === targets.length, 10_000, 'all are answered')
  }
  expect(reader.bodies()).toEqual(targets)
  expect(cut()).toBe(0)
})

test('behind an answer that takes its time 32 others wait, and are answered later', async () => {
  const { port, taken, cut, release } = await scene()
  const targets = ['/held', ...numbered(32)]
  const reader = await client(port, targets)
  await until(() => taken() === 33, 5_000, 'they wait')
  await sleep(50)
  expect(reader.bodies()).toEqual([])
  release()
  await until(() => reader.bodies().length === targets.length, 5_000, 'all are answered')
  expect(reader.bodies()).toEqual(targets)
  expect(cut()).toBe(0)
})

test('a connection that sends thousands ahead is cut, and no other', async () => {
  const { port, cut } = await scene()
  const modest = await client(port, numbered(20))
  const greedy = await client(port, numbered(2_000))
  await until(greedy.isClosed, 5_000, 'it is cut')
  expect(cut()).toBe(1)
  await until(() => modest.bodies().length === 20, 5_000, 'the modest is answered')
  modest.ask(['/again'])
  await until(() => modest.bodies().length === 21, 5_000, 'and again')
})

test('when too much waits in all, who sends more ahead is cut; others are answered', async () => {
  const { port, taken, cut, release } = await scene({ connectionBytes: 1 << 20, totalBytes: 50_000 })
  const waiting = await client(port, ['/held', ...numbered(20)])
  await until(() => taken() === 21, 5_000, 'its requests wait')
  const greedy = await client(port, ['/held', ...numbered(10)])
  await until(greedy.isClosed, 5_000, 'it is cut')
  const honest = await client(port, ['/1'])
  await until(() => honest.bodies().length === 1, 5_000, 'it is answered')
  release()
  await until(() => waiting.bodies().length === 21, 5_000, 'so is who came first')
  expect(cut()).toBe(1)
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

test('nor does what waited behind a body that never came, whose connection was closed', async () => {
  const { port, taken, cut, release } = await scene({ connectionBytes: 1 << 20, totalBytes: 50_000 })
  for (const gone of [1, 2, 3, 4]) {
    const { socket, isClosed } = await client(port, ['/held', ...numbered(18)])
    socket.write('GET /last HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n')
    await until(() => taken() === gone * 20, 5_000, 'its requests wait')
    release()
    await until(isClosed, 5_000, 'it has ended')
  }
  const last = await client(port, ['/held', ...numbered(20)])
  await until(() => taken() === 101, 5_000, 'the last is there')
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

test.each(['resetAndDestroy', 'destroy'] as const)(
  'a client that leaves (%s) while answers are being written harms nobody',
  async (leave) => {
    const { port, release } = await scene()
    for (let i = 0; i < 5; i++) {
      const { socket } = await client(port, ['/held', ...numbered(50)])
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
