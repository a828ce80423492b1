// How many requests the reader of an address has under way where only a proxy leads out, and what becomes of those that wait.
// Tests src/release/reading/address-reader.ts, src/release/reading/way-out.ts.
// real test: it talks to servers
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { addressReader } from '../../../src/release/reading/address-reader.ts'
import { startConnectProxy } from '../../support/connect-proxy.ts'

const TIMES = { manifestMs: 20_000, snapshotMs: 20_000, headMs: 10_000, stalledMs: 10_000 }
const FILE = { path: 'a.json', bytes: 1, sha256: 'a'.repeat(64) }

/** An origin that answers 404 after a while, behind a proxy. */
async function scene() {
  let [now, most, all] = [0, 0, 0]
  const origin = createServer((_, response) => {
    now += 1
    all += 1
    most = Math.max(most, now)
    setTimeout(() => {
      now -= 1
      response.writeHead(404, { connection: 'close' }).end()
    }, 100)
  })
  origin.listen(0, '127.0.0.1')
  await once(origin, 'listening')
  const proxy = await startConnectProxy(null, () => (origin.address() as AddressInfo).port)
  vi.stubEnv('http_proxy', `http://127.0.0.1:${proxy.port}`)
  const reader = addressReader('http://statistics.invalid', TIMES)
  onTestFinished(async () => {
    vi.unstubAllEnvs()
    await reader.close()
    await proxy.stop()
    origin.close()
  })
  return { reader, proxy, most: () => most, all: () => all }
}

const failing = (work: Promise<unknown>): Promise<unknown> =>
  work.then(
    () => expect.fail('it must fail'),
    (error: unknown) => error,
  )

describe('through a proxy', () => {
  it.each([
    ['older manifests', 2, 12],
    ['snapshots', 16, 40],
  ] as const)('%s: at most %i at once', async (what, bound, asked) => {
    const { reader, most, all } = await scene()
    const one = (i: number): Promise<unknown> =>
      what === 'snapshots' ? reader.read(`r${i}`, FILE) : reader.manifest(`r${i}`, null)
    await Promise.all(Array.from({ length: asked }, (_, i) => failing(one(i))))
    expect([most(), all()]).toEqual([bound, asked])
  })

  it('those that wait learn at once that the proxy refuses', async () => {
    const { reader, proxy } = await scene()
    const first = [1, 2].map((i) => failing(reader.manifest(`r${i}`, null)))
    await sleep(50)
    proxy.refuses = 502
    const startMs = performance.now()
    const errors = await Promise.all([3, 4, 5].map((i) => failing(reader.manifest(`r${i}`, null))))
    for (const error of errors)
      expect(error).toMatchObject({
        code: 'unreadable',
        message: expect.stringMatching(/^the proxy of http_proxy .* 502/),
      })
    // Far from the time that a manifest has.
    expect(performance.now() - startMs).toBeLessThan(10_000)
    await Promise.all(first)
  })

  it('nothing is asked for any more when the reader is closed', async () => {
    const { reader, all } = await scene()
    const waiting = [1, 2, 3, 4].map((i) => failing(reader.manifest(`r${i}`, null)))
    await vi.waitFor(() => expect(all()).toBe(2))
    await reader.close()
    for (const error of await Promise.all(waiting)) expect(error).toBeInstanceOf(ReleaseError)
    expect(all()).toBe(2)
  })
})
