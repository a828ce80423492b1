import { assert, constantFrom, integer, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { revisionReasons, revisionsSince } from '../../../src/builder/past/revision.ts'
import {
  COUNTED_RELATIONS,
  cutOf,
  type CountedRelation,
  type MonthlyRows,
  type RowsByMonth,
} from '../../../src/model/rows-by-month.ts'
import { MONTH_STARTS } from '../../release/kept-sample.ts'
import { revisionsOf } from './revisions-of.ts'

const CUT_MS = Date.UTC(2026, 4, 20, 9, 30)
const NOTHING: MonthlyRows = { undated: 0, months: {} }

function past(
  relations: Partial<Record<CountedRelation, MonthlyRows['months'] | MonthlyRows>>,
  beforeMs = CUT_MS,
): RowsByMonth {
  const whole = COUNTED_RELATIONS.map((relation) => {
    const given = relations[relation] ?? NOTHING
    return [relation, 'undated' in given && 'months' in given ? given : { undated: 0, months: given }]
  })
  return {
    beforeMs,
    relations: Object.fromEntries(whole) as RowsByMonth['relations'],
    monthStarts: MONTH_STARTS,
    sample: [],
  }
}

const reasons = (then: RowsByMonth, now: RowsByMonth, maxPercent = 10): string[] =>
  revisionReasons(revisionsOf(then, now, CUT_MS), maxPercent)

describe('a revision', () => {
  const RULES: readonly [
    what: string,
    then: MonthlyRows['months'],
    now: MonthlyRows['months'],
    percent: number,
    passes: boolean,
  ][] = [
    ['a new month that is before the cut, 10 %', { '2026-01': 1_000 }, { '2026-01': 1_000, '2026-02': 100 }, 10, true],
    ['20 rows of 21 gone', { '2026-01': 21 }, { '2026-01': 1 }, 10, true],
    ['21 rows of 22 gone', { '2026-01': 22 }, { '2026-01': 1 }, 10, false],
    ['4 rows of 4 gone', { '2026-01': 4 }, {}, 10, true],
    ['5 rows of 5 gone', { '2026-01': 5 }, {}, 10, false],
    ['5 rows of 5 gone, 100 % allowed', { '2026-01': 5 }, {}, 100, true],
    ['10 rows doubled', { '2026-01': 10 }, { '2026-01': 20 }, 10, true],
    ['21 old rows where there were none', {}, { '2019-01': 21 }, 100, false],
    ['doubled, 100 % allowed', { '2026-01': 80 }, { '2026-01': 160 }, 100, true],
    ['a month of 100 rows with half of them more', { '2026-01': 100, '2025-01': 9_000 }, { '2026-01': 150, '2025-01': 9_000 }, 10, true],
    ['a month of 100 rows with over half more', { '2026-01': 100, '2025-01': 9_000 }, { '2026-01': 151, '2025-01': 9_000 }, 10, false],
    ['a month of 100 rows with over half less', { '2026-01': 100, '2025-01': 9_000 }, { '2026-01': 49, '2025-01': 9_000 }, 100, false],
    ['a month of 99 rows gone', { '2026-01': 99, '2025-01': 9_000 }, { '2025-01': 9_000 }, 10, true],
  ] // prettier-ignore
  it.each(RULES)('%s: passes or not', (_, then, now, percent, passes) => {
    for (const relation of COUNTED_RELATIONS) {
      const found = reasons(past({ [relation]: then }), past({ [relation]: now }), percent)
      expect(found, relation).toHaveLength(passes ? 0 : 1)
    }
  })

  it('is too large exactly when it is more than the percentage, and more than 20 rows or all of 5 or more', () => {
    assert(
      property(
        constantFrom(...COUNTED_RELATIONS),
        // Months under 100 rows: only the percentage decides.
        nat(99),
        nat(99),
        nat(500),
        integer({ min: 0, max: 100 }),
        (relation, a, b, c, max) => {
          const found = reasons(
            past({ [relation]: { '2026-01': a, '2026-02': b } }),
            past({ [relation]: { '2026-02': c } }),
            max,
          )
          const rows = a + Math.abs(b - c)
          const isGone = a + b >= 5 && c === 0
          expect(found.length > 0).toBe((rows > 20 || isGone) && rows * 100 > max * (a + b))
        },
      ),
    )
  })

  it('names relation, size and months', () => {
    const then = { '2026-01': 1_000, '2026-02': 2_000, '2026-03': 30, '2026-04': 40, '2026-05': 5 }
    const doubled = Object.fromEntries(Object.entries(then).map(([month, rows]) => [month, 2 * rows]))
    const ideas = { '2026-01': 500 }
    expect(reasons(past({ votes: then, ideas }), past({ votes: doubled, ideas: { '2026-01': 400 } }))).toEqual([
      'ideas: the past changed by 100 of 500 rows (20.0 %, allowed 10 %): 2026-01 500 to 400',
      'votes: the past changed by 3,075 of 3,075 rows (100.0 %, allowed 10 %): 2026-02 2,000 to 4,000, 2026-01 1,000 to 2,000, 2026-04 40 to 80 and 2 more; is it an import, a purge, or a condition or join of the mapping? If it is correct, build once with --accept-revision',
    ])
    expect(
      reasons(past({ users: { '2026-01': 100, '2025-01': 9_000 } }), past({ users: { '2025-01': 9_003 } })),
    ).toEqual([
      'users: the past changed by 103 of 9,100 rows (1.2 %), but a month of 100 or more by over half: 2026-01 100 to 0; is it an import, a purge, or a condition or join of the mapping? If it is correct, build once with --accept-revision',
    ])
  })
})

describe('rows without a date', () => {
  const votes = (undated: number, dated = 0): RowsByMonth =>
    past({ votes: { undated, months: dated === 0 ? {} : { '2026-01': dated } } })

  it('may become more where no row has a date: votes that are kept as a counter', () => {
    expect(reasons(votes(1_000), votes(2_000))).toEqual([])
    expect(reasons(votes(1_000, 1), votes(9_000))).toHaveLength(1)
    expect(reasons(votes(1_000), votes(9_000, 1))).toHaveLength(1)
    expect(reasons(votes(1_000, 1), votes(9_000, 1))).toEqual([expect.stringContaining(': undated 1,000 to 9,000;')])
  })

  it('may not be more than twice as many and over 1,000 more, whatever is allowed', () => {
    for (const dated of [0, 100_000])
      for (const [was, is, passes] of [
        [1_000, 2_001, false],
        [1_001, 2_002, true],
        [900, 1_900, true],
        [0, 1_000, true],
        [0, 1_001, false],
        [5_000, 10_000, true],
        [5_000, 10_001, false],
      ] as const)
        expect(reasons(votes(was, dated), votes(is, dated), 100), `${was} to ${is} beside ${dated}`).toHaveLength(
          passes ? 0 : 1,
        )
    expect(reasons(votes(0, 100_000), votes(1_001, 100_000))).toEqual([
      expect.stringMatching(
        /^votes: .* \(1\.1 %\), but those without a date more than doubled: undated 0 to 1,001; is it/,
      ),
    ])
  })

  it('may not become fewer', () => {
    expect(reasons(votes(1_000), votes(900))).toEqual([])
    expect(reasons(votes(1_000), votes(899))).toHaveLength(1)
    expect(reasons(votes(1_000, 5), votes(899, 5))).toHaveLength(1)
    expect(reasons(votes(100, 9_000), votes(49, 9_000)), 'no month').toEqual([])
  })
})

describe('a standby that is further behind than the last one was', () => {
  const then = past({ votes: { '2026-04': 1_000, '2026-05': 500 }, users: { undated: 50, months: {} } })
  const seen = (seenMs: number, now: RowsByMonth): string[] => revisionReasons(revisionsOf(then, now, seenMs), 10)

  it('may lack rows of months that it has not seen whole, and undated ones', () => {
    const now = past({ votes: { '2026-04': 1_000 } })
    expect(seen(Date.UTC(2026, 4, 1), now)).toEqual([])
    expect(seen(CUT_MS - 1, now)).toEqual([])
    expect(seen(CUT_MS, now)).toHaveLength(2)
  })

  it('may not lack rows of earlier months, nor have more of any', () => {
    const users = { undated: 50, months: {} }
    expect(seen(Date.UTC(2026, 4, 1), past({ users, votes: { '2026-05': 500 } }))).toHaveLength(1)
    expect(seen(Date.UTC(2026, 4, 1) - 1, past({ users, votes: { '2026-05': 500 } }))).toEqual([])
    expect(seen(Date.UTC(2026, 4, 1) - 1, past({ users, votes: { '2026-04': 1_000, '2026-05': 1_000 } }))).toHaveLength(
      1,
    )
  })
})

describe('what is compared', () => {
  const kept = past({ ideas: { '2026-05': 30 } })
  const read = { own: past({}, CUT_MS + 3_600_000), newestDay: null }

  it('is nothing without the counts of the same instant', () => {
    expect(revisionsSince(kept, { ...read, earlier: null })).toBeNull()
    expect(revisionsSince(kept, { ...read, earlier: past({}, CUT_MS - 1) })).toBeNull()
    expect(revisionsSince(kept, { ...read, earlier: kept })?.map(({ rows }) => rows)).toEqual(Array(12).fill(0))
  })
})

describe('months that begin at other instants', () => {
  const elsewhere = (now: RowsByMonth): RowsByMonth => ({ ...now, monthStarts: MONTH_STARTS + 1 })
  const then = past({ votes: { '2026-03': 600, '2026-04': 400 }, activeUsers: { '2026-03': 90 } })

  it('are compared as one sum, and people who were active in one not at all', () => {
    const same = elsewhere(past({ votes: { '2026-03': 100, '2026-04': 900 }, activeUsers: { '2026-03': 9 } }))
    expect(revisionsOf(then, same, CUT_MS).flatMap(({ relation, rows }) => (rows > 0 ? [relation] : []))).toEqual([])
    expect(revisionsOf(then, same, CUT_MS).map(({ relation }) => relation)).not.toContain('activeUsers')
    expect(reasons(then, elsewhere(past({ votes: { '2026-03': 100, '2026-04': 700 } })))).toEqual([
      expect.stringMatching(
        /^votes: the past changed by 200 of 1,000 rows \(20\.0 %, allowed 10 %\): all months 1,000 to 800; is it/,
      ),
    ])
    expect(reasons(then, elsewhere(past({ votes: { '2026-03': 1_900 } })))).toHaveLength(1)
  })

  it('may lack rows where the standby is further behind', () => {
    const now = elsewhere(past({ votes: { '2026-03': 500 } }))
    expect(revisionReasons(revisionsOf(then, now, CUT_MS - 1), 10)).toEqual([])
    expect(revisionReasons(revisionsOf(then, now, CUT_MS), 10)).toHaveLength(1)
  })
})

describe('people who were active', () => {
  it('are compared where both builds counted them', () => {
    const [some, none] = [past({ activeUsers: { '2026-03': 90 } }), past({})]
    const off = { ...none, relations: { ...none.relations, activeUsers: null } }
    expect(reasons(some, none)).toEqual([expect.stringMatching(/^active people: the past changed by 90 of 90/)])
    expect(reasons(some, off)).toEqual([])
    expect(reasons(off, some)).toEqual([])
  })
})

describe('a list of reasons', () => {
  it('says what to do behind the last one that a line of the log shows', () => {
    const all = past(Object.fromEntries(COUNTED_RELATIONS.map((relation) => [relation, { '2026-03': 900 }])))
    const found = reasons(all, past({}))
    expect(found.map((one) => one.endsWith('--accept-revision'))).toEqual([false, false, false, false, true, false])
  })
})

describe('the cut', () => {
  it('leaves an hour for transactions that commit late, twice the lag, a day for a lag that is unknown', () => {
    const before = (standby: boolean, replayLagMs: number | null): number =>
      (CUT_MS - cutOf(CUT_MS, { standby, replayLagMs })) / 60_000
    expect(before(false, null)).toBe(60)
    expect(before(true, 0)).toBe(60)
    expect(before(true, 30 * 60_000)).toBe(60)
    expect(before(true, 31 * 60_000)).toBe(62)
    expect(before(true, null)).toBe(24 * 60)
  })
})
