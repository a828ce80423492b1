// real test: 200 switches
import { readdirSync, readlinkSync, rmSync, symlinkSync, utimesSync } from 'node:fs'
import { cp, mkdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { beforeEach, describe, expect, it } from 'vitest'
import { currentId, listReleases, namesBelow, releaseBefore } from '../../../src/release/reading/release-list.ts'
import { folderReader, readManifest } from '../../../src/release/reading/folder-reader.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { prune } from '../../../src/release/writing/prune.ts'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { isWhole } from '../../../src/release/verify/verify.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { aboutOf, promoteSample, AS_OF_MS, publishSamples, wholeCurrent } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS

let snapshots: string
let paths: ReleasePaths
beforeEach(() => {
  snapshots = temporaryFolder()
  paths = releasePaths(snapshots)
})

/** Releases of a few bytes, an hour apart, for the rules that look at names and ages only. */
async function emptyReleases(count: number): Promise<string[]> {
  const ids: string[] = []
  for (let i = 0; i < count; i++) {
    const stage = await Staging.create(paths)
    const { id } = await stage.seal(aboutOf(AS_OF_MS + i * HOUR_MS))
    await stage.promote(id, isWhole)
    ids.push(id)
  }
  return ids
}

const setAge = (id: string, timeMs: number): void =>
  utimesSync(join(snapshots, 'releases', id), timeMs / 1000, timeMs / 1000)
const pruneAt = (nowMs: number, keep = 1) => prune(paths, { keep, keepMonths: 24 }, nowMs)

describe('the switch', () => {
  it('is a relative link, so that the folder can be moved or mounted elsewhere', async () => {
    const { id } = await promoteSample(snapshots)
    expect(await currentId(paths)).toBe(null)
    await switchTo(paths, id, Date.now())
    expect(readlinkSync(join(snapshots, 'current'))).toBe(`releases/${id}`)
    const moved = join(temporaryFolder(), 'moved')
    await rename(snapshots, moved)
    expect(await wholeCurrent(moved)).toBe(id)
  })

  it('shows readers whole releases only, during 200 switches', async () => {
    const ids = await emptyReleases(2)
    await switchTo(paths, ids[0] ?? '', Date.now())
    const switching = new AbortController()
    const seen: string[] = []
    const reader = folderReader(paths)
    const readers = Array.from({ length: 4 }, async () => {
      while (!switching.signal.aborted) {
        const { manifest } = await reader.current(null)
        expect((await readManifest(paths, manifest.id)).id).toBe(manifest.id)
        seen.push(manifest.id)
      }
    })
    try {
      for (let i = 1; i <= 200; i++) await switchTo(paths, ids[i % 2] ?? '', Date.now())
    } finally {
      switching.abort()
    }
    await Promise.all(readers)
    expect(new Set(seen)).toEqual(new Set(ids))
    expect(await namesBelow(paths, '.')).toEqual([])
  })

  it('leaves the old release current, and nothing else behind, when it cannot be done', async () => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    const current = join(snapshots, 'current')
    rmSync(current)
    await mkdir(join(current, 'in-the-way'), { recursive: true })
    await expect(switchTo(paths, id, Date.now())).rejects.toThrow(
      new ReleaseError('write', `${current} is not a symbolic link; move it away, the next build makes one`),
    )
    expect(readdirSync(join(snapshots, 'releases'))).toEqual([id])
  })

  it('knows the release before another one', async () => {
    expect(releaseBefore('b', ['a', 'b', 'c'])).toBe('a')
    expect(releaseBefore('bb', ['a', 'b', 'c'])).toBe('b')
    expect(releaseBefore('a', ['a', 'b', 'c'])).toBe(null)
  })
})

