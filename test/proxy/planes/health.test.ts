// What load balancers, alerts and people see beside the API.
import { symlink, writeFile, mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { ReleaseWatcher } from '../../../src/proxy/store/release-watcher.ts'
import type { SnapshotStore } from '../../../src/proxy/store/snapshot-store.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask, serving, type Answered, type TestProxy } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS } from '../../support/release.ts'
import { ownProxy } from '../own-proxy.ts'

const clock = { ms: AS_OF_MS }
const served = serving({}, { nowMs: () => clock.ms })
const seen = ({ status, headers, text }: Answered) => [
  status,
  headers['cache-control'],
  JSON.parse(text) as Record<string, unknown>,
]
const states = async ({ port }: TestProxy) =>
  Promise.all(['/healthz', '/readyz', '/freshz'].map(async (path) => (await ask(port, path)).status))

describe('with a release', () => {
  test.each<[string, number, number[]]>([
    ['new', AS_OF_MS, [200, 200, 200]],
    ['twice the cadence old', AS_OF_MS + 2 * HOUR_MS, [200, 200, 200]],
    ['a millisecond older', AS_OF_MS + 2 * HOUR_MS + 1, [200, 200, 503]],
    ['a year old', AS_OF_MS + 8760 * HOUR_MS, [200, 200, 503]],
  ])('%s: up, ready, fresh', async (_, ms, expected) => {
    clock.ms = ms
    expect(await states(served())).toEqual(expected)
  })

  test('they say what they know', async () => {
    clock.ms = AS_OF_MS + 3 * HOUR_MS
    const { port, manifest } = served()
    const about = { release: manifest.id, dataAsOf: '2026-05-20T09:30:00.123Z' }
    expect(seen(await ask(port, '/healthz'))).toEqual([200, 'no-store', { status: 'up' }])
    expect(seen(await ask(port, '/readyz'))).toEqual([200, 'no-store', { status: 'ready', ...about }])
    const reason = 'the data is 10800 s old, over twice its cadence of 3600 s'
    const stale = { status: 'stale', ...about, ageSeconds: 10_800, cadenceSeconds: 3600, reason }
    expect(seen(await ask(port, '/freshz'))).toEqual([503, 'no-store', stale])
    const head = await ask(port, '/freshz', { method: 'HEAD' })
    expect([head.status, head.body.length]).toEqual([503, 0])
  })
})

describe('without', () => {
  test('up, not ready, not fresh', async () => {
    const proxy = await ownProxy({ snapshots: null })
    expect(await states(proxy)).toEqual([200, 503, 503])
    const none = { status: 'not ready', reason: 'no release has been published yet' }
    expect((await ask(proxy.port, '/readyz')).json()).toEqual(none)
    expect((await ask(proxy.port, '/')).json()['message']).toContain('No release has been published yet.')
  })

  test('the reason is not damage where the disk could not read', async () => {
    const log = { info() {}, warn() {}, error() {} }
    const reasonOf = async (code: 'damaged' | 'unreadable') => {
      const current = (): Promise<never> => Promise.reject(new ReleaseError(code, '/secret/path'))
      const watcher = new ReleaseWatcher({ current } as unknown as SnapshotStore, log)
      await watcher.look()
      return watcher.problem
    }
    const reasons = [await reasonOf('damaged'), await reasonOf('unreadable')]
    expect(reasons).toEqual([
      'the current release cannot be read: its manifest is missing or damaged',
      'the current release cannot be read just now',
    ])
  })

  test('the reason names no path: those are for the log', async () => {
    const dir = temporaryFolder()
    const id = '20260520T093000123Z-00000000'
    await mkdir(join(dir, 'releases', id), { recursive: true })
    await writeFile(join(dir, 'releases', id, 'manifest.json'), 'not JSON')
    await symlink(`releases/${id}`, join(dir, 'current'))
    const { port, log } = await ownProxy({ snapshots: dir })
    for (const path of ['/readyz', '/freshz']) {
      const { status, text } = await ask(port, path)
      expect([status, text]).toEqual([503, expect.stringContaining('its manifest is missing or damaged"')])
      expect(text).not.toContain(dir)
    }
    expect(log.map(({ message }) => message)).toEqual([expect.stringContaining(dir)])
  })
})
