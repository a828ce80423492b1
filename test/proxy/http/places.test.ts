// How many connections there may be: the next one of a client is refused or replaces an idle one, others are unaffected.
import { connect, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { placeTaker } from '../../../src/proxy/http/places.ts'
import { clientsBehind } from '../../../src/proxy/limit/client-key.ts'
import { ask, serving, trusting, until } from '../../support/proxy.ts'

const BOUNDS = { client: 3, total: 6 }

interface Scene {
  /** @returns its number, or null when it is refused */
  readonly come: (from: string | undefined) => number | null
  readonly leave: (n: number) => void
  readonly busy: Set<number>
  /** In this order. */
  readonly cut: readonly number[]
  nowMs: number
}

/** Proxies of 10.9.0.0/16 are trusted. */
function scene(): Scene {
  const { ofConnection: clientOf } = clientsBehind(trusting('10.9.0.0/16'))
  const sockets: Socket[] = []
  const onClose = new Map<number, () => void>()
  const cut: number[] = []
  const busy = new Set<number>()
  const now = { nowMs: 0 }
  const takePlace = placeTaker(
    {
      clientOf: ({ remoteAddress }) => clientOf(remoteAddress),
      isBusy: (socket) => busy.has(sockets.indexOf(socket)),
      onCut: () => undefined,
    },
    BOUNDS,
    () => now.nowMs,
  )
  const leave = (n: number): void => onClose.get(n)?.()
  return Object.assign(now, {
    come(from: string | undefined) {
      const n = sockets.length
      const socket = {
        remoteAddress: from,
        once: (_: 'close', call: () => void) => onClose.set(n, call),
        destroy: () => cut.push(n),
      } as unknown as Socket
      sockets.push(socket)
      return takePlace(socket) ? n : null
    },
    leave,
    busy,
    cut,
  })
}

const LATER_MS = 1_000
const [A, B, C] = ['10.0.0.1', '10.0.0.2', '10.0.0.3']

describe('one client', () => {
  test('has so many connections, the next is refused, one that ends frees a place, others have theirs', () => {
    const { come, leave, cut } = scene()
    expect([come(A), come(A), come(A), come(A)]).toEqual([0, 1, 2, null])
    expect(come(B)).toBe(4)
    leave(1)
    expect([come(A), come(A)]).toEqual([5, null])
    expect(cut).toEqual([])
  })

  test('that holds idle connections loses the oldest, even twice, but none that is answered', () => {
    const now = scene()
    for (let i = 0; i < 3; i++) now.come(A)
    now.busy.add(0)
    now.nowMs = LATER_MS
    expect([now.come(A), now.come(A)]).toEqual([3, 4])
    expect(now.cut).toEqual([1, 2])
    // A cut connection closes later, and has no place to free any more.
    now.leave(1)
    expect(now.come(A)).toBe(null)
  })

  test('that is answered on all of them is refused, however long they last', () => {
    const now = scene()
    for (let i = 0; i < 3; i++) now.busy.add(now.come(A) ?? -1)
    now.nowMs = 60_000
    expect(now.come(A)).toBe(null)
    expect(now.cut).toEqual([])
  })

  test.each([
    ['the addresses of one /56', ['2001:db8::1', '2001:db8:0:1::2', '2001:db8:0:ff::3', '2001:db8::4'], null],
    ['of two', ['2001:db8::1', '2001:db8::2', '2001:db8::3', '2001:db8:0:100::1'], 3],
    ['IPv4 as a dual-stack socket shows it', [A, `::ffff:${A}`, `::ffff:a00:1`, `0:0::ffff:${A}`], null],
    ['a link-local address by any interface', ['fe80::1%eth0', 'fe80::2%eth1', 'fe80::3', 'fe80::1%eth0'], null],
  ])('is the one that the limit counts: %s', (_, addresses, last) => {
    const { come } = scene()
    expect(addresses.map((address) => come(address)).at(-1)).toBe(last)
  })

  test('is no trusted proxy, however it is spelled: its connections are those of many', () => {
    const { come, cut } = scene()
    for (let i = 0; i < 20; i++) expect(come(i % 2 === 0 ? '10.9.0.1' : '::ffff:10.9.0.1')).toBe(i)
    expect([come(A), come(B)]).toEqual([20, 21])
    expect(cut).toEqual([])
  })
})

describe('in all', () => {
  test('who has the most makes place for whoever comes: the oldest idle one', () => {
    const now = scene()
    for (const from of [B, A, A, A, B, C]) now.come(from)
    now.busy.add(1)
    now.nowMs = LATER_MS
    expect(now.come('10.0.0.4')).toBe(6)
    expect(now.cut).toEqual([2])
  })

  test('when none of it is idle, the oldest: somebody new always finds a place', () => {
    const now = scene()
    for (let i = 1; i <= 6; i++) now.busy.add(now.come(`10.0.0.${i}`) ?? -1)
    expect(now.come('10.0.0.7')).toBe(6)
    expect(now.cut).toEqual([0])
    expect(now.come('10.0.0.8')).toBe(7)
    expect(now.cut).toEqual([0, 1])
  })

  test('who left holds no place: as many find one as before', () => {
    const { come, leave, cut } = scene()
    for (const from of [A, A, B, B, C, C]) leave(come(from) ?? -1)
    for (const from of [A, A, B, B, C, C]) come(from)
    expect(cut).toEqual([])
  })
})

describe('the proxy', () => {
  const served = serving({}, { trustProxy: '192.0.2.1' })
  const open: Socket[] = []
  afterEach(() => {
    vi.useRealTimers()
    for (const socket of open.splice(0)) socket.destroy()
  })

  interface Client {
    readonly socket: Socket
    readonly text: () => string
    readonly isClosed: () => boolean
  }

  async function come(from: string): Promise<Client> {
    let [text, isClosed] = ['', false]
    const socket = connect({ port: served().port, host: '127.0.0.1', localAddress: from })
      .on('error', () => undefined)
      .on('data', (chunk) => (text += chunk.toString('latin1')))
      .on('close', () => (isClosed = true))
    open.push(socket)
    await until(() => socket.readyState === 'open' || isClosed, 5_000, 'it is connected')
    return { socket, text: () => text, isClosed: () => isClosed }
  }

  const cuts = (): number => served().context.counters.cuts.crowded

  async function fill(from: string): Promise<readonly Client[]> {
    const held: Client[] = []
    for (let i = 0; i < 64; i++) held.push(await come(from))
    return held
  }

  test('refuses the 65th connection of an address in words, answers another one, and takes idle ones back', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    const before = cuts()
    const held = await fill('127.0.0.3')
    const refused = await come('127.0.0.3')
    await until(refused.isClosed, 5_000, 'it is closed')
    const [head = '', body = ''] = refused.text().split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 503 Service Unavailable\r\n/)
    for (const line of [
      'Connection: close',
      'Retry-After: 5',
      'Cache-Control: no-store',
      'Access-Control-Allow-Origin: *',
    ])
      expect(head.split('\r\n')).toContain(line)
    expect(JSON.parse(body)).toEqual({
      error: 'Service Unavailable',
      message: 'Too many connections are open from this address. Try again in 5 seconds, over fewer of them.',
    })
    expect(cuts() - before).toBe(1)
    expect((await ask(served().port, '/readyz', { from: '127.0.0.4' })).status).toBe(200)
    vi.advanceTimersByTime(1_000)
    expect((await ask(served().port, '/readyz', { from: '127.0.0.3' })).status).toBe(200)
    expect(held.filter(({ isClosed }) => isClosed())).toEqual([held[0]])
    expect(cuts() - before).toBe(2)
  })

  test('reads and counts nothing of a refused connection', async () => {
    vi.useFakeTimers({ toFake: ['performance'] })
    await fill('127.0.0.5')
    const answers = JSON.stringify(served().context.counters.answers)
    const before = cuts()
    for (let i = 0; i < 100; i++) {
      const { socket } = await come('127.0.0.5')
      socket.write('GET /api/public/stats HTTP/1.1\r\nHost: a\r\n\r\n'.repeat(31))
    }
    await until(() => cuts() - before === 100, 5_000, 'all are refused')
    await sleep(50)
    expect(JSON.stringify(served().context.counters.answers)).toBe(answers)
  })
})

describe('a proxy behind another', () => {
  const served = serving()

  test('takes as many connections as that opens', async () => {
    const { port, context } = served()
    const sockets = Array.from({ length: 200 }, () => connect({ port, host: '127.0.0.1' }).on('error', () => undefined))
    await until(() => sockets.every(({ readyState }) => readyState === 'open'), 10_000, 'all are open')
    expect((await ask(port, '/api/public/stats')).status).toBe(200)
    expect(context.counters.cuts.crowded).toBe(0)
    for (const socket of sockets) socket.destroy()
  })
})
