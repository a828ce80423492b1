// What an address that floods opens is read last, one connection at a time; nobody else waits for it.
import { EventEmitter } from 'node:events'
import { createServer } from 'node:http'
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { pausedFloods } from '../../../src/proxy/http/floods.ts'
import { until } from '../../support/proxy.ts'
import { ownServer } from '../own-proxy.ts'

const [FLOODING, OTHER, THIRD] = ['127.0.0.1', '127.0.0.2', '127.0.0.3']

interface Scene {
  /** Connects, sends a request for /name, and waits until the server has taken the connection. */
  readonly ask: (from: string, name: string) => Promise<Socket>
  readonly connect: (from: string) => Promise<Socket>
  /** As asked for, in the order in which they were read. */
  readonly read: () => readonly string[]
  /** Of the address, as if a connection of it had been cut. */
  readonly flood: (from: string) => void
  /** As if a connection had been taken, and refused. */
  readonly refuse: () => void
  /** Has the event loop come round, as far as this idea is concerned. */
  readonly turn: () => void
}

async function scene(): Promise<Scene> {
  const sockets = new Set<Socket>()
  const turns: (() => void)[] = []
  const read: string[] = []
  let taken = 0
  const floods = pausedFloods(sockets, (call) => turns.push(call))
  const server = createServer((request, response) => {
    read.push(request.url ?? '')
    response.end('ok')
  })
  const port = await ownServer(server, sockets)
  server.on('connection', (socket: Socket) => {
    floods.took()
    floods.add(socket)
    taken += 1
  })
  const connectFrom = async (from: string): Promise<Socket> => {
    const before = taken
    const socket = connect({ port, host: '127.0.0.1', localAddress: from }).on('error', () => undefined)
    onTestFinished(() => void socket.destroy())
    await until(() => taken > before, 5_000, 'it is taken')
    return socket
  }
  return {
    connect: connectFrom,
    async ask(from, name) {
      const socket = await connectFrom(from)
      socket.write(`GET ${name} HTTP/1.1\r\nHost: a\r\n\r\n`)
      return socket
    },
    read: () => read,
    flood: (from) => floods.note({ remoteAddress: from } as Socket),
    refuse: () => floods.took(),
    turn: () => turns.shift()?.(),
  }
}

test('others are read at once, what the flooding address opens one a turn, the oldest first', async () => {
  const { ask, read, flood, turn } = await scene()
  flood(FLOODING)
  for (const name of ['/1', '/2', '/3']) await ask(FLOODING, name)
  await ask(OTHER, '/other')
  await until(() => read().length > 0, 5_000, 'the other is read')
  await sleep(50)
  expect(read()).toEqual(['/other'])
  // Connections were taken since the last turn.
  turn()
  await sleep(50)
  expect(read()).toEqual(['/other'])
  for (const name of ['/1', '/2', '/3']) {
    turn()
    await until(() => read().at(-1) === name, 5_000, `${name} is read`)
  }
  expect(read()).toHaveLength(4)
  // None waits any more: it is as others are.
  turn()
  await ask(FLOODING, '/4')
  await until(() => read().at(-1) === '/4', 5_000, 'it is read')
})

test('connections that were there before wait, too, unless they were answered before', async () => {
  const { ask, connect: dial, read, flood, turn } = await scene()
  const known = await ask(FLOODING, '/1')
  await until(() => read().length === 1, 5_000, 'it is answered')
  const [silent, other] = [await dial(FLOODING), await dial(OTHER)]
  await sleep(50)
  flood(FLOODING)
  for (const [socket, name] of [
    [silent, '/silent'],
    [known, '/known'],
    [other, '/other'],
  ] as const)
    socket.write(`GET ${name} HTTP/1.1\r\nHost: a\r\n\r\n`)
  await until(() => read().length === 3, 5_000, 'two are read')
  await sleep(50)
  expect(read().toSorted()).toEqual(['/1', '/known', '/other'])
  turn()
  await until(() => read().at(-1) === '/silent', 5_000, 'it is read')
})

test('endless connections do not starve others; addresses take turns', async () => {
  const { ask, connect: dial, read, flood, turn } = await scene()
  flood(FLOODING)
  flood(THIRD)
  for (const name of ['/1', '/2']) await ask(FLOODING, name)
  await ask(THIRD, '/third')
  for (const [i, name] of ['/1', '/third', '/2'].entries()) {
    for (let times = 0; times < 33; times++) {
      expect(read()).toHaveLength(i)
      ;(await dial(OTHER)).destroy()
      turn()
    }
    await until(() => read().at(-1) === name, 5_000, `${name} is read`)
  }
})

test('connections that are refused come first, too: who floods opens more than it may have', async () => {
  const { ask, read, flood, refuse, turn } = await scene()
  flood(FLOODING)
  await ask(FLOODING, '/1')
  turn()
  for (let times = 0; times < 10; times++) {
    refuse()
    turn()
  }
  await sleep(50)
  expect(read()).toEqual([])
  turn()
  await until(() => read().length > 0, 5_000, 'it is read')
})

test('a connection that ends while it waits is forgotten', async () => {
  const { ask, read, flood, turn } = await scene()
  flood(FLOODING)
  const gone = await ask(FLOODING, '/gone')
  await ask(FLOODING, '/1')
  gone.resetAndDestroy()
  // One turn after a connection was taken, and at most one for each that waited.
  for (let i = 0; i < 3; i++) turn()
  await until(() => read().at(-1) === '/1', 5_000, 'the other is read')
})

test('a connection that was reset before it was taken is not read', () => {
  let destroyed = 0
  const reset = { remoteAddress: undefined, destroy: () => (destroyed += 1) } as unknown as Socket
  pausedFloods(new Set()).add(reset)
  expect(destroyed).toBe(1)
})

test('of one address only so many wait: the one that has waited longest goes', async () => {
  const floods = pausedFloods(new Set(), () => {})
  const waiting = Array.from({ length: 2_050 }, () => {
    const socket = new EventEmitter()
    const seen = { remoteAddress: FLOODING, isGone: false, pause: () => socket }
    return Object.assign(socket, seen, {
      destroy(this: typeof seen) {
        this.isGone = true
        socket.emit('close')
      },
    })
  })
  floods.note({ remoteAddress: FLOODING } as Socket)
  for (const socket of waiting) floods.add(socket as unknown as Socket)
  await sleep(0)
  expect(waiting.map(({ isGone }) => isGone)).toEqual(waiting.map((_, i) => i < 2))
})
