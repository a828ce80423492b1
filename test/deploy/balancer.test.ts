// A real HAProxy that uses idle connections again at the moment at which a server closes those of a client.
// long test: test/proxy/http/idle.test.ts, with 5,000 answers through a balancer.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { frontOf } from '../support/front.ts'
import { ask } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'

/** Each has connections of its own, and is asked while the others are idle. */
const LANES = 11
/** Each but the first uses the connections of the one before: 33 times 150 in all. */
const ROUNDS = 4
const AT_ONCE = 150
/** Five seconds and the one that node:http adds: less than that, a connection is open; more, it is closed. */
const [EARLIEST_MS, SPREAD_MS] = [5_930, 40]

describeWithComponent('HAProxy', findProgram('haproxy', 'haproxy', ['/usr/sbin']), (haproxy) => {
  const lanes = Array.from({ length: LANES }, (_, lane) => lane)
  const portOf = frontOf(
    'haproxy',
    ({ port, proxy }) => `defaults
 mode http
 timeout connect 2s
 timeout client 60s
 timeout server 60s
frontend clients
 bind 127.0.0.1:${port}
 use_backend lane-%[req.hdr(x-lane)]
${lanes.map((lane) => `backend lane-${lane}\n http-reuse always\n server one 127.0.0.1:${proxy.port} pool-purge-delay 60s`).join('\n')}
`,
    (file) => [haproxy, '-f', file, '-db'],
  )

  test('0 of 5,000 answers are 502', { timeout: 400_000 }, async () => {
    const statuses = new Map<number, number>()
    const asked = async (lane: number, i: number): Promise<void> => {
      await sleep(i / 2)
      const { status } = await ask(portOf(), '/healthz', { headers: { 'X-Lane': String(lane) } })
      statuses.set(status, (statuses.get(status) ?? 0) + 1)
    }
    const used = async (lane: number): Promise<void> => {
      await sleep((lane * EARLIEST_MS) / LANES)
      for (let round = 0; round < ROUNDS; round++) {
        await Promise.all(Array.from({ length: AT_ONCE }, (_, i) => asked(lane, i)))
        if (round < ROUNDS - 1) await sleep(EARLIEST_MS + Math.random() * SPREAD_MS)
      }
    }
    await Promise.all(lanes.map(used))
    expect(Object.fromEntries(statuses)).toEqual({ 200: LANES * ROUNDS * AT_ONCE })
  })
})
