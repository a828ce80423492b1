import { assert, integer, nat, property, constantFrom } from 'fast-check'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { PERIODS, type Period } from '../../../src/contract/windows.ts'
import { missingAndSurplus } from '../../../src/release/checks/invariants.ts'
import type { Manifest, ManifestTotals } from '../../../src/release/format/manifest.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { add, MutableRelease, type Row } from '../verify/mutable-release.ts'

const folder = temporaryFolder(afterAll)
let whole: MutableRelease
let manifest: Manifest
beforeAll(async () => {
  whole = await MutableRelease.of(folder)
  manifest = whole.manifest
})

/** Timelines and outcomes have rules of their own: over-time.test.ts. */
const withoutTime = (): MutableRelease =>
  whole.copy((path) => /^analytics\/(export\/)?(timeline|outcomes|category)\b/.test(path))

const totalsOf = (draft: MutableRelease, period: Period): Row =>
  draft.at(`analytics/categories/${period}.json`)['totals'] as Row

function overview(draft: MutableRelease, period: Period, metric: string): Row {
  const row = draft.rows('overview', period).find((one) => one['metric'] === metric)
  if (row === undefined) throw new Error(`no ${metric}`)
  return row
}

function setTotals(draft: MutableRelease, rows: Partial<ManifestTotals>): void {
  draft.manifest = { ...draft.manifest, rows: { ...draft.manifest.rows, ...rows } }
}

describe('the reported totals of a release', () => {
  it('agree when it is whole, whether or not it is known that an idea has two categories', () => {
    const draft = whole.copy()
    expect(draft.gate()).toEqual([])
    draft.sharedIdeas = null
    expect(draft.gate()).toEqual([])
  })

  const WRONG: Readonly<Record<string, [cause: (draft: MutableRelease) => void, ...sentences: string[]]>> = {
    'a total that the manifest states otherwise': [
      (draft) => setTotals(draft, { comments: 5 }),
      'total comments: 4 in comments of analytics/export/ideas/all.json, but 5 in rows of manifest.json',
    ],
    'a window before that two state differently': [
      (draft) => add(totalsOf(draft, '7d'), 'previousIdeas', 1),
      'ideas in the 7d before: 0 in ideas of analytics/export/overview/7d.json, but 1 in totals.previousIdeas of analytics/categories/7d.json',
    ],
    'a last bucket after which there are others than in total': [
      (draft) => add(draft.rows('users', '30d').at(-1), 'totalUsers', 1),
      'total users: 1 in newUsers of analytics/export/overview/all.json, but 2 in totalUsers of analytics/export/users/30d.json',
    ],
    'a category that only one of its two documents counts': [
      (draft) => add(draft.rows('categories', '30d')[0], 'votes', 1),
      'votes in 30d summed over the categories: 3 in analytics/categories/30d.json, but 4 in analytics/export/categories/30d.json',
    ],
    'an ideas export that lost a row in both formats': [
      (draft) => void draft.rows('ideas', '7d').pop(),
      'ideas in 7d: 2 in ideas of analytics/export/overview/7d.json, but 1 in rows of analytics/export/ideas/7d.json',
    ],
    'a category that is not listed in one period': [
      (draft) => void draft.categories('24h').pop(),
      'listed categories: 2 in analytics/categories/30d.json, but 1 in analytics/categories/24h.json',
    ],
    'a value that is no number': [
      (draft) => (overview(draft, '24h', 'comments')['value'] = null),
      'comments in 24h: not a whole number from 0 on in comments of analytics/export/overview/24h.json',
    ],
    'a metric that is left out of both formats': [
      (draft) => void draft.rows('overview', '90d').splice(1, 1),
      'active users in 90d: not a whole number from 0 on in activeUsers of analytics/export/overview/90d.json',
    ],
    'a count below zero': [
      (draft) => add(overview(draft, '7d', 'activeCategories'), 'value', -9),
      'active categories in 7d: not a whole number from 0 on in activeCategories of analytics/export/overview/7d.json',
    ],
    'a row of an idea that says that it is launched': [
      (draft) => Object.assign(draft.rows('ideas', 'all')[0] ?? {}, { launched: true }),
      'total launched ideas: 0 in launchedIdeas of analytics/export/history/all.json, but 1 in launched of analytics/export/ideas/all.json',
    ],
    'categories that sum to less than all ideas, in two periods': [
      (draft) => {
        for (const period of ['30d', '90d'] as const)
          for (const rows of [draft.categories(period), draft.rows('categories', period)])
            for (const row of rows) row['votes'] = 0
      },
      'votes in 30d: the categories sum to 2 less than all ideas, but every idea is in one at least; the same in 1 more number',
    ],
    'categories that sum to more than all ideas where no idea is in two': [
      (draft) => (draft.sharedIdeas = 0),
      'comments in 24h: the categories sum to 1 more than all ideas, but no idea is in two; the same in 14 more numbers',
    ],
    'categories that sum to more than all ideas, as a release that is read back shows by its ideas': [
      (draft) => {
        draft.sharedIdeas = null
        for (const period of PERIODS)
          for (const rows of [draft.categories(period), draft.rows('categories', period)]) {
            const row = rows.find(({ category }) => String(category) === 'Product')
            for (const key of ['ideas', 'totalIdeas', 'votes', 'previousComments']) if (row !== undefined) row[key] = 0
          }
      },
      'comments in 24h: the categories sum to 1 more than all ideas, but no idea is in two; the same in 4 more numbers',
    ],
  }
  it.each(Object.entries(WRONG))('show %s', (_, [cause, ...sentences]) => {
    const draft = withoutTime()
    cause(draft)
    expect(draft.gate()).toEqual(sentences)
  })

  it('show a row of a category in a bucket that all ideas do not have', () => {
    const draft = whole.copy()
    const rows = draft.rows('timeline', '24h')
    rows.push({ ...rows.at(-1), bucket: '2026-01-01T00:00:00.000Z', category: 'Design' })
    expect(draft.gate()).toContainEqual(
      expect.stringMatching(/^analytics\/export\/timeline\/24h\.json: row \d+: its bucket .* has no row of all ideas/),
    )
  })

  it('show any change of any count that several documents state, in one sentence', () => {
    const total = (period: Period): string => (period === 'all' ? 'total' : 'in')
    assert(
      property(
        constantFrom(...PERIODS),
        constantFrom('newUsers', 'ideas', 'votes', 'comments', 'launchedIdeas'),
        integer({ min: 1, max: 1_000_000 }),
        nat(1),
        (period, metric, change, sign) => {
          const draft = withoutTime()
          add(overview(draft, period, metric), 'value', sign === 0 ? change : -change)
          const faults = draft.gate()
          expect(faults).toHaveLength(1)
          expect(faults[0]).toContain(total(period))
          expect(faults[0]).toContain(`${metric} of analytics/export/overview/${period}.json`)
        },
      ),
      { numRuns: 50 },
    )
  })

  it('say nothing of what was not read: who could not read it has said so', () => {
    for (const path of whole.paths) expect(whole.copy((one) => one === path).gate(), path).toEqual([])
    expect(whole.copy(() => true).gate()).toEqual([])
  })
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
