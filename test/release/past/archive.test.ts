// The archive of months: what it has, of which release, and what takes it away.
// real test: whole releases are written and read back
import { existsSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { EXPORT_TYPES } from '../../../src/contract/kinds/tables.ts'
import { timeZoneOf } from '../../../src/contract/time-zone.ts'
import { MONTH, type Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths, type ReleasePaths } from '../../../src/release/format/paths.ts'
import { readManifest } from '../../../src/release/reading/folder-reader.ts'
import { listReleases, namesBelow } from '../../../src/release/reading/release-list.ts'
import type { ArchiveOptions } from '../../../src/release/past/archive.ts'
import { forgetAllBut } from '../../../src/release/past/forget.ts'
import { keepCurrentOnly, prune } from '../../../src/release/writing/prune.ts'
import { rollback } from '../../../src/release/past/rollback.ts'
import { switchTo } from '../../../src/release/writing/current-link.ts'
import { archiveAt, promoteSample, verifyAt } from '../sample-release.ts'
import { noteRelease } from '../../support/noted.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const at = (time: string): number => Date.parse(`${time}Z`)
const NOVEMBER = at('2026-11-01T00:10')

let paths: ReleasePaths
beforeEach(() => {
  paths = releasePaths(temporaryFolder())
})

/** Publishes one after the other, as builds do. */
async function publish(...times: readonly string[]): Promise<Manifest[]> {
  const made: Manifest[] = []
  for (const time of times) {
    const manifest = await promoteSample(paths.root, at(time))
    await noteRelease(paths, manifest.id, made.at(-1)?.id ?? null)
    await switchTo(paths, manifest.id, at(time))
    made.push(manifest)
  }
  return made
}

const archive = (nowMs: number, change?: Partial<ArchiveOptions>) => archiveAt(paths.root, nowMs, change)
const months = (): Promise<string[]> => namesBelow(paths, MONTH)
const originOf = async (month: string): Promise<string> => (await readManifest(paths, month)).dataAsOf

describe('the archive of a month', () => {
  it('has every file of its last release that lists no idea, byte for byte, and is whole', async () => {
    const [, last] = await publish('2026-10-30T12:00', '2026-10-31T23:40')
    await archive(NOVEMBER)
    expect(await months()).toEqual(['2026-10'])
    const { files, id, months: others, site, ...about } = await readManifest(paths, '2026-10')
    expect(about).toMatchObject({ month: '2026-10', dataAsOf: last!.dataAsOf, rows: last!.rows })
    expect([others, site, about.options.site]).toEqual([undefined, undefined, undefined])
    expect(id).not.toBe(last!.id)
    const names = new Set(files.map(({ path }) => path.split('/').slice(0, 3).join('/')))
    expect([...names].sort()).toEqual([
      ...['24h', '30d', '7d', '90d', 'all'].map((period) => `analytics/categories/${period}.json`),
      ...files.flatMap(({ path }) => (path.startsWith('analytics/category/') ? [path] : [])),
      ...EXPORT_TYPES.filter((type) => type !== 'ideas')
        .map((type) => `analytics/export/${type}`)
        .sort(),
      'analytics/outcomes.json',
      ...files.flatMap(({ path }) => (path.startsWith('analytics/timeline/') ? [path] : [])),
      'public/stats.json',
    ])
    expect(files).toEqual(last!.files.filter(({ path }) => files.some((file) => file.path === path)))
    expect((await verifyAt(paths.root, '2026-10')).faults).toEqual([])
  })

  it('takes no room beside its release, and stays when that is removed', async () => {
    const [october, november] = await publish('2026-10-31T23:40', '2026-11-01T00:10')
    await archive(NOVEMBER)
    const [one, other] = [october!.id, '2026-10'].map((name) => join(paths.releases, name, 'public/stats.json'))
    expect(statSync(one!).ino).toBe(statSync(other!).ino)
    await prune(paths, { keep: 1, keepMonths: 24 }, NOVEMBER + 3_600_000)
    rmSync(join(paths.releases, october!.id), { recursive: true, force: true })
    expect(existsSync(join(paths.releases, november!.id))).toBe(true)
    expect((await verifyAt(paths.root, '2026-10')).faults).toEqual([])
  })

  it('is made once, and of no month that has not ended', async () => {
    await publish('2026-09-30T12:00', '2026-10-31T23:40')
    await archive(at('2026-10-31T23:59:59.999'))
    expect(await months()).toEqual(['2026-09'])
    await archive(NOVEMBER)
    const made = statSync(join(paths.releases, '2026-10')).ctimeMs
    await archive(NOVEMBER)
    expect([await months(), statSync(join(paths.releases, '2026-10')).ctimeMs]).toEqual([['2026-09', '2026-10'], made])
  })

  it('goes, and is made again at its end, where a clock that was ahead ended the month', async () => {
    await publish('2026-10-30T12:00')
    await archive(NOVEMBER)
    await archive(at('2026-10-30T13:00'))
    expect(await months()).toEqual([])
    await archive(NOVEMBER)
    expect(await months()).toEqual(['2026-10'])
  })

  it('is of the month in the time zone of the site', async () => {
    await publish('2026-10-31T10:30', '2026-10-31T11:30')
    const auckland = timeZoneOf({ timeZone: 'Pacific/Auckland' })
    await archive(at('2026-10-31T11:30'), { zone: auckland })
    expect([await months(), await originOf('2026-10')]).toEqual([['2026-10'], '2026-10-31T10:30:00.000Z'])
  })

  it('is of nothing that a rollback took back: it goes, and the next build makes it of what is current', async () => {
    const [, good, bad] = await publish('2026-09-30T12:00', '2026-10-30T12:00', '2026-10-31T23:40')
    await archive(NOVEMBER)
    expect(await originOf('2026-10')).toBe(bad!.dataAsOf)
    expect(await rollback(paths, good!.id, NOVEMBER)).toMatchObject({ months: ['2026-10'] })
    expect(await months()).toEqual(['2026-09'])
    await archive(NOVEMBER)
    expect(await originOf('2026-10')).toBe(good!.dataAsOf)
  })

  it('is not made of a release that is current no more, and was left by a build that was killed before the switch', async () => {
    await publish('2026-10-30T12:00')
    await promoteSample(paths.root, at('2026-10-31T23:40'))
    await archive(NOVEMBER)
    expect(await originOf('2026-10')).toBe('2026-10-30T12:00:00.000Z')
  })

  it('is kept for the newest N months; older ones are neither kept nor made again', async () => {
    await publish('2026-07-31T12:00', '2026-08-31T12:00', '2026-09-30T12:00', '2026-10-31T12:00', '2026-11-01T00:10')
    await archive(NOVEMBER)
    expect(await months()).toEqual(['2026-07', '2026-08', '2026-09', '2026-10'])
    const { removed } = await prune(paths, { keep: 100, keepMonths: 2 }, NOVEMBER)
    expect(removed).toEqual(['2026-07', '2026-08'])
    await archive(NOVEMBER, { keepMonths: 2 })
    expect(await months()).toEqual(['2026-09', '2026-10'])
    expect((await prune(paths, { keep: 100, keepMonths: 0 }, NOVEMBER)).removed).toEqual(['2026-09', '2026-10'])
    await archive(NOVEMBER, { keepMonths: 0 })
    expect(await months()).toEqual([])
  })

  it('goes at once with everything else when the site closes; it stays where a title must go, unless an operator says so', async () => {
    const [october, november] = await publish('2026-10-31T12:00', '2026-11-01T00:10')
    await archive(NOVEMBER)
    expect(await forgetAllBut(paths, [november!.id])).toEqual([october!.id, '2026-10'])
    expect(await months()).toEqual([])
    await publish('2026-10-31T12:00', '2026-11-01T00:20')
    await archive(NOVEMBER)
    expect(await keepCurrentOnly(paths, 24)).not.toContain('2026-10')
    expect(await namesBelow(paths, '')).toHaveLength(2)
    expect(await keepCurrentOnly(paths, 0)).toEqual(['2026-10'])
    expect(await namesBelow(paths, '')).toHaveLength(1)
  })

  it('is not there at all where it cannot be made: its release stays until the next build has made it', async () => {
    const [october, november] = await publish('2026-10-31T12:00', '2026-11-01T00:05')
    const lost = join(paths.releases, october!.id, 'public/stats.json')
    renameSync(lost, `${lost}.away`)
    const { needed, failures } = await archive(NOVEMBER)
    const why = /^the archive of a month is not made; the next build tries again: .*ENOENT.*public\/stats\.json/
    expect([needed, failures]).toEqual([[october!.id], [expect.stringMatching(why)]])
    expect(await namesBelow(paths, '')).toEqual([october!.id, november!.id])
    const late = NOVEMBER + 24 * 3_600_000
    await publish('2026-11-01T01:00', '2026-11-01T02:00', '2026-11-01T03:00')
    const kept = await prune(paths, { keep: 1, keepMonths: 24 }, late, null, needed)
    expect(kept.removed).not.toContain(october!.id)
    renameSync(`${lost}.away`, lost)
    await noteRelease(paths, (await listReleases(paths)).at(-1)!, october!.id)
    expect(await archive(late)).toEqual({ needed: [], failures: [] })
    expect(await months()).toEqual(['2026-10'])
  })

  it('stays where a clock is far behind', async () => {
    await publish('2026-10-31T12:00', '2026-11-01T00:10')
    await archive(NOVEMBER)
    await archive(at('1970-01-01T00:00'))
    await archive(at('2026-10-31T23:59'))
    expect(await months()).toEqual(['2026-10'])
  })

  it('is taken back by a rollback also where another time zone named its month', async () => {
    const auckland = timeZoneOf({ timeZone: 'Pacific/Auckland' })
    const [good] = await publish('2026-10-31T12:30', '2026-10-31T23:40')
    expect(auckland.monthOf(at('2026-10-31T12:30'))).toBe('2026-11')
    await archive(NOVEMBER)
    await rollback(paths, good!.id, NOVEMBER)
    expect(await months()).toEqual([])
  })

  it('is not made where the site publishes fewer numbers of people now, for two years', async () => {
    await publish('2026-10-31T12:00', '2026-11-01T00:10')
    await archive(NOVEMBER, { people: 'rounded' })
    await archive(NOVEMBER, { people: 'off' })
    expect(await months()).toEqual([])
    await archive(NOVEMBER)
    expect(await months()).toEqual(['2026-10'])
  })
})
