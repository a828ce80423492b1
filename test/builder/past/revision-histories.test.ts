// Whether revision.ts tells corruption from growth: on generated histories it rejects nothing that is ordinary, and each
// corruption from a size on.
// real test: years of daily builds take seconds
// long test: thousands of invented histories
import { describe, expect, it } from 'vitest'
import { revisionReasons } from '../../../src/builder/past/revision.ts'
import { cutOf } from '../../../src/model/rows-by-month.ts'
import { countRows, generateSite, rowsAt, type Profile } from '../run/generated-site.ts'
import { CORRUPTIONS, MOMENTS, rejections } from '../run/corruptions.ts'
import { revisionsOf } from './revisions-of.ts'

const MAX_PERCENT = 10

const PROFILES: readonly Profile[] = [
  { name: 'village', days: 240, votesOfDay: 3 },
  { name: 'town', days: 300, votesOfDay: 30 },
  { name: 'city', days: 220, votesOfDay: 60 },
  { name: 'votes kept as a counter', days: 240, votesOfDay: 30, countedVotes: true },
  { name: 'read from a standby', days: 300, votesOfDay: 30, standby: true },
  { name: 'busy, read from a standby', days: 200, votesOfDay: 150, standby: true },
  { name: 'a clock that is ahead', days: 240, votesOfDay: 30, clockHours: 2 },
  { name: 'a clock that is behind', days: 240, votesOfDay: 30, clockHours: -3 },
]
const SEEDS = [1, 2, 3]

describe('ordinary days', () => {
  /** A counter has no months: a campaign that more than doubles it looks like a join that fans out, and somebody has to accept it. */
  const JUMP = /^votes: .* allowed 10 %\): undated [\d,]+ to [\d,]+; is it /

  it.each(PROFILES)('are never rejected: $name', (profile) => {
    let [compared, jumps] = [0, 0]
    for (const seed of SEEDS) {
      const site = generateSite(profile, seed)
      let kept = countRows([], 0)
      for (const read of site.reads) {
        // The gate's rule on times decides of a clock that was set back.
        if (read.asOfMs <= kept.beforeMs + 1) continue
        const rows = rowsAt(site, read)
        const ownMs = cutOf(read.asOfMs, read)
        if (kept.beforeMs > 0) {
          const revisions = revisionsOf(kept, countRows(rows, kept.beforeMs), ownMs)
          const all = revisionReasons(revisions, MAX_PERCENT)
          const reasons = all.filter((one) => profile.countedVotes !== true || !JUMP.test(one))
          jumps += all.length - reasons.length
          expect(reasons, `seed ${seed}, ${new Date(read.atMs).toISOString()}`).toEqual([])
          compared += 1
        }
        kept = countRows(rows, ownMs)
      }
    }
    expect(compared).toBeGreaterThan(3 * profile.days)
    // Once for each site.
    expect(jumps).toBe(profile.countedVotes === true ? SEEDS.length : 0)
  })
})

describe('corruptions', () => {
  const kinds = PROFILES.filter(({ name }) => ['town', 'city', 'read from a standby'].includes(name))
  const sites = kinds.map((profile) => [generateSite(profile, 11), generateSite(profile, 12)] as const)
  const results = CORRUPTIONS.map((corruption) => ({
    ...corruption,
    of: (corruption.sizes ?? [0]).map((size) => ({ size, ...rejections(corruption, size, sites, MAX_PERCENT) })),
  }))

  it.each(results)('are rejected from their size on: $what', ({ of, sizes, unit, seenFrom }) => {
    for (const { size, rejected } of of) {
      if (sizes === undefined || (seenFrom != null && size >= seenFrom))
        expect(rejected, `${size} ${unit}`).toBe(MOMENTS)
      if (seenFrom === null) expect(rejected, `${size} ${unit}`).toBe(0)
    }
    // Below it some are not: otherwise the size is less.
    const below = of.filter(({ size }) => seenFrom != null && size < seenFrom).at(-1)
    expect(below?.rejected ?? 0).toBeLessThan(MOMENTS)
  })
})
