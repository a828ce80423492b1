import { describe, expect, it } from 'vitest'
import type { Period } from '../../../src/contract/windows.ts'
import { historyFault, historyFaults, historyRowsOf } from '../../../src/release/checks/kinds/history.ts'

type Row = Readonly<Record<string, unknown>>

const counts = {
  totalUsers: 7,
  totalIdeas: 6,
  totalVotes: 5,
  totalComments: 4,
  launchedIdeas: 3,
  activeCategories: 2,
}
const row = (day: string, more: Row = {}): Row => ({
  date: day,
  dataAsOf: `${day}T12:00:00.000Z`,
  mapping: '0123abcd',
  ...counts,
  ...more,
})
const ROWS = [row('2023-12-01'), row('2024-02-27'), row('2024-02-28')]
const MANIFEST = {
  dataAsOf: '2024-02-28T12:00:00.000Z',
  mapping: { name: 'native', sha256: `0123abcd${'0'.repeat(56)}` },
  options: { voteWeight: 5, commentWeight: 3, topCategories: 3, people: 'exact' as const },
}
const PATH = (period: Period): string => `analytics/export/history/${period}.json`
const faults = (
  all: readonly Row[],
  others: Partial<Record<Period, readonly Row[]>> = {},
  more: object = {},
): string[] => [
  ...historyFaults(new Map([...(Object.entries(others) as [Period, readonly Row[]][]), ['all', all]]), {
    ...MANIFEST,
    ...more,
  }),
]

describe('the rows of a history', () => {
  it('are right with days that ascend', () => {
    expect(historyFault(ROWS)).toBeNull()
    expect(historyFault([])).toBeNull()
    expect(historyFault([row('2024-02-27', { totalUsers: null })])).toBeNull()
  })

  const WRONG: Readonly<Record<string, [rows: readonly Row[], fault: string]>> = {
    'a day twice': [[row('2024-02-27'), row('2024-02-27')], 'row 2: 2024-02-27 does not come after 2024-02-27'],
    'days in another order': [
      [row('2024-02-28'), row('2024-02-27')],
      'row 2: 2024-02-27 does not come after 2024-02-28',
    ],
    'a day that is that of its time nowhere': [
      [row('2024-02-27', { date: '2024-02-29' })],
      'row 1: its date is "2024-02-29"',
    ],
    'a time that is none': [[row('2024-02-27', { dataAsOf: '2024-02-27' })], 'row 1: its dataAsOf is "2024-02-27"'],
    'a time in another form': [
      [row('2024-02-27', { dataAsOf: '2024-02-27T12:00:00Z' })],
      'row 1: its dataAsOf is "2024-02-27T12:00:00Z"',
    ],
    'the last time that there is': [
      [row('2024-02-27', { dataAsOf: '+275760-09-13T00:00:00.000Z' })],
      'row 1: its dataAsOf is "+275760-09-13T00:00:00.000Z"',
    ],
    'a mapping that is none': [[row('2024-02-27', { mapping: '0123ABCD' })], 'row 1: its mapping is "0123ABCD"'],
    'a number as text': [[row('2024-02-27', { totalUsers: '7' })], 'row 1: its totalUsers is "7"'],
    'a number below 0': [[row('2024-02-27', { totalVotes: -1 })], 'row 1: its totalVotes is -1'],
    'no number': [[row('2024-02-27', { activeCategories: null })], 'row 1: its activeCategories is null'],
  }
  it.each(Object.entries(WRONG))('are wrong with %s', (_, [rows, fault]) => {
    expect(historyFault(rows)).toBe(fault)
  })

  it('are carried with the columns that this version knows, and not at all when one is wrong', () => {
    expect(historyRowsOf({ data: ROWS.map((one) => ({ ...one, later: 1 })) })).toEqual(ROWS)
    for (const data of [undefined, {}, [null], ['row'], [{ ...ROWS[0], totalIdeas: 0.5 }], [{ date: '2024-02-27' }]])
      expect(historyRowsOf({ data })).toBeNull()
    for (const document of [null, 1, 'text', []]) expect(historyRowsOf(document)).toBeNull()
  })
})

