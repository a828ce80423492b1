// The rows of the history, from release to release and in each period: src/analytics/kinds.ts, src/contract/kinds/history.ts.
import { array, assert, boolean, constantFrom, integer, property, record } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { historyRows, type DocumentData } from '../../src/analytics/kinds.ts'
import { historyIn, type HistoryRow } from '../../src/contract/kinds/history.ts'
import type { StatsDocument } from '../../src/contract/kinds/stats.ts'
import { PEOPLE_MODES, type PeopleMode } from '../../src/contract/people.ts'
import { UTC } from '../../src/contract/time-zone.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { historyFault } from '../../src/release/checks/kinds/history.ts'

const HOUR_MS = 3_600_000
const BEGIN_MS = Date.parse('2024-02-27T00:00:00.000Z')
const SHA256 = `0123abcd${'f'.repeat(56)}`

function stats(ideas: number): StatsDocument {
  return {
    stats: { totalUsers: 7, totalIdeas: ideas, totalVotes: 5, totalComments: 4, launchedIdeas: 3, activeCategories: 2 },
    metrics: { avgVotesPerIdea: 0, avgCommentsPerIdea: 0, launchSuccessRate: 0 },
    topCategories: [],
  }
}
/** The rows of a release after earlier ones. */
function rowsOf(earlier: readonly HistoryRow[], asOfMs: number, ideas = 6, mode: PeopleMode = 'exact'): HistoryRow[] {
  const history = { earlier, mappingSha256: SHA256 }
  const data = { history, stats: stats(ideas), people: { accounts: 7 }, asOfMs, mode, zone: UTC }
  return historyRows(data as unknown as DocumentData)
}
const at = (time: string): HistoryRow => rowsOf([], Date.parse(time))[0] as HistoryRow
const dates = (rows: readonly HistoryRow[]): string[] => rows.map(({ date }) => date)

describe('a row', () => {
  it('is what its release publishes, on the UTC day of dataAsOf', () => {
    expect(JSON.stringify(at('2024-02-28T23:59:59.999Z'))).toBe(
      '{"date":"2024-02-28","dataAsOf":"2024-02-28T23:59:59.999Z","mapping":"0123abcd","totalUsers":7,"totalIdeas":6,"totalVotes":5,"totalComments":4,"launchedIdeas":3,"activeCategories":2}',
    )
  })
})

describe('the rows of the next release', () => {
  it('have none of a later day', () => {
    const ahead = [at('2024-02-27T10:00:00.000Z'), at('2024-03-09T10:00:00.000Z')]
    const own = at('2024-02-28T10:00:00.000Z')
    expect(rowsOf(ahead, Date.parse(own.dataAsOf))).toEqual([ahead[0], own])
  })

  it('never change an earlier row, and have each day once, whatever is published when', () => {
    const releases = array(record({ afterHours: integer({ min: 0, max: 60 }), published: boolean() }), {
      maxLength: 80,
    })
    assert(
      property(releases, (steps) => {
        let rows: readonly HistoryRow[] = []
        let timeMs = BEGIN_MS
        const last = new Map<string, HistoryRow>()
        for (const [i, { afterHours, published }] of steps.entries()) {
          timeMs += afterHours * HOUR_MS
          const [own] = rowsOf([], timeMs, i) as [HistoryRow]
          const next = rowsOf(rows, timeMs, i)
          expect(historyFault(next.map((row) => ({ ...row })))).toBeNull()
          expect(next.at(-1)).toEqual(own)
          if (!published) continue
          rows = next
          last.set(own.date, own)
          expect(rows).toEqual([...last.values()])
        }
      }),
    )
  })
})

describe('rows that are published again', () => {
  const people = (totalUsers: number | null): HistoryRow => ({ ...at('2024-02-28T10:00:00.000Z'), totalUsers })
  const publishAgain = (rows: readonly HistoryRow[], mode: PeopleMode) =>
    rowsOf(rows, Date.parse('2024-02-29T10:00:00.000Z'), 6, mode).slice(0, -1)
  const again = (rows: readonly HistoryRow[], mode: PeopleMode) =>
    publishAgain(rows, mode).map(({ totalUsers }) => totalUsers)

  it('change in nothing but their people, and where the mode is the same in nothing', () => {
    const rows = [people(0), people(7), people(8), people(1234)]
    expect(publishAgain(rows, 'exact')).toEqual(rows)
    const rounded = publishAgain(rows, 'rounded')
    expect(rounded).toEqual([people(0), people(null), people(10), people(1235)])
    expect(publishAgain(rounded, 'rounded')).toEqual(rounded)
    expect(JSON.stringify(rounded[2])).toBe(JSON.stringify(people(10)))
  })

  it('do not bring back what was not published', () => {
    const rows = [people(0), people(7), people(8)]
    expect(again(publishAgain(rows, 'rounded'), 'exact')).toEqual([0, null, 10])
    for (const mode of PEOPLE_MODES) expect(again(publishAgain(rows, 'off'), mode)).toEqual([null, null, null])
  })
})

describe('a period', () => {
  const rows = [
    at('2024-01-01T12:00:00.000Z'),
    at('2024-02-26T12:00:00.000Z'),
    at('2024-02-27T12:00:00.000Z'),
    at('2024-02-28T12:00:00.000Z'),
  ]

  it('has the rows whose day its window touches', () => {
    const asOfMs = Date.parse('2024-02-28T12:00:00.000Z')
    expect(dates(historyIn(rows, '24h', asOfMs))).toEqual(['2024-02-27', '2024-02-28'])
    expect(dates(historyIn(rows, '7d', asOfMs))).toEqual(dates(rows).slice(1))
    expect(historyIn(rows, '90d', asOfMs)).toEqual(rows)
    expect(historyIn(rows, 'all', asOfMs)).toEqual(rows)
  })

  it('has the day of dataAsOf also at midnight, when it begins, and not the one that ends where the window begins', () => {
    const midnight = at('2024-02-29T00:00:00.000Z')
    expect(dates(historyIn([...rows, midnight], '24h', Date.parse(midnight.dataAsOf)))).toEqual([
      '2024-02-28',
      '2024-02-29',
    ])
  })

  it('has its last row always', () => {
    assert(
      property(constantFrom(...PERIODS), integer({ min: 0, max: 1e12 }), (period, ms) => {
        const [own] = rowsOf([], BEGIN_MS + ms) as [HistoryRow]
        expect(historyIn([own], period, BEGIN_MS + ms)).toEqual([own])
      }),
    )
  })
})
