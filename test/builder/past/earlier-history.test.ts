// Which rows a release carries on: those of the release that is current, or of the newest one of its lineage that has
// some. src/builder/past/earlier-history.ts, with real releases in a folder.
// real test: nearly every case writes a whole release, which takes up to a second.
// long test: starts the program, or builds, for each case
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { earlierHistory, type EarlierHistory } from '../../../src/builder/past/earlier-history.ts'
import type { Log } from '../../../src/process/log.ts'
import { isWhole } from '../../../src/release/verify/verify.ts'
import { releaseId, type Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { readCurrent, readManifest } from '../../../src/release/reading/folder-reader.ts'
import { EMPTY_JOURNAL } from '../../../src/release/past/journal.ts'
import { readJournal } from '../../../src/release/past/past.ts'
import { resume, rollback } from '../../../src/release/past/rollback.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { Staging, type ManifestAbout } from '../../../src/release/writing/staging.ts'
import { noteRelease } from '../../support/noted.ts'
import { runToEnd } from '../../support/run-to-end.ts'
import { aboutOf, AS_OF_MS, fillStaging, wholeCurrent } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const DAY_MS = 86_400_000
const HISTORY = 'analytics/export/history/all.json'

let paths: ReleasePaths
let said: string[]
const says =
  (level: string) =>
  (_: object, message: string): void =>
    void said.push(`${level}: ${message}`)
const log: Log = { info: says('info'), warn: says('warn'), error: says('error') }
beforeEach(() => {
  paths = releasePaths(temporaryFolder())
  said = []
})

async function earlier(demo = false): Promise<EarlierHistory> {
  const current = await readCurrent(paths)
  return earlierHistory(paths, await readJournal(paths), current, demo, log)
}

interface Publishing {
  readonly more?: Partial<ManifestAbout>
  /** A build that is killed just before the switch. */
  readonly killed?: true
}

/** The release of a day, as a build makes it. */
async function publish(day: number, { more = {}, killed }: Publishing = {}): Promise<string> {
  const asOfMs = AS_OF_MS + day * DAY_MS
  const { rows, carriedFrom } = await earlier()
  const stage = await Staging.create(paths)
  await fillStaging(stage, asOfMs, rows)
  const { id } = await stage.seal({ ...aboutOf(asOfMs), ...more })
  await noteRelease(paths, id, carriedFrom)
  await stage.promote(id, isWhole)
  if (killed !== true) await switchTo(paths, id, asOfMs)
  return id
}

const fileOf = (id: string, path: string): string => join(paths.releases, id, path)
const damage = (id: string, path = 'manifest.json'): void => writeFileSync(fileOf(id, path), '{"id":')
const daysOf = ({ rows }: EarlierHistory): number[] =>
  rows.map(({ dataAsOf }) => (Date.parse(dataAsOf) - AS_OF_MS) / DAY_MS)

/** Whole but for its history, which its manifest does not list. */
async function withoutHistory(id: string): Promise<string> {
  const manifest = await readManifest(paths, id)
  const files = manifest.files.filter(({ path }) => !path.startsWith('analytics/export/history/'))
  const older: Manifest = { ...manifest, id: runToEnd(releaseId(manifest.dataAsOf, files)), files }
  rmSync(fileOf(id, 'analytics/export/history'), { recursive: true })
  renameSync(join(paths.releases, id), join(paths.releases, older.id))
  for (const suffix of ['.gz', '.br']) rmSync(fileOf(older.id, `manifest.json${suffix}`), { force: true })
  writeFileSync(fileOf(older.id, 'manifest.json'), JSON.stringify(older))
  await noteRelease(paths, older.id, (await readJournal(paths)).lineage.get(id))
  await switchTo(paths, older.id, Date.now())
  return older.id
}

describe('the current release', () => {
  it('gives its rows, and nothing is said', async () => {
    await publish(0)
    const id = await publish(2)
    expect(await earlier()).toMatchObject({ carriedFrom: id })
    expect(daysOf(await earlier())).toEqual([0, 2])
    expect(said).toEqual([])
    await wholeCurrent(paths.root)
  })

  it('of which there is none has none, and nothing is said', async () => {
    expect(await earlier()).toEqual({ rows: [], carriedFrom: null })
    expect(said).toEqual([])
  })

  it('of a closed site has none, whatever there was before', async () => {
    await publish(0)
    const manifest = await readManifest(paths, await publish(1))
    expect(await earlierHistory(paths, await readJournal(paths), { ...manifest, closed: true }, false, log)).toEqual({
      rows: [],
      carriedFrom: null,
    })
    expect(said).toEqual(['info: the history begins anew: the site was closed to visitors'])
  })

  it('of the demo gives none to real numbers, and the other way round', async () => {
    const real = await publish(0)
    await publish(1, { more: { mapping: { name: 'demo', sha256: 'a'.repeat(64) } } })
    expect(await earlier()).toMatchObject({ carriedFrom: real })
    expect(daysOf(await earlier(true))).toEqual([0, 1])
  })
})

describe('a release that has no rows to give is passed over, with a warning', () => {
  it.each<[string, (id: string) => unknown]>([
    ['a damaged manifest', (id) => damage(id)],
    ['no manifest', (id) => rmSync(fileOf(id, 'manifest.json'))],
    ['no folder', (id) => rmSync(join(paths.releases, id), { recursive: true })],
    [
      'a history of another hash',
      (id) =>
        writeFileSync(
          fileOf(id, HISTORY),
          readFileSync(fileOf(id, HISTORY), 'utf8').replace('"totalIdeas":2', '"totalIdeas":3'),
        ),
    ],
    ['a history of another size', (id) => damage(id, HISTORY)],
    ['no history on the disk', (id) => rmSync(fileOf(id, HISTORY))],
    ['no history in its manifest', (id) => withoutHistory(id)],
  ])('%s', async (_, spoil) => {
    await publish(0)
    const whole = await publish(1)
    await spoil(await publish(2))
    expect(await earlier()).toMatchObject({ carriedFrom: whole })
    expect(daysOf(await earlier())).toEqual([0, 1])
    expect(said[0]).toMatch(new RegExp(`^warn: the current release \\S+ has no history .* carried from ${whole}$`))
    await publish(3)
    expect(daysOf(await earlier())).toEqual([0, 1, 3])
  })

  it('the current one is not known: the newest, or the one that is pinned', async () => {
    const ids = [await publish(0), await publish(1), await publish(2)]
    rmSync(paths.current)
    expect(await earlier()).toMatchObject({ carriedFrom: ids[2] })
    await switchTo(paths, ids[2]!, 0)
    await rollback(paths, ids[1]!, 0)
    rmSync(paths.current)
    expect(daysOf(await earlier())).toEqual([0, 1])
  })

  it('every one: the history begins anew, and the warning says what to do', async () => {
    damage(await publish(0))
    damage(await publish(1))
    expect(await earlier()).toEqual({ rows: [], carriedFrom: null })
    expect(said.at(-1)).toMatch(/^warn: the history begins anew: .* roll back to it, then resume and build$/)
  })

  it('but what cannot be read stops the build: the rows may be there', async () => {
    damage(await publish(0))
    const unreadable = { ...paths, releases: join(paths.current, 'manifest.json', 'below') }
    await expect(earlierHistory(unreadable, EMPTY_JOURNAL, null, false, log)).rejects.toMatchObject({
      code: 'unreadable',
    })
  })
})

describe('after a rollback', () => {
  it('the rows of what was taken back are gone', async () => {
    const [first] = [await publish(0), await publish(1), await publish(2)]
    await rollback(paths, first, 0)
    expect(daysOf(await earlier()), 'also while it is pinned').toEqual([0])
    await resume(paths, 0)
    await publish(3)
    expect(daysOf(await earlier())).toEqual([0, 3])
  })

  it('what was taken back is passed over when a later release is damaged', async () => {
    const ids = [await publish(0), await publish(1), await publish(2)]
    await rollback(paths, ids[0]!, 0)
    await resume(paths, 0)
    damage(await publish(3))
    expect(await earlier()).toMatchObject({ carriedFrom: ids[0] })
    expect(daysOf(await earlier())).toEqual([0])
  })

  it('forwards again, the rows of that release are back', async () => {
    const ids = [await publish(0), await publish(1), await publish(2)]
    await rollback(paths, ids[0]!, 0)
    await resume(paths, 0)
    await publish(3)
    await rollback(paths, ids[2]!, 0)
    await resume(paths, 0)
    expect(daysOf(await earlier())).toEqual([0, 1, 2])
    damage(await publish(4))
    expect(daysOf(await earlier())).toEqual([0, 1, 2])
    expect(await earlier()).toMatchObject({ carriedFrom: ids[2] })
  })
})

describe('a build that was killed just before the switch', () => {
  it('has published nothing, also when a later release is damaged', async () => {
    const first = await publish(0)
    await publish(1, { killed: true })
    expect(await earlier()).toMatchObject({ carriedFrom: first })
    damage(await publish(2))
    expect(await earlier()).toMatchObject({ carriedFrom: first })
    expect(daysOf(await earlier())).toEqual([0])
  })
})