describe('the histories of a release', () => {
  it('agree with it and with one another', () => {
    expect(faults(ROWS, { '24h': ROWS.slice(1), '90d': ROWS })).toEqual([])
  })

  it('end with the row of their release', () => {
    expect(faults([])).toEqual([`${PATH('all')}: it has no row of its own release`])
    expect(faults(ROWS.slice(0, 2))).toEqual([
      `${PATH('all')}: its last row is of 2024-02-27T12:00:00.000Z, its release of 2024-02-28T12:00:00.000Z`,
    ])
    expect(faults([...ROWS, row('2024-02-29')])).toHaveLength(1)
    const shifted = [...ROWS.slice(0, 2), row('2024-02-28', { date: '2024-02-29' })]
    const notTheDay = 'which is not the day of its release in'
    expect(faults(shifted)).toEqual([`${PATH('all')}: its last row is of 2024-02-29, ${notTheDay} UTC`])
    const inKiritimati = { options: { ...MANIFEST.options, timeZone: 'Pacific/Kiritimati' } }
    expect(faults(ROWS, {}, inKiritimati)).toEqual([
      `${PATH('all')}: its last row is of 2024-02-28, ${notTheDay} Pacific/Kiritimati`,
    ])
    // Earlier rows are of the time zone of then.
    expect(faults(shifted, {}, inKiritimati)).toEqual([])
    expect(faults(ROWS, {}, { mapping: { name: 'native', sha256: 'f'.repeat(64) } })).toEqual([
      `${PATH('all')}: its last row is of mapping 0123abcd, its release of ffffffff`,
    ])
  })

  // Else every build after an update of Node.js is refused, if a day ended with a release in an hour that moved.
  it('keep the days of rules of the time zone that were corrected since', () => {
    const rows = [...ROWS.slice(0, 2), row('2024-02-28', { date: '2024-02-29' })]
    expect(faults(rows, {}, { options: { ...MANIFEST.options, timeZone: 'Pacific/Kiritimati' } })).toEqual([])
  })

  it('have in each period the rows of all time that touch it', () => {
    expect(faults(ROWS, { '24h': ROWS })).toEqual([
      `${PATH('24h')}: row 1, of 2023-12-01, is not as in the history of all time`,
    ])
    expect(faults(ROWS, { '7d': ROWS.slice(2) })).toHaveLength(1)
    expect(faults(ROWS, { '90d': [row('2023-12-01', { totalIdeas: 9 }), ...ROWS.slice(1)] })).toEqual([
      `${PATH('90d')}: row 1, of 2023-12-01, is not as in the history of all time`,
    ])
  })

  it('are not compared with rows that are wrong themselves', () => {
    const wrong = [ROWS[1]!, ROWS[1]!, ROWS[2]!]
    expect(faults(wrong, { '24h': ROWS.slice(1) })).toEqual([
      `${PATH('all')}: row 2: 2024-02-27 does not come after 2024-02-27`,
    ])
  })

  it('have people as their release publishes them, from the first row on; its own is compared with the documents', () => {
    const counted = (...users: number[]): Row[] => ROWS.map((one, i) => ({ ...one, totalUsers: users[i] }))
    const rounded = { options: { people: 'rounded' } }
    expect(faults(counted(10, 15, 7), {}, rounded)).toEqual([])
    for (const [number, rows] of [
      [1, counted(7, 15, 7)],
      [2, counted(10, 7, 7)],
    ] as const)
      expect(faults(rows, {}, rounded)).toEqual([
        `${PATH('all')}: row ${number}: its totalUsers is 7, which is not how --people rounded publishes`,
      ])
  })

  it('of a closed site have nothing to say: that they are empty is a rule of the whole release', () => {
    expect(faults([], {}, { closed: true })).toEqual([])
  })
})
