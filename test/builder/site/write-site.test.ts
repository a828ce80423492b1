// The site in a release: how it is listed, and what verify says of it. real test: it writes and reads releases.
import { appendFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { packageAssets, putSiteFile } from '../../../src/builder/site/write-site.ts'
import { BULK_PATH, IDEAS_WORKBOOK, TABLES_WORKBOOK } from '../../../src/contract/snapshot-paths.ts'
import { siteKindOf } from '../../../src/contract/site-paths.ts'
import { missingAndSurplus } from '../../../src/release/checks/invariants.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { releasePaths } from '../../../src/release/format/paths.ts'
import { Staging } from '../../../src/release/writing/staging.ts'
import { AS_OF_MS, promoteSample, verifyAt } from '../../release/sample-release.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { publishRelease } from '../../support/release.ts'
import { ASSETS, sampleSite } from '../../support/site.ts'

const site = ({ files }: Manifest) => files.filter(({ path }) => siteKindOf(path) !== null)

describe('a release that is a website', () => {
  it('is the same data with the files of the site, listed like all others', async () => {
    const [withSite, without] = [temporaryFolder(), temporaryFolder()]
    const manifest = await promoteSample(withSite, AS_OF_MS, undefined, sampleSite({ languages: ['de', 'en'] }))
    const data = await promoteSample(without)
    const rest = manifest.files.filter((file) => !site(manifest).includes(file))
    expect(rest).toEqual(data.files)
    expect(site(manifest).map(({ path }) => path)).toEqual(
      expect.arrayContaining(['index.html', 'en/index.html', ASSETS.css.path, ASSETS.js.path]),
    )
    for (const { path, contentHash, rows } of site(manifest))
      if (![BULK_PATH, IDEAS_WORKBOOK, TABLES_WORKBOOK].includes(path))
        expect({ path, contentHash, rows }).toEqual({ path, contentHash: undefined, rows: null })
    expect(manifest.site).toEqual({ assets: [ASSETS.css.path, ASSETS.js.path] })
    expect(manifest.options.site?.languages).toEqual(['de', 'en'])
    expect(await verifyAt(withSite, manifest.id)).toMatchObject({
      faults: [],
      unread: [],
      files: manifest.files.length,
    })
  })

  it('is so while the platform is closed to visitors, too', async () => {
    const snapshots = temporaryFolder()
    const { id } = await publishRelease(snapshots, { site: sampleSite(), closed: true })
    expect(await verifyAt(snapshots, id)).toMatchObject({ faults: [], closed: true })
  })

  it('is damaged when one byte of a page is', async () => {
    const snapshots = temporaryFolder()
    const { id } = await promoteSample(snapshots, AS_OF_MS, undefined, sampleSite())
    const file = join(snapshots, 'releases', id, 'index.html')
    appendFileSync(file, '\n')
    expect((await verifyAt(snapshots, id)).faults).toEqual([expect.stringContaining('index.html')])
    rmSync(file)
    expect((await verifyAt(snapshots, id)).faults).toEqual([expect.stringContaining('index.html')])
  })

  it('is damaged by a page that its manifest does not list', async () => {
    const snapshots = temporaryFolder()
    const { id } = await promoteSample(snapshots, AS_OF_MS, undefined, sampleSite())
    for (const name of ['other.html', 'index.html.bak']) writeFileSync(join(snapshots, 'releases', id, name), 'a')
    expect((await verifyAt(snapshots, id)).faults).toEqual([
      'index.html.bak: it is not in the manifest',
      'other.html: it is not in the manifest',
    ])
  })
})

describe('the list of files', () => {
  let manifest: Manifest
  const snapshots = temporaryFolder(afterAll)
  beforeAll(async () => {
    const options = { site: sampleSite({ languages: ['en', 'fr'] }), categories: [] }
    manifest = await publishRelease(snapshots, options)
  })

  it('may not lack the page in a language, nor what it loads', () => {
    expect(missingAndSurplus(manifest)).toEqual([])
    for (const path of ['index.html', 'fr/index.html', ASSETS.js.path]) {
      const files = manifest.files.filter((file) => file.path !== path)
      expect(missingAndSurplus({ ...manifest, files })).toEqual([`${path}: not in the manifest`])
    }
  })

  it('may not have what is neither a combination nor of the site', () => {
    const more = missingAndSurplus({
      ...manifest,
      files: [
        ...manifest.files,
        ...['api', 'xx'].map((name) => ({ ...manifest.files[0]!, path: `${name}/index.html` })),
      ],
    })
    expect(more).toEqual([expect.stringContaining('answers no combination')])
    expect(more[0]).toContain('api/index.html')
  })
})

describe('a file of the site', () => {
  it.each(['api', 'api/index.html', 'snapshots/x.html', 'healthz', 'other.html', '../index.html'])(
    'is not written as %s: that is a fault of the program',
    async (path) => {
      const staging = await Staging.create(releasePaths(temporaryFolder()))
      await expect(putSiteFile(staging, path, 'text')).rejects.toThrow(TypeError)
      expect(staging.files()).toEqual([])
    },
  )

  it('has siblings, unless it is compressed itself', async () => {
    const staging = await Staging.create(releasePaths(temporaryFolder()))
    const bytes = Buffer.alloc(5000, 'text ')
    for (const path of ['bulk.zip', 'robots.txt']) await putSiteFile(staging, path, bytes)
    expect(staging.files().map(({ path, gzip, br }) => [path, gzip != null, br != null])).toEqual([
      ['bulk.zip', false, false],
      ['robots.txt', true, true],
    ])
  })
})

describe('the assets of the package', () => {
  it('are named by their content; the script imports nothing and names no map', () => {
    const { css, js } = packageAssets(null)
    for (const { path } of [css, js]) expect(siteKindOf(path)).not.toBeNull()
    expect(js.path).toMatch(/^assets\/page-[0-9a-f]{10}\.js$/)
    expect(js.text).toContain('textContent')
    // Nothing says where it was made: the same sources give the same bytes.
    expect(js.text).not.toMatch(/\bimport\b|\bfrom\s*["'`]|\bexport\s*\{|sourceMappingURL|\.compiled|src\//)
    expect(packageAssets(null)).toEqual({ css, js })
    expect(packageAssets('#aa0000')).toMatchObject({ css: { path: expect.not.stringMatching(css.path) }, js })
  })

  it('are no larger by br, which most browsers prefer, than by gzip', async () => {
    const staging = await Staging.create(releasePaths(temporaryFolder()))
    const { css, js } = packageAssets(null)
    for (const { path, text } of [css, js]) await putSiteFile(staging, path, text)
    for (const { path, gzip, br } of staging.files()) expect(br?.bytes, path).toBeLessThan(gzip?.bytes ?? 0)
    expect(gzipSync(js.text, { level: 6 }).length).toBeLessThanOrEqual(20 << 10)
  })
})
