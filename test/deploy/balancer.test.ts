// A real HAProxy that uses idle connections again at the moment at which a server closes those of a client.
// long test: test/proxy/http/idle.test.ts, with 5,000 answers through a balancer.
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { frontOf } from '../support/front.ts'
import { ask } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'

/** Each uses the connections of the one before. */
const ROUNDS = 34
const AT_ONCE = 150
/** Five seconds and the one that node:http adds: less than that, a connection is open; more, it is closed. */
const [EARLIEST_MS, SPREAD_MS] = [5_930, 40]

describeWithComponent('HAProxy', findProgram('haproxy', 'haproxy', ['/usr/sbin']), (haproxy) => {
  const portOf = frontOf(
    'haproxy',
    ({ port, proxy }) => `defaults
 mode http
 timeout connect 2s
 timeout client 60s
 timeout server 60s
frontend clients
 bind 127.0.0.1:${port}
 default_backend proxies
backend proxies
 http-reuse always
 server one 127.0.0.1:${proxy.port} pool-purge-delay 60s
`,
    (file) => [haproxy, '-f', file, '-db'],
  )

  test('0 of 5,000 answers are 502', { timeout: 400_000 }, async () => {
    const statuses = new Map<number, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const asking = Array.from({ length: AT_ONCE }, async (_, i) => {
        await sleep(i / 2)
        const { status } = await ask(portOf(), '/healthz')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      await Promise.all(asking)
      await sleep(EARLIEST_MS + Math.random() * SPREAD_MS)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: ROUNDS * AT_ONCE })
  })
})
