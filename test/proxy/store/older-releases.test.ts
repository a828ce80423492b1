// Releases that are no longer current: each loaded once, however many ask; within a size; gone when they are pruned.
// long test: waits for time-outs, or starts a program for each case
import { readFileSync } from 'node:fs'
import { rename, rm, truncate, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { directoryStore } from '../../../src/proxy/store/directory-store.ts'
import { olderReleases } from '../../../src/proxy/store/older-releases.ts'
import type { SnapshotStore } from '../../../src/proxy/store/snapshot-store.ts'
import type { StoredManifest } from '../../../src/release/reading/release-reader.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { perTest } from '../../support/per-test.ts'
import { ask, startProgram, startProxy, type TestProxy } from '../../support/proxy.ts'
import { AS_OF_MS, HOUR_MS, publishRelease, type ReleaseSpec } from '../../support/release.ts'

const { folder, running } = perTest()

const madeUp = (i: number): string => `20260519T000000000Z-${i.toString(16).padStart(8, '0')}`

/** Publishes an older release and the current one; the older one's id. */
async function two(spec: ReleaseSpec = {}): Promise<string> {
  const { id } = await publishRelease(folder.dir, spec)
  await publishRelease(folder.dir, { ...spec, asOfMs: AS_OF_MS + HOUR_MS, revision: 1 })
  return id
}

/** A proxy on the folder, and how often manifests of older releases were asked for and read. */
async function counted(): Promise<TestProxy & { asked: () => number; read: () => number }> {
  const store = directoryStore(folder.dir)
  let [asked, read] = [0, 0]
  const counting: SnapshotStore = {
    ...store,
    async manifest(id, known) {
      asked += 1
      const stored = await store.manifest(id, known)
      if (stored !== known) read += 1
      return stored
    },
  }
  const proxy = await startProxy({ snapshots: counting })
  running.push(() => proxy.stop())
  return { ...proxy, asked: () => asked, read: () => read }
}

const statuses = async (port: number, targets: readonly string[]): Promise<Record<number, number>> => {
  const by: Record<number, number> = {}
  for (const { status } of await Promise.all(targets.map((target) => ask(port, target))))
    by[status] = (by[status] ?? 0) + 1
  return by
}
const times = (n: number, target: string): string[] => Array.from({ length: n }, () => target)

describe('an older release', () => {
  test('is loaded once for all who ask for it at a time', async () => {
    const id = await two()
    const { port, read } = await counted()
    const targets = ['public/stats.json', 'manifest.json', 'nothing.json'].flatMap((path) =>
      times(50, `/snapshots/releases/${id}/${path}`),
    )
    expect(await statuses(port, targets)).toEqual({ 200: 100, 404: 50 })
    expect(read()).toBe(1)
  })

  test('637 categories and 300 connections: memory of a few manifests', { timeout: 120_000 }, async () => {
    const id = await two({ categories: Array.from({ length: 637 }, (_, i) => `Category ${i}`) })
    const program = await startProgram(['--snapshots', folder.dir])
    running.push(() => program.kill())
    const mib = (name: string): number =>
      Number(new RegExp(`${name}:\\s+(\\d+)`).exec(readFileSync(`/proc/${program.child.pid}/status`, 'utf8'))?.[1]) /
      1024
    await ask(program.port, '/snapshots/current/public/stats.json')
    const beforeMib = mib('VmRSS')
    const target = `/snapshots/releases/${id}/public/stats.json`
    expect(await statuses(program.port, times(300, target))).toEqual({ 200: 300 })
    // One load each took 4.4 GiB for 3,000.
    expect(mib('VmHWM') - beforeMib).toBeLessThan(150)
  })

  test('of which a file is gone or cut is not loaded again for each who asks for that file', async () => {
    const id = await two()
    await rm(join(folder.dir, 'releases', id, 'public/stats.json'))
    await truncate(join(folder.dir, 'releases', id, 'analytics/categories/7d.json'), 10)
    const { port, read } = await counted()
    const targets = ['public/stats.json', 'analytics/categories/7d.json'].flatMap((path) =>
      times(30, `/snapshots/releases/${id}/${path}`),
    )
    expect(await statuses(port, targets)).toEqual({ 500: 60 })
    expect(read()).toBe(1)
    expect(await statuses(port, [`/snapshots/releases/${id}/analytics/categories/30d.json`])).toEqual({ 200: 1 })
  })

  test.each<[string, (path: string) => Promise<unknown>, number]>([
    ['damaged', (path) => writeFile(path, '{}'), 500],
    ['a terabyte long', (path) => truncate(path, 2 ** 40), 500],
    ['missing', (path) => rm(path), 404],
  ])('whose manifest is %s is tried once, whoever asks meanwhile', async (_, spoil, status) => {
    const id = await two()
    await spoil(join(folder.dir, 'releases', id, 'manifest.json'))
    const { port, asked } = await counted()
    const targets = times(40, `/snapshots/releases/${id}/public/stats.json`)
    expect(await statuses(port, targets)).toEqual({ [status]: 40 })
    expect(asked()).toBe(1)
    expect((await ask(port, '/api/public/stats')).status).toBe(200)
  })

  test('that is replaced under its id is read anew', async () => {
    const id = await two()
    const { port, read } = await counted()
    const target = `/snapshots/releases/${id}/manifest.json`
    expect((await ask(port, target)).status).toBe(200)
    const path = join(folder.dir, 'releases', id, 'manifest.json')
    const text = readFileSync(path, 'utf8').replace('"generatedAt":"2026', '"generatedAt":"2027')
    await writeFile(`${path}.next`, `${text.slice(0, -1)} \n`)
    await rename(`${path}.next`, path)
    const answer = await ask(port, target)
    expect([answer.status, answer.text.includes('"generatedAt":"2027')]).toEqual([200, true])
    expect(read()).toBe(2)
  })

  test('pruned while many read it: served or gone, and then gone', async () => {
    const id = await two()
    const { port, log } = await counted()
    const paths = ['manifest.json', 'public/stats.json', 'analytics/export/ideas/all.csv']
    const targets = paths.flatMap((path) => times(40, `/snapshots/releases/${id}/${path}`))
    expect(await statuses(port, targets)).toEqual({ 200: 120 })
    const [during] = await Promise.all([
      statuses(port, [...targets, ...targets]),
      rename(join(folder.dir, 'releases', id), join(folder.dir, 'releases', '.tmp-pruned')),
    ])
    expect((during[200] ?? 0) + (during[404] ?? 0)).toBe(240)
    expect(await statuses(port, targets)).toEqual({ 404: 120 })
    expect(log.filter(({ level }) => level === 'error')).toEqual([])
  })

  test('is there for who read its id a moment ago, however often releases are switched', async () => {
    let { id } = await publishRelease(folder.dir)
    const { port, watcher } = await counted()
    for (let i = 1; i <= 5; i++) {
      expect((await ask(port, `/snapshots/releases/${madeUp(i)}/manifest.json`)).status).toBe(404)
      const before = id
      ;({ id } = await publishRelease(folder.dir, { asOfMs: AS_OF_MS + i * HOUR_MS, revision: i }))
      await watcher.look()
      const targets = [before, id].map((one) => `/snapshots/releases/${one}/public/stats.json`)
      expect(await statuses(port, targets)).toEqual({ 200: 2 })
    }
  })
})

test('of made-up ids no manifest is read', async () => {
  await two()
  const { port, read } = await counted()
  const targets = Array.from({ length: 300 }, (_, i) => `/snapshots/releases/${madeUp(i)}/manifest.json`)
  expect(await statuses(port, targets)).toEqual({ 404: 300 })
  expect(read()).toBe(0)
})

describe('what is kept', () => {
  const stored = async (): Promise<StoredManifest> => {
    const id = await two()
    return directoryStore(folder.dir).manifest(id, null)
  }
  const storeOf = (manifest: SnapshotStore['manifest']): SnapshotStore =>
    ({ believedMs: 1000, manifest }) as unknown as SnapshotStore
  afterEach(() => void vi.useRealTimers())

  test('is kept within a size, and the last one in any case', async () => {
    const one = await stored()
    const read: string[] = []
    const store = storeOf((id) => {
      read.push(id)
      return Promise.resolve(one)
    })
    const older = olderReleases(store, one.bytes * 5)
    for (const id of ['a', 'b', 'a', 'b', 'c', 'b', 'a', 'c']) await older.get(id)
    expect(read).toEqual(['a', 'b', 'c', 'a', 'c'])

    read.length = 0
    const small = olderReleases(store, 1)
    for (const id of ['a', 'a', 'b', 'b', 'a']) await small.get(id)
    expect(read).toEqual(['a', 'b', 'a'])
  })

  test('is asked for again after a while, and loaded again only if it changed', async () => {
    const one = await stored()
    vi.useFakeTimers({ toFake: ['performance'] })
    const given: (StoredManifest | null)[] = []
    const older = olderReleases(
      storeOf((_, known) => {
        given.push(known)
        return Promise.resolve(known ?? one)
      }),
    )
    const first = await older.get('a')
    vi.advanceTimersByTime(999)
    expect(await older.get('a')).toBe(first)
    vi.advanceTimersByTime(2)
    expect(await older.get('a')).toBe(first)
    older.doubt('a')
    await older.get('a')
    expect(given).toEqual([null, one, one])
  })

  test('a failure is remembered for a second', async () => {
    let nowMs = performance.now()
    using _clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
    let asked = 0
    const older = olderReleases(
      storeOf(() => {
        asked += 1
        return Promise.reject(new ReleaseError(asked === 1 ? 'absent' : 'damaged', 'no'))
      }),
    )
    for (let i = 0; i < 3; i++) expect(await older.get('a')).toBe(null)
    nowMs += 999
    expect(await older.get('a')).toBe(null)
    expect(asked).toBe(1)
    nowMs += 2
    for (let i = 0; i < 3; i++) await expect(older.get('a')).rejects.toThrow('no')
    expect(asked).toBe(2)
  })
})

test('a manifest that was only touched is read once more, not believed to be another', async () => {
  const id = await two()
  const store = directoryStore(folder.dir)
  const one = await store.manifest(id, null)
  expect(await store.manifest(id, one)).toBe(one)
  await utimes(join(folder.dir, 'releases', id, 'manifest.json'), 1, 1)
  const other = await store.manifest(id, one)
  expect(other).not.toBe(one)
  expect(other.manifest).toEqual(one.manifest)
})
