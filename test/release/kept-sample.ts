// A kept past of all relations, for tests that only care whose it is.
import type { MappingHashes, MonthlyRows, RowsByMonth } from '../../src/model/rows-by-month.ts'
import type { KeptPast } from '../../src/release/writing/kept-past.ts'
import { aboutOf, AS_OF_MS } from './sample-release.ts'

export const MONTH_STARTS = 1
export const ASKED: MappingHashes = { builtIn: true, sections: { votes: 'a' }, params: {} }

export function rowsByMonth(beforeMs: number, votes: MonthlyRows['months']): RowsByMonth {
  const few = { undated: 0, months: { '2026-04': 1 } }
  return {
    beforeMs,
    monthStarts: MONTH_STARTS,
    relations: {
      users: few,
      ideas: few,
      votes: { undated: 3, months: votes },
      comments: few,
      launchedIdeas: few,
      activeUsers: few,
    },
    sample: [[7, 1, 2, [3], 1, 40, 0]],
  }
}

/** As of a release of `aboutOf`; an hour apart from the one before. */
export function keptSample(id: string, comparedWith: string | null = null): KeptPast {
  const { mapping } = aboutOf(AS_OF_MS)
  const own = rowsByMonth(AS_OF_MS - 3_600_000, { '2026-04': 40, '2026-05': 200 })
  const earlier = comparedWith === null ? null : rowsByMonth(AS_OF_MS - 2 * 3_600_000, { '2026-04': 40 })
  return { id, mapping: { ...mapping, asked: ASKED }, past: { own, earlier, newestDay: '2026-05-20' }, comparedWith }
}
