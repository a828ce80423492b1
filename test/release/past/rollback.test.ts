// A rollback, its pin and its line in the journal, and what it keeps of what it takes back. real test: it publishes releases.
import { linkSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { ReleaseError } from '../../../src/release/format/release-error.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { linesOfDays } from '../../../src/release/format/day-log.ts'
import { readLogged, showDays } from '../../../src/release/past/day-log.ts'
import { EMPTY_JOURNAL } from '../../../src/release/past/journal.ts'
import { note, readJournal, readPin, writeJournal } from '../../../src/release/past/past.ts'
import { resume, rollback } from '../../../src/release/past/rollback.ts'
import { folderReader } from '../../../src/release/reading/folder-reader.ts'
import { currentId, listReleases } from '../../../src/release/reading/release-list.ts'
import { AS_OF_MS, publishSamples, wholeCurrent } from '../sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const HOUR_MS = 3_600_000

let snapshots: string
let paths: ReleasePaths
beforeEach(() => {
  snapshots = temporaryFolder()
  paths = releasePaths(snapshots)
})

describe('rollback, pin and resume', () => {
  const NOW_MS = AS_OF_MS + 24 * HOUR_MS

  it('makes the release before the current one current, and pins it', async () => {
    const [first, second] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    expect(await readPin(paths)).toBe(null)
    const { pin: hold } = await rollback(paths, null, NOW_MS)
    expect(hold).toEqual({ since: '2026-05-21T09:30:00.000Z', id: first })
    expect(await wholeCurrent(snapshots)).toBe(first)
    expect(await readPin(paths)).toEqual(hold)
    expect(await listReleases(paths)).toEqual([first, second])
  })

  it('goes to the release that is named, also forwards', async () => {
    const ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
    for (const i of [0, 2, 1, 1]) {
      expect(await rollback(paths, ids[i] ?? '', NOW_MS)).toMatchObject({ pin: { id: ids[i] } })
      expect(await currentId(paths)).toBe(ids[i])
    }
  })

  it('is pinned until resumed, once', async () => {
    await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    await rollback(paths, null, NOW_MS)
    expect(await resume(paths, NOW_MS)).toBe(true)
    expect(await readPin(paths)).toBe(null)
    expect(await resume(paths, NOW_MS)).toBe(false)
  })

  it('fails for a release that does not exist, and lists those that do', async () => {
    const ids = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    const unknown = '20200101T000000000Z-00000000'
    await expect(rollback(paths, unknown, NOW_MS)).rejects.toThrow(
      new ReleaseError('absent', `no release ${unknown} in ${snapshots}; there are: ${ids.join(', ')}`),
    )
    await expect(rollback(paths, '../releases', NOW_MS)).rejects.toThrow(/no release \.\.\/releases/)
    expect(await currentId(paths)).toBe(ids[1])
    expect(await readPin(paths)).toBe(null)
  })

  it('fails when there is no release before, or none at all', async () => {
    await expect(rollback(paths, null, NOW_MS)).rejects.toThrow(/no release is current/)
    const [id] = await publishSamples(snapshots, AS_OF_MS)
    await expect(rollback(paths, null, NOW_MS)).rejects.toThrow(`no release before ${id}`)
  })

  it('fails for a damaged release: it neither switches nor pins', async () => {
    const [first, second] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    truncateSync(join(snapshots, 'releases', first ?? '', 'manifest.json'), 100)
    await expect(rollback(paths, first ?? '', NOW_MS)).rejects.toThrow(/manifest\.json: it is not JSON/)
    expect(await wholeCurrent(snapshots)).toBe(second)
    expect(await readPin(paths)).toBe(null)
  })
})

describe('what a rollback keeps', () => {
  it('of what it takes back is of the latest, however far it goes, until a later one is current', async () => {
    const [first = '', , last = ''] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1, AS_OF_MS + 2)
    for (let i = 0; i < 2; i++) await rollback(paths, null, AS_OF_MS)
    expect(await readJournal(paths)).toMatchObject({ last: first, taken: { id: last, revisions: [] } })
    const log = readFileSync(join(paths.releases, last, 'analytics/export/revisions/all.json'), 'utf8')
    expect((JSON.parse(log) as { data: unknown }).data).toEqual([])
  })

  it('is two days of the log, once it is current, and nothing of one that failed', async () => {
    const [first = '', second = ''] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    const dates = async (): Promise<string[]> => (await readJournal(paths)).days.map(({ date, id }) => `${date} ${id}`)
    // No link can be made.
    const failing = { ...paths, releases: join(paths.root, 'nowhere') }
    await expect(rollback(failing, first, AS_OF_MS)).rejects.toThrow(/no release/)
    expect(await dates()).toEqual([])
    await rollback(paths, null, AS_OF_MS + 24 * HOUR_MS)
    expect(await dates()).toEqual([`2026-05-20 ${second}`, `2026-05-21 ${first}`])
    await showDays(paths)
    expect(readFileSync(paths.log, 'utf8')).toMatch(
      new RegExp(`^date,.*\n2026-05-20,${second},.*\n2026-05-21,${first},.*\n$`),
    )
    rmSync(paths.log)
    await showDays(paths)
    expect(readFileSync(paths.log, 'utf8').split('\n'), 'made again').toHaveLength(4)
  })

  it('goes through no link that somebody planted at log.csv, and is refused where that is another file', async () => {
    const [first] = await publishSamples(snapshots, AS_OF_MS, AS_OF_MS + 1)
    const theirs = join(temporaryFolder(), 'theirs')
    writeFileSync(theirs, 'theirs')
    linkSync(theirs, paths.log)
    const [read, written] = [folderReader(paths).log(), rollback(paths, null, AS_OF_MS)]
    // Readers find a damaged log; what would add a line to it cannot write.
    await Promise.all([
      expect(read).rejects.toMatchObject({ code: 'damaged' }),
      expect(written).rejects.toMatchObject({ code: 'write' }),
    ])
    for (const done of [read, written])
      await expect(done).rejects.toThrow(
        /log\.csv is no log of days: it does not begin with date,.*; put a copy of it there/,
      )
    expect([readFileSync(paths.log, 'utf8'), await readPin(paths)]).toEqual(['theirs', null])
    rmSync(paths.log)
    symlinkSync(theirs, paths.log)
    await expect(folderReader(paths).log()).rejects.toThrow(/there is no/)
    await rollback(paths, first ?? '', AS_OF_MS)
    await showDays(paths)
    expect(readFileSync(theirs, 'utf8')).toBe('theirs')
    expect(readFileSync(paths.log, 'utf8')).toMatch(/^date,.*\n2026-05-20,/)
  })
})

