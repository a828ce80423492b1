import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { missingAndSurplus } from '../../../src/release/checks/invariants.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { promoteSample } from '../sample-release.ts'

const folder = temporaryFolder(afterAll)
let manifest: Manifest
beforeAll(async () => {
  manifest = await promoteSample(folder)
})

describe('the files of a release', () => {
  it('are those of the combinations', () => {
    expect(missingAndSurplus(manifest)).toEqual([])
  })

  it('are named, of each kind in one sentence, when they are missing or answer nothing', () => {
    const [first, second, third, ...others] = manifest.files
    const extra = { ...manifest.files[0]!, path: 'extra.json' }
    expect(missingAndSurplus({ ...manifest, files: [third!, ...others, extra] })).toEqual([
      `${first?.path}: not in the manifest; the same of 1 more, such as ${second?.path}`,
      'extra.json: answers no combination',
    ])
    expect(missingAndSurplus({ ...manifest, files: [] })).toEqual([
      `public/stats.json: not in the manifest; the same of ${manifest.files.length - 1} more, such as analytics/trending/24h/all.json`,
    ])
  })

  it.each(['analytics/timeline/all-by-day.json', 'analytics/export/timeline/all-by-day.csv'])(
    'may not lack %s alone',
    (path) => {
      const torn = { ...manifest, files: manifest.files.filter((file) => file.path !== path) }
      expect(missingAndSurplus(torn)).toEqual([`${path}: not in the manifest`])
    },
  )

  it('are missing for a category whose key is not that of its name', () => {
    const categories = manifest.categories.map((one, i) => (i === 0 ? { ...one, key: 'other-0123456789ab' } : one))
    expect(missingAndSurplus({ ...manifest, categories })).toEqual([
      'analytics/trending/24h/category/other-0123456789ab.json: not in the manifest; the same of 4 more, such as analytics/trending/7d/category/other-0123456789ab.json',
      expect.stringMatching(/category\/design-[0-9a-f]{12}\.json: answers no combination; the same of 4 more/),
    ])
  })
})
