// What prepared bodies cost: each variant is read and coded once while it is kept, and what is kept stays within
// --cache, however a client cycles through limits, categories, periods and codings.
// long test: waits for time-outs, or starts a program for each case
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import pMap from 'p-map'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { documentText } from '../../../src/contract/document-text.ts'
import { BOUNDED_PERIODS, PERIODS } from '../../../src/contract/windows.ts'
import { preparedBodies, variantOf } from '../../../src/proxy/store/body-cache.ts'
import { directoryStore } from '../../../src/proxy/store/directory-store.ts'
import type { SnapshotStore } from '../../../src/proxy/store/snapshot-store.ts'
import type { Manifest, ManifestFile } from '../../../src/release/format/manifest.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { firstIdeas, OUTCOMES, timelineOf } from '../../support/excerpts.ts'
import { categoryFile } from '../../support/hand-made.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { ask } from '../../support/proxy.ts'
import { AS_OF_MS, publishRelease } from '../../support/release.ts'
import { ownProxy } from '../own-proxy.ts'

type Bodies = ReturnType<typeof preparedBodies>

const CACHE_BYTES = 8 * 2 ** 20
const CATEGORIES = Array.from({ length: 300 }, (_, i) => `Category ${i}`)
const NAMES = [null, ...CATEGORIES]
const CODINGS = ['identity', 'gzip', 'br'] as const
const LIMITS = 100

/** A target and a coding for each number below 361,200, none twice; any 301 in a row have all categories. */
function variant(j: number): { readonly target: string; readonly coding: string } {
  const name = NAMES[j % NAMES.length] ?? null
  // 301, 100 and 3 have no common divisor; 4 periods divide 100, so that their turn moves on with each full round.
  const round = Math.floor(j / (NAMES.length * LIMITS * CODINGS.length))
  const period = BOUNDED_PERIODS[(j + round) % BOUNDED_PERIODS.length] ?? ''
  const category = name === null ? '' : `&category=${encodeURIComponent(name)}`
  const limit = ((j * 37) % LIMITS) + 1
  return {
    target: `/api/analytics/trending?period=${period}&limit=${limit}${category}`,
    coding: CODINGS[j % CODINGS.length] ?? '',
  }
}

/** By the cache's count about three times of what is kept. */
const PER_CYCLE = 2500

const folder = temporaryFolder(afterAll)
let manifest: Manifest
beforeAll(async () => {
  manifest = await publishRelease(folder, { categories: CATEGORIES, ideas: 9000, titleChars: 200 })
})

/** Asks for as many variants, several at a time; every answer is a 200. */
async function cycle(port: number, count: number, each: () => void): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: 8 })
  const askOne = async (j: number): Promise<void> => {
    const { target, coding } = variant(j)
    const { status } = await ask(port, target, { agent, headers: { 'Accept-Encoding': coding } })
    expect([target, status]).toEqual([target, 200])
    each()
  }
  await pMap(Array(count).keys(), askOne, { concurrency: 8 })
  agent.destroy()
}

describe('prepared once', () => {
  /** A directory that counts how often each file is read: a variant is coded from what was read for it. */
  const counting = (dir: string): { readonly store: SnapshotStore; readonly reads: () => number } => {
    const store = directoryStore(dir)
    let reads = 0
    return { store: { ...store, read: (id, file) => (reads++, store.read(id, file)) }, reads: () => reads }
  }
  test('per release, limit and coding, however often, at once or spelled', async () => {
    const own = temporaryFolder()
    await publishRelease(own)
    const { store, reads } = counting(own)
    const proxy = await ownProxy({ snapshots: store })
    const all = Array.from({ length: LIMITS }, (_, i) => CODINGS.map((coding) => [coding, i + 1] as const)).flat()
    const asked = async (coding: string, limit: number | string): Promise<void> => {
      const headers = { 'Accept-Encoding': coding }
      expect([limit, (await ask(proxy.port, `/api/analytics/trending?limit=${limit}`, { headers })).status]).toEqual([
        limit,
        200,
      ])
    }
    const askAll = () => pMap(all, (one) => asked(...one), { concurrency: 32 })

    // The bodies that are too small to be coded are variants, too.
    await askAll()
    expect(reads()).toBe(all.length)
    await askAll()
    expect(reads(), 'asked again').toBe(all.length)
    for (const spelled of ['020', '20&period=7d', '20&x=1', '2%30'])
      for (const coding of CODINGS) await asked(coding, spelled)
    expect(reads(), 'spelled otherwise').toBe(all.length)

    await publishRelease(own, { asOfMs: AS_OF_MS + 1_000, revision: 1 })
    await proxy.watcher.look()
    await Promise.all(Array.from({ length: 60 }, (_, i) => asked(CODINGS[i % 3] ?? '', 20)))
    expect(reads(), 'of the next release, twenty at once for each').toBe(all.length + CODINGS.length)
  })
})

