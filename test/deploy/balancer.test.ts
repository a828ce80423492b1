// A real HAProxy that uses idle connections again at the moment at which a server closes those of a client.
// long test: test/proxy/http/idle.test.ts, with 5,000 answers through a balancer.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { freePort, listens } from '../support/ports.ts'
import { ask, startProgram, type ProxyProgram } from '../support/proxy.ts'
import { describeWithComponent, findProgram } from '../support/real-component.ts'
import { publishRelease, snapshotsFolder } from '../support/release.ts'
import { supervise, untilUp, type Supervised } from '../support/supervised.ts'

/** Each uses the connections of the one before. */
const ROUNDS = 34
const AT_ONCE = 150
/** Five seconds and the one that node:http adds: less than that, a connection is open; more, it is closed. */
const [EARLIEST_MS, SPREAD_MS] = [5_930, 40]

describeWithComponent('HAProxy', findProgram('haproxy', 'haproxy', ['/usr/sbin']), (haproxy) => {
  const used = snapshotsFolder()
  let proxy: ProxyProgram
  let balancer: Supervised
  let port: number

  beforeAll(async () => {
    await publishRelease(used.dir)
    proxy = await startProgram(['--snapshots', used.dir])
    port = await freePort()
    const folder = mkdtempSync(join(tmpdir(), 'haproxy-'))
    const lines = [
      'defaults',
      ' mode http',
      ' timeout connect 2s',
      ' timeout client 60s',
      ' timeout server 60s',
      'frontend clients',
      ` bind 127.0.0.1:${port}`,
      ' default_backend proxies',
      'backend proxies',
      ' http-reuse always',
      ` server one 127.0.0.1:${proxy.port} pool-purge-delay 60s`,
    ]
    writeFileSync(join(folder, 'conf'), `${lines.join('\n')}\n`)
    balancer = supervise([haproxy, '-f', join(folder, 'conf'), '-db'], { folder, signal: 'TERM' })
    await untilUp(balancer, 'haproxy', () => listens(port))
  })
  afterAll(async () => {
    await balancer?.stop()
    await proxy?.kill()
    used.remove()
  })

  test('0 of 5,000 answers are 502', { timeout: 400_000 }, async () => {
    const statuses = new Map<number, number>()
    for (let round = 0; round < ROUNDS; round++) {
      const asking = Array.from({ length: AT_ONCE }, async (_, i) => {
        await sleep(i / 2)
        const { status } = await ask(port, '/healthz')
        statuses.set(status, (statuses.get(status) ?? 0) + 1)
      })
      await Promise.all(asking)
      await sleep(EARLIEST_MS + Math.random() * SPREAD_MS)
    }
    expect(Object.fromEntries(statuses)).toEqual({ 200: ROUNDS * AT_ONCE })
  })
})
