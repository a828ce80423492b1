// Forwarding headers that are not used: counted, and logged once per address and hour.
import { describe, expect, test } from 'vitest'
import type { Log } from '../../../src/process/log.ts'
import { clientsBehind } from '../../../src/proxy/limit/client-key.ts'
import { unreadForwarding, type WhyUnread } from '../../../src/proxy/limit/unread-forwarding.ts'
import { ask, serving, trusting } from '../../support/proxy.ts'

const HOUR_MS = 3_600_000

describe('what is ignored, and why', () => {
  const told: [WhyUnread, string][] = []
  const { ofRequest: clientKey } = clientsBehind(trusting('loopback,10.0.0.0/8'), (...about) => told.push(about))

  test.each<[socket: string | undefined, forwardedFor: string | undefined, otherwise: boolean, WhyUnread | null]>([
    // A direct client, and a proxy that is trusted and says what is read.
    ['203.0.113.9', undefined, false, null],
    ['127.0.0.1', undefined, false, null],
    ['127.0.0.1', '203.0.113.9', false, null],
    ['::ffff:10.1.2.3', '203.0.113.9', false, null],
    ['10.1.2.3', '203.0.113.9:443', false, null],
    ['10.1.2.3', '[2001:db8::1%eth0]:443', false, null],
    ['10.1.2.3', 'fe80::1%eth0', false, null],
    // The client's own invention, to the left of what counts.
    ['10.1.2.3', 'rubbish, 203.0.113.9', true, null],
    ['10.1.2.3', '10.4.5.6', false, null],
    ['203.0.113.9', '198.51.100.7', false, 'untrusted'],
    ['203.0.113.9', 'rubbish', false, 'untrusted'],
    ['203.0.113.9', '', false, 'untrusted'],
    ['203.0.113.9', undefined, true, 'untrusted'],
    ['2001:db8::1', '198.51.100.7', false, 'untrusted'],
    ['::ffff:11.1.2.3', '198.51.100.7', false, 'untrusted'],
    ['203.0.113.9', '1.2.3.4,'.repeat(3000), false, 'untrusted'],
    ['10.1.2.3', undefined, true, 'unsupported'],
    ['10.1.2.3', 'unknown', false, 'unreadable'],
    ['10.1.2.3', '', false, 'unreadable'],
    ['10.1.2.3', 'for=203.0.113.9', true, 'unreadable'],
    ['10.1.2.3', '203.0.113.9, unknown, 10.4.5.6', false, 'unreadable'],
    ['10.1.2.3', 'x'.repeat(9000), false, 'unreadable'],
    // Gone already, or a Unix socket.
    [undefined, '203.0.113.9', true, null],
  ])('%s, %j, %s: %s', (socket, forwardedFor, otherwise, why) => {
    told.length = 0
    clientKey(socket, forwardedFor, otherwise)
    expect(told).toEqual(why === null ? [] : [[why, socket]])
  })
})

describe('the warning', () => {
  function handDriven(): {
    clock: { nowMs: number }
    forwarding: ReturnType<typeof unreadForwarding>
    lines: [object, string][]
  } {
    const lines: [object, string][] = []
    const unexpected = (): never => expect.fail('not a warning')
    const warn = (fields: object, message: string): void => void lines.push([fields, message])
    const log: Log = { info: unexpected, warn, error: unexpected }
    const clock = { nowMs: 5e9 }
    return { clock, forwarding: unreadForwarding(log, () => clock.nowMs), lines }
  }

  test('is given once per address, reason and hour, and names the address as --trust-proxy takes it', () => {
    const { clock, forwarding, lines } = handDriven()
    const note = (): void => {
      for (let i = 0; i < 50; i++)
        for (const address of ['::ffff:10.1.2.3', 'fe80::1%eth0']) forwarding.note('untrusted', address)
      forwarding.note('unreadable', 'fe80::1%eth0')
    }
    note()
    clock.nowMs += HOUR_MS - 1
    note()
    const said = lines.map(([fields]) => fields)
    expect(said).toEqual([
      { address: '10.1.2.3', why: 'untrusted' },
      { address: 'fe80::1', why: 'untrusted' },
      { address: 'fe80::1', why: 'unreadable' },
    ])
    expect(lines[0]?.[1]).toContain('--trust-proxy does not name it')
    clock.nowMs += 1
    note()
    expect(lines.map(([fields]) => fields)).toEqual([...said, ...said])
    expect(forwarding.counts).toEqual({ untrusted: 300, unsupported: 0, unreadable: 3 })
  })

  test('is no way to fill the log: of a million addresses ten are named in an hour, all are counted', () => {
    const { clock, forwarding, lines } = handDriven()
    for (let i = 0; i < 1_000_000; i++) {
      clock.nowMs += 1
      forwarding.note('untrusted', `198.${i >> 16}.${(i >> 8) & 255}.${i & 255}`)
    }
    expect(lines.length).toBe(10)
    expect(lines.findIndex(([, message]) => message.includes('only counted'))).toBe(9)
    expect(forwarding.counts.untrusted).toBe(1_000_000)
    // Whoever goes on asking is named as soon as there is room.
    clock.nowMs += HOUR_MS
    forwarding.note('untrusted', '10.1.2.3')
    expect(lines.at(-1)?.[0]).toEqual({ address: '10.1.2.3', why: 'untrusted' })
  })
})

describe('end to end', () => {
  const served = serving({}, { trustProxy: '192.0.2.0/24' })

  test('a proxy that is not trusted: one line, however many headers, clients and planes', async () => {
    const { port, log, context } = served()
    const warnings = (): readonly string[] => log.filter(({ level }) => level === 'warn').map(({ message }) => message)
    const stats = '/api/public/stats'
    await ask(port, stats)
    expect([warnings(), context.forwarding.counts.untrusted]).toEqual([[], 0])
    const sent: Record<string, string | string[]>[] = [
      { 'X-Forwarded-For': '203.0.113.1' },
      { 'x-forwarded-for': ['203.0.113.2', '203.0.113.3'] },
      { 'X-Forwarded-For': 'rubbish\t%00' },
      { Forwarded: 'for=203.0.113.4' },
      { 'X-Real-IP': '203.0.113.5' },
    ]
    for (const headers of sent) expect((await ask(port, stats, { headers })).status).toBe(200)
    // Where nobody is counted, nobody is missed.
    for (const target of ['/healthz', '/snapshots/current/manifest.json', '/'])
      await ask(port, target, { headers: { 'X-Forwarded-For': '203.0.113.1' } })
    expect(warnings()).toEqual([expect.stringContaining('all its clients share one limit')])
    expect(JSON.stringify(log)).not.toContain('203.0.113')
    expect(context.forwarding.counts).toEqual({ untrusted: 5, unsupported: 0, unreadable: 0 })
  })
})