describe('a client that cycles through all limits, categories, periods and codings', () => {
  test('never makes the proxy keep more than --cache, by its own count', async () => {
    const proxy = await ownProxy({ snapshots: folder, cacheBytes: CACHE_BYTES })
    let most = 0
    await cycle(proxy.port, PER_CYCLE, () => (most = Math.max(most, proxy.bodies.cache.bytes)))
    expect(most).toBeLessThanOrEqual(CACHE_BYTES)
    expect(most, 'it was full').toBeGreaterThan(0.9 * CACHE_BYTES)
  })

  const used = async (): Promise<number> => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as () => void
    // What an array buffer held is given back by a thread of its own, some time after its object is found dead.
    for (let i = 0; i < 5; i++) {
      collect()
      await sleep(20)
    }
    const { heapUsed, arrayBuffers } = process.memoryUsage()
    return heapUsed + arrayBuffers
  }

  /** Fills a cache; what it kept takes no more memory than it counts. */
  async function expectNoMore(
    store: SnapshotStore,
    variants: number,
    bodyOf: (bodies: Bodies, j: number) => ReturnType<Bodies['get']>,
  ): Promise<void> {
    const fill = async (count: number): Promise<Bodies> => {
      const bodies = preparedBodies(store, CACHE_BYTES)
      for (let j = 0; j < count; j++) (await bodyOf(bodies, j)).at(j)
      return bodies
    }
    await fill(500)
    const before = await used()
    const { cache } = await fill(variants)
    const grown = (await used()) - before
    expect(cache.bytes).toBeGreaterThan(0.9 * CACHE_BYTES)
    expect(cache.bytes).toBeLessThanOrEqual(CACHE_BYTES)
    // With pieces of shared blocks (body-cache.ts, `alone`) it is 2.4 times as much.
    expect(grown).toBeLessThan(1.25 * CACHE_BYTES)
  }

  test('what is kept takes no more memory than is counted', async () => {
    const files = manifest.files.filter(({ path }) => path.startsWith('analytics/trending/'))
    // Small bodies, as many as go in: the worst case for what an entry costs beside its bytes.
    await expectNoMore(directoryStore(folder), 6500, (bodies, j) => {
      const ideas = firstIdeas(3 + Math.floor(j / files.length))
      return bodies.get(variantOf(manifest.id, files[j % files.length] as ManifestFile, ideas), 'gzip')
    })
  })

  test('nor what is kept of large files of 2,000 categories, each read for one answer', async () => {
    const snapshot = Buffer.from(documentText(categoryFile('Product', { days: 35 * 365 }), '2026-05-20T09:30:01.000Z'))
    expect(snapshot.length).toBeGreaterThan(60_000)
    const store = { siblings: false, read: () => Promise.resolve(snapshot) } as Partial<SnapshotStore> as SnapshotStore
    const excerpts = [...PERIODS.map(timelineOf), OUTCOMES]
    // Of each category one answer after the other, in another coding each time.
    await expectNoMore(store, 4000, (bodies, j) => {
      const path = `analytics/category/c${j % 2000}.json`
      const file = { path, bytes: snapshot.length, sha256: '', contentHash: '', rows: null }
      const excerpt = excerpts[(j + Math.floor(j / 2000)) % excerpts.length] ?? OUTCOMES
      return bodies.get(variantOf('id', file, excerpt), ([null, 'gzip', 'br'] as const)[j % 3] ?? null)
    })
  })
})

test('what cannot be read is read once for all who ask, and not again for a second', async () => {
  let nowMs = performance.now()
  using _clock = vi.spyOn(performance, 'now').mockImplementation(() => nowMs)
  let [reads, isDamaged] = [0, true]
  const read: SnapshotStore['read'] = async () => {
    reads += 1
    if (isDamaged) throw new ReleaseError('damaged', 'no')
    return Promise.resolve(Buffer.from('a,b\n'))
  }
  const bodies = preparedBodies({ siblings: false, read } as unknown as SnapshotStore, CACHE_BYTES)
  const table = variantOf('a', { path: 'a.csv' } as ManifestFile, null)
  const get = async () => bodies.get(table, null)
  await Promise.all([1, 2, 3].map(() => expect(get()).rejects.toThrow('no')))
  isDamaged = false
  nowMs += 999
  await expect(get()).rejects.toThrow('no')
  expect(reads).toBe(1)
  nowMs += 2
  const body = await get()
  nowMs += 1e9
  expect(await get()).toBe(body)
  expect(reads).toBe(2)
})