describe('the log of days', () => {
  const line = (date: string, i: number) => ({
    date,
    id: `${date.replaceAll('-', '')}T100000000Z-0000000${i}`,
    sha256: `${i}`.repeat(64),
    rows: { ideas: i, votes: 2, comments: 3 },
  })
  const logOf = (...dates: readonly string[]): string => `${linesOfDays(dates.map(line)).join('\n')}\n`
  const DAYS = ['2026-05-01', '2026-05-02', '2026-05-03']
  const known = async (): Promise<string[]> => (await readLogged(paths)).past.days.map(({ date }) => date)
  beforeEach(async () => {
    await writeJournal(paths, { ...EMPTY_JOURNAL, days: DAYS.map(line) })
  })

  it('is made again where it is gone, short or damaged', async () => {
    for (const there of ['', logOf(...DAYS.slice(0, 1)), logOf(...DAYS).replace('-02,', '-12,')]) {
      writeFileSync(paths.log, there)
      expect(await known()).toEqual(DAYS)
      await showDays(paths)
      expect(readFileSync(paths.log, 'utf8')).toBe(logOf(...DAYS))
    }
  })

  it('of a bucket or a page, which has other days, is gone on with', async () => {
    for (const there of [
      [...DAYS, '2026-05-04'],
      ['2026-05-01', '2026-05-05'],
    ]) {
      writeFileSync(paths.log, logOf(...there).replaceAll('\n', '\r\n'))
      expect(await known()).toEqual(there)
      await note(paths, (await readLogged(paths)).past, { pin: null })
      expect((await readJournal(paths)).days.map(({ date }) => date)).toEqual(there)
    }
  })

  it('that is damaged stops what would add to it where nothing else is known', async () => {
    rmSync(paths.journal)
    writeFileSync(paths.log, logOf(...DAYS).replace('-02,', '-12,'))
    await expect(readLogged(paths)).rejects.toMatchObject({
      code: 'write',
      message: expect.stringContaining('log.csv is damaged: analytics-build verify names the line') as string,
    })
  })
})