describe('prune', () => {
  let ids: string[]
  beforeEach(async () => {
    ids = await emptyReleases(7)
    for (const [i, id] of ids.entries()) setAge(id, AS_OF_MS + i * HOUR_MS)
  })

  const NOW_MS = AS_OF_MS + 100 * HOUR_MS
  const RULES: readonly [what: string, current: number | null, keep: number, left: readonly number[]][] = [
    ['the newest N', 6, 3, [4, 5, 6]],
    ['the release before the current one, also with keep 1', 6, 1, [5, 6]],
    ['the current one and the one before it, also when others are newer', 2, 2, [1, 2, 5, 6]],
    ['the oldest, when it is current', 0, 1, [0, 6]],
    ['everything, when keep is large', 6, 100, [0, 1, 2, 3, 4, 5, 6]],
    ['the newest N, when nothing is current', null, 2, [5, 6]],
  ]
  it.each(RULES)('keeps %s', async (_, current, keep, left) => {
    if (current !== null) symlinkSync(`releases/${ids[current]}`, join(snapshots, 'current'))
    const { removed } = await pruneAt(NOW_MS, keep)
    expect(await listReleases(paths)).toEqual(left.map((i) => ids[i]))
    expect(removed).toEqual(ids.filter((__, i) => !left.includes(i)))
    expect(await namesBelow(paths, '.')).toEqual([])
  })

  it('keeps what is younger than 15 minutes by the given clock, to the millisecond', async () => {
    symlinkSync(`releases/${ids[6]}`, join(snapshots, 'current'))
    for (const id of ids) setAge(id, AS_OF_MS)
    expect(await pruneAt(AS_OF_MS + 15 * MINUTE_MS - 1)).toEqual({
      removed: [],
      young: ids.slice(0, 5),
    })
    expect(await pruneAt(AS_OF_MS + 15 * MINUTE_MS)).toEqual({
      removed: ids.slice(0, 5),
      young: [],
    })
  })

  it('removes nothing when the clock runs backwards', async () => {
    symlinkSync(`releases/${ids[6]}`, join(snapshots, 'current'))
    expect((await pruneAt(AS_OF_MS - 24 * HOUR_MS)).removed).toEqual([])
  })

  it('gives the readers of a replaced release 15 minutes, however old it is: a rollback ends', async () => {
    await switchTo(paths, ids[1] ?? '', NOW_MS - HOUR_MS)
    await switchTo(paths, ids[6] ?? '', NOW_MS)
    await pruneAt(NOW_MS + 15 * MINUTE_MS - 1)
    expect(await listReleases(paths)).toEqual([ids[1], ids[5], ids[6]])
    await pruneAt(NOW_MS + 15 * MINUTE_MS)
    expect(await listReleases(paths)).toEqual([ids[5], ids[6]])
  })

  it('leaves alone what is not a release', async () => {
    symlinkSync(`releases/${ids[6]}`, join(snapshots, 'current'))
    for (const name of ['.refused-x', 'lost+found', '20260101']) await mkdir(join(snapshots, 'releases', name))
    await pruneAt(NOW_MS)
    expect(new Set(readdirSync(join(snapshots, 'releases')))).toEqual(
      new Set(['.refused-x', '20260101', ids[5], ids[6], 'lost+found']),
    )
  })

  it('lets a reader finish a snapshot that it has open', async () => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS - HOUR_MS)
    const manifest = await readManifest(paths, id)
    const [file] = manifest.files
    if (file === undefined) throw new Error('the sample has no files')
    const reader = folderReader(paths)
    const stream = await reader.stream(id, file)
    await switchTo(paths, ids[6] ?? '', AS_OF_MS)
    expect((await pruneAt(NOW_MS)).removed).toContain(id)
    expect((await buffer(stream)).length).toBe(file.bytes)
    await expect(reader.stream(id, file)).rejects.toThrow(/cannot open .*ENOENT/)
  })
})

describe('a manifest', () => {
  it('that is missing or no file is damage; what the disk keeps back is in unreadable.test.ts', async () => {
    const [id = ''] = await publishSamples(snapshots, AS_OF_MS)
    const path = join(snapshots, 'releases', id, 'manifest.json')
    rmSync(path)
    await expect(readManifest(paths, id)).rejects.toMatchObject({ code: 'damaged' })
    await mkdir(path)
    await expect(readManifest(paths, id)).rejects.toMatchObject({
      code: 'damaged',
      message: expect.stringContaining(path) as string,
    })
  })
})

describe('what is current', () => {
  it('is read from a copied folder as a sentence that says what to do', async () => {
    await publishSamples(snapshots, AS_OF_MS)
    const copy = join(temporaryFolder(), 'copy')
    await cp(snapshots, copy, { recursive: true, dereference: true })
    await expect(currentId(releasePaths(copy))).rejects.toThrow(
      `${join(copy, 'current')} is not a symbolic link; move it away`,
    )
  })

  it('is nothing in a folder that is not there', async () => {
    const absent = join(temporaryFolder(), 'absent')
    expect(await currentId(releasePaths(absent))).toBe(null)
    expect(await listReleases(releasePaths(absent))).toEqual([])
  })
})
