// A running proxy and the releases that come, go and break under it: seen within a second, without a restart.
// long test: waits for time-outs, or starts a program for each case
import { createHash } from 'node:crypto'
import { mkdir, readFile, rm, symlink, rename, truncate, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { directoryStore } from '../../../src/proxy/store/directory-store.ts'
import type { SnapshotStore } from '../../../src/proxy/store/snapshot-store.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { ask, dial, startProxy, until, type TestProxy } from '../../support/proxy.ts'
import { contractOf } from '../../support/openapi.ts'
import { perTest } from '../../support/per-test.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, type ReleaseSpec } from '../../support/release.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'

const STATS = '/api/public/stats'
const LATER: ReleaseSpec = { asOfMs: AS_OF_MS + HOUR_MS, revision: 1 }

const { folder, running } = perTest()
let proxy: TestProxy | undefined
const start = async (snapshots: string | SnapshotStore = folder.dir): Promise<TestProxy> => {
  const started = await startProxy({ snapshots })
  running.push(() => started.stop())
  return (proxy = started)
}
const idOf = async (port: number) => (await ask(port, STATS)).headers['x-snapshot-id']
const lookThrice = async () => {
  for (let i = 0; i < 3; i++) await proxy?.watcher.look()
}
const errors = () => proxy?.log.filter(({ level }) => level === 'error').map(({ message }) => message) ?? []

describe('a new release', () => {
  test('is served within a second of the switch, and so is the older one after a rollback', async () => {
    const first = await publishRelease(folder.dir)
    const { port } = await start()
    expect(await idOf(port)).toBe(first.id)
    const before = await ask(port, STATS)

    const second = await publishRelease(folder.dir, LATER)
    await until(async () => (await idOf(port)) === second.id, 1000, 'the new release')
    const after = await ask(port, STATS)
    expect(after.headers.etag).not.toBe(before.headers.etag)
    expect(after.headers['last-modified']).toBe('Wed, 20 May 2026 10:30:00 GMT')

    await switchTo(releasePaths(folder.dir), first.id, Date.now())
    await until(async () => (await idOf(port)) === first.id, 1000, 'the older release')
    const since = { 'If-Modified-Since': String(after.headers['last-modified']) }
    expect((await ask(port, STATS, { headers: since })).status).toBe(200)
    expect((await ask(port, STATS)).headers.etag).toBe(before.headers.etag)
    expect(errors()).toEqual([])
  })

  test('with the same numbers keeps the ETag: a copy stays good, and its 304 says how fresh it is', async () => {
    const first = await publishRelease(folder.dir)
    const { port } = await start()
    const { etag } = (await ask(port, STATS)).headers
    const second = await publishRelease(folder.dir, { asOfMs: AS_OF_MS + 1000 })
    expect(second.id).not.toBe(first.id)
    await until(async () => (await idOf(port)) === second.id, 1000, 'the new release')
    const again = await ask(port, STATS, { headers: { 'If-None-Match': String(etag) } })
    expect([again.status, again.headers['x-snapshot-id'], again.headers['x-data-as-of']]).toEqual([
      304,
      second.id,
      '2026-05-20T09:30:01.123Z',
    ])
  })

  test('that takes long to read: the old one serves until then, and in the end the newest, however many came', async () => {
    const first = await publishRelease(folder.dir)
    const store = directoryStore(folder.dir)
    const gates: (() => void)[] = []
    let isSlow = false
    const slow: SnapshotStore = {
      ...store,
      async current() {
        const manifest = await store.current()
        if (isSlow && manifest?.id !== first.id) await new Promise<void>((resolve) => void gates.push(resolve))
        return manifest
      },
    }
    const { port } = await start(slow)
    isSlow = true
    await publishRelease(folder.dir, LATER)
    await until(() => gates.length === 1, 1000, 'the second is being read')
    const newest = await publishRelease(folder.dir, { asOfMs: AS_OF_MS + 2 * HOUR_MS, revision: 2 })
    expect(await idOf(port)).toBe(first.id)
    isSlow = false
    gates[0]?.()
    await until(async () => (await idOf(port)) === newest.id, 1000, 'the newest release')
    expect(errors()).toEqual([])
  })

  test('is the first: until then 500 and not ready', async () => {
    const { port } = await start()
    expect(await (await contractOf(port)).ask(STATS)).toMatchObject({ status: 500 })
    expect((await ask(port, '/readyz')).status).toBe(503)
    const { id } = await publishRelease(folder.dir)
    await until(async () => (await idOf(port)) === id, 1000, 'the first release')
    expect((await ask(port, '/readyz')).status).toBe(200)
    expect(errors()).toEqual([])
  })

  test('is the first in a folder that did not exist either', async () => {
    await rm(folder.dir, { recursive: true })
    const { port } = await start()
    expect((await ask(port, STATS)).status).toBe(500)
    const { id } = await publishRelease(folder.dir)
    await until(async () => (await idOf(port)) === id, 1000, 'the first release')
  })
})

describe('a release that cannot be read', () => {
  const UNREADABLE: readonly ((good: string) => string | null)[] = [
    () => null,
    () => '',
    (good) => good.slice(0, good.length / 2),
    () => 'null',
    (good) => good,
    (good) => good.replace('"public/stats.json"', '"../stats.json"'),
  ]
  const idAt = (i: number) => `20260601T00000000${i}Z-00000000`

  test('keeps the old one serving, and the log says it once', async () => {
    const old = await publishRelease(folder.dir)
    const { port } = await start()
    const good = await readFile(join(folder.dir, 'current', 'manifest.json'), 'utf8')
    for (const [i, made] of UNREADABLE.entries()) {
      const text = made(good)
      await mkdir(join(folder.dir, 'releases', idAt(i)))
      if (text !== null) await writeFile(join(folder.dir, 'releases', idAt(i), 'manifest.json'), text)
      await switchTo(releasePaths(folder.dir), idAt(i), Date.now())

      await until(() => errors().length > i, 1000, 'the log says so')
      await lookThrice()
      expect(errors().slice(i)).toEqual([expect.stringMatching(new RegExp(`${idAt(i)}.*; still serving ${old.id}$`))])
      expect(await idOf(port)).toBe(old.id)
      const problem = expect.any(String) as string
      expect((await ask(port, '/readyz')).json()).toMatchObject({ status: 'ready', problem })
    }
    const { id } = await publishRelease(folder.dir, LATER)
    await until(async () => (await idOf(port)) === id, 1000, 'the next good one')
    expect((await ask(port, '/readyz')).json()).not.toHaveProperty('problem')
    expect(errors()).toHaveLength(UNREADABLE.length)
  })

  test.each<[string, () => Promise<unknown>]>([
    ['nothing', () => rm(join(folder.dir, 'current'))],
    ['a folder that is gone', () => switchTo(releasePaths(folder.dir), idAt(9), Date.now())],
    ['a file', () => inItsPlace((path) => writeFile(path, 'x'))],
    ['itself', () => inItsPlace((path) => symlink('current', path))],
  ])('current is %s: the old one keeps serving', async (_, spoil) => {
    const old = await publishRelease(folder.dir)
    const { port } = await start()
    await spoil()
    await lookThrice()
    expect(await idOf(port)).toBe(old.id)
    expect((await ask(port, '/api/analytics/categories')).status).toBe(200)
    expect(errors().length).toBeLessThanOrEqual(1)
  })

  async function inItsPlace(make: (path: string) => Promise<unknown>): Promise<void> {
    await make(join(folder.dir, 'next'))
    await rename(join(folder.dir, 'next'), join(folder.dir, 'current'))
  }
})

describe('a snapshot that is missing or damaged', () => {
  // 30 days and more are over 1 MiB.
  const LARGE = { ideas: 2500, titleChars: 600, ageMs: 10 * 86_400_000 }
  const flip = async (path: string) => {
    const bytes = await readFile(path)
    bytes[100] = (bytes[100] ?? 0) ^ 1
    await writeFile(path, bytes)
  }
  const DAMAGES: readonly (readonly [string, string, (path: string) => Promise<void>])[] = [
    [STATS, 'public/stats.json', rm],
    ['/api/analytics/trending', 'analytics/trending/7d/all.json', flip],
    ['/api/analytics/trending?limit=5&period=24h', 'analytics/trending/24h/all.json', (path) => truncate(path, 100)],
    ['/api/analytics/categories', 'analytics/categories/30d.json', (path) => truncate(path, 0)],
    ['/api/analytics/export?type=users&format=csv', 'analytics/export/users/30d.csv', flip],
    ['/api/analytics/export?type=ideas', 'analytics/export/ideas/30d.json', rm],
    ['/api/analytics/export?type=ideas&period=90d', 'analytics/export/ideas/90d.json', (path) => truncate(path, 2e6)],
    ['/api/analytics/export?type=ideas&format=csv', 'analytics/export/ideas/30d.csv', rm],
  ]

  test('is a 500 for it alone, until the next release', async () => {
    await publishRelease(folder.dir, LARGE)
    for (const [, path, damage] of DAMAGES) await damage(join(folder.dir, 'current', path))
    const { port } = await start()
    const contract = await contractOf(port)
    for (const [target, path] of DAMAGES) {
      for (let i = 0; i < 3; i++) {
        const answer = await contract.ask(target)
        expect([target, answer.status]).toEqual([target, 500])
        expect(answer.json()['message']).toBe(
          'The snapshot for this request is missing or damaged. The next release will replace it.',
        )
      }
      expect((await ask(port, target, { method: 'HEAD' })).status).toBe(500)
      expect(errors().some((message) => message.includes(path))).toBe(true)
    }
    for (const sound of ['/api/analytics/export', '/api/analytics/export?type=ideas&period=all&format=csv'])
      expect((await contract.ask(sound)).status).toBe(200)
    expect((await ask(port, '/readyz')).status).toBe(200)

    const { id } = await publishRelease(folder.dir, LATER)
    await until(async () => (await idOf(port)) === id, 1000, 'the next release')
    for (const [target] of DAMAGES) expect((await contract.ask(target)).status).toBe(200)
  })

  test('repaired in place: served again within a second or so', async () => {
    await publishRelease(folder.dir)
    const path = join(folder.dir, 'current', 'public/stats.json')
    const good = await readFile(path)
    await flip(path)
    const { port } = await start()
    expect((await ask(port, STATS)).status).toBe(500)
    await writeFile(path, good)
    await until(async () => (await ask(port, STATS)).status === 200, 1500, 'the repaired file')
  })

  test('what was read before is kept', async () => {
    await publishRelease(folder.dir)
    const { port } = await start()
    const before = await ask(port, STATS)
    await rm(join(folder.dir, 'current', 'public'), { recursive: true })
    expect((await ask(port, STATS)).text).toBe(before.text)
  })
})

describe('a release that is removed', () => {
  test('while a slow reader is in the middle of it: the reader gets all of it', { timeout: 30_000 }, async () => {
    // 20 MB, far more than sockets buffer; old ideas, so that it is one period's export only.
    const old = await publishRelease(folder.dir, { ideas: 2500, titleChars: 8000, ageMs: 100 * 86_400_000 })
    const { port } = await start()
    const file = old.files.find(({ path }) => path === 'analytics/export/ideas/all.csv')
    const { socket, received } = await dial(port)
    socket.pause()
    socket.write('GET /api/analytics/export?type=ideas&period=all&format=csv HTTP/1.1\r\nHost: a\r\n\r\n')
    await sleep(200)
    const { id } = await publishRelease(folder.dir, LATER)
    await until(async () => (await idOf(port)) === id, 1000, 'the next release')
    await rm(join(folder.dir, 'releases', old.id), { recursive: true })
    expect(socket.bytesRead).toBeLessThan((file?.bytes ?? 0) / 2)
    socket.resume()
    await until(() => socket.bytesRead > (file?.bytes ?? Infinity), 20_000, 'the whole file')
    await sleep(50)
    socket.destroy()
    const bytes = received()
    const body = bytes.subarray(bytes.indexOf('\r\n\r\n') + 4)
    expect(body.length).toBe(file?.bytes)
    expect(createHash('sha256').update(body).digest('hex')).toBe(file?.sha256)
  })
})
