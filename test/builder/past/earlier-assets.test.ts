// Which assets a release carries on of the one before it. real test: it reads releases.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { carriedOn, earlierAssets } from '../../../src/builder/past/earlier-assets.ts'
import type { Log } from '../../../src/process/log.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { publishRelease } from '../../support/release.ts'
import { ASSETS, sampleSite } from '../../support/site.ts'

const asset = (name: string, version: number): string => `assets/${name}-${String(version).padStart(10, '0')}`

/** One release after the other, of which each has these versions of its assets; what each has in the end. */
function chain(...versions: readonly Readonly<Record<string, number>>[]): string[][] {
  let before: Pick<Manifest, 'site' | 'files'> | null = null
  return versions.map((one) => {
    const own = Object.entries(one).map(
      ([name, version]) => `${asset(name.replace(/\..*/, ''), version)}.${name.split('.')[1]}`,
    )
    const carried = before === null ? [] : carriedOn(before, new Set(own)).map(({ path }) => path)
    const files = [...own, ...carried].map((path) => ({ path, bytes: 1, sha256: '', contentHash: '', rows: null }))
    before = { site: { assets: own }, files }
    return [...own, ...carried].map((path) => path.replace(/-0*(?=\d)/, '-').replace('assets/', '')).sort()
  })
}

describe('a release has its own assets and', () => {
  it('nothing more while the version is the same', () => {
    const [, , last] = chain(
      { 'page.css': 1, 'page.js': 1 },
      { 'page.css': 1, 'page.js': 1 },
      { 'page.css': 1, 'page.js': 1 },
    )
    expect(last).toEqual(['page-1.css', 'page-1.js'])
  })

  it('those of the version before, for as long as this one makes releases', () => {
    const [, ...later] = chain(
      { 'page.css': 1 },
      { 'page.css': 2 },
      { 'page.css': 2 },
      { 'page.css': 3 },
      { 'page.css': 3 },
    )
    expect(later).toEqual([
      ['page-1.css', 'page-2.css'],
      ['page-1.css', 'page-2.css'],
      ['page-2.css', 'page-3.css'],
      ['page-2.css', 'page-3.css'],
    ])
  })

  it('of a name that is gone, those of the last release that had it', () => {
    expect(chain({ 'page.css': 1, 'chart.js': 1 }, { 'page.css': 1 }, { 'page.css': 1 })).toEqual([
      ['chart-1.js', 'page-1.css'],
      ['chart-1.js', 'page-1.css'],
      ['page-1.css'],
    ])
  })

  it('after a version that was taken back, both', () => {
    expect(chain({ 'page.css': 1 }, { 'page.css': 2 }, { 'page.css': 1 }, { 'page.css': 1 }).slice(2)).toEqual([
      ['page-1.css', 'page-2.css'],
      ['page-1.css', 'page-2.css'],
    ])
  })
})

describe('the assets of a release', () => {
  const logged: string[] = []
  const log = { warn: (_: object, text: string) => void logged.push(text) } as unknown as Log

  it('are read from it; a damaged one is left out, with a warning', async () => {
    const snapshots = temporaryFolder()
    const manifest = await publishRelease(snapshots, { site: sampleSite() })
    const find = () => earlierAssets(releasePaths(snapshots), manifest, new Set(), log)
    const found = (await find()).map(({ path, bytes }) => [path, bytes.toString()])
    expect(Object.fromEntries(found)).toEqual(
      Object.fromEntries(Object.values(ASSETS).map(({ path, text }) => [path, text])),
    )
    expect(logged).toEqual([])
    writeFileSync(join(snapshots, 'releases', manifest.id, ASSETS.js.path), 'export 1\n')
    expect((await find()).map(({ path }) => path)).toEqual([ASSETS.css.path])
    expect(logged).toEqual([expect.stringContaining(`${ASSETS.js.path} of ${manifest.id} is not carried on: `)])
  })

  it('are none where there is no release or no site', async () => {
    const snapshots = temporaryFolder()
    const manifest = await publishRelease(snapshots)
    expect(await earlierAssets(releasePaths(snapshots), manifest, new Set(), log)).toEqual([])
    expect(await earlierAssets(releasePaths(snapshots), null, new Set(), log)).toEqual([])
  })
})
