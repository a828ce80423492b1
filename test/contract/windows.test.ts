import { array, assert, constant, constantFrom, integer, oneof, property, tuple } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { BOUNDED_PERIODS, bucketsOf, countBefore, countIn, EDGES_MS, PERIODS } from '../../src/contract/windows.ts'
import { type WindowedCounts, windowOf } from '../../src/contract/windows.ts'
import { windowedCounts } from '../support/event-counts.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS
const LENGTH_MS = { '24h': DAY_MS, '7d': 7 * DAY_MS, '30d': 30 * DAY_MS, '90d': 90 * DAY_MS } as const
const FIRST_MS = new Date(0).setUTCFullYear(1, 0, 1)
const ms = (iso: string): number => Date.parse(iso)

const clocks = oneof(
  integer({ min: ms('0002-01-01T00:00:00Z'), max: ms('9999-12-31T23:59:59.999Z') }),
  integer({ min: ms('1999-01-01T00:00:00Z'), max: ms('2045-01-01T00:00:00Z') }),
  tuple(integer({ min: 0, max: 20_000 }), constantFrom(-1, 0, 1, HOUR_MS)).map(([day, by]) => day * DAY_MS + by),
)

describe('a window', () => {
  test('of P is [dataAsOf - P, dataAsOf), in days of 24 hours; of all it has no beginning', () => {
    const toMs = ms('2026-03-29T12:00:00.123Z')
    expect(PERIODS.map((period) => windowOf(period, toMs))).toEqual([
      { fromMs: ms('2026-03-28T12:00:00.123Z'), toMs },
      { fromMs: ms('2026-03-22T12:00:00.123Z'), toMs },
      { fromMs: ms('2026-02-27T12:00:00.123Z'), toMs },
      { fromMs: ms('2025-12-29T12:00:00.123Z'), toMs },
      { fromMs: null, toMs },
    ])
  })

  test('and its predecessor begin at the edges that counters are kept for', () => {
    expect(EDGES_MS.map((edgeMs) => edgeMs / DAY_MS)).toEqual([1, 2, 7, 14, 30, 60, 90, 180])
  })
})

describe('counting', () => {
  const asOfMs = ms('2026-03-01T00:00:00Z')
  const nearEdges = tuple(constantFrom(1, ...EDGES_MS), constantFrom(-1, 0, 1)).map(([edge, by]) => asOfMs - edge + by)
  const times = array(oneof(nearEdges, integer({ min: FIRST_MS, max: asOfMs - 1 }), constant(null)), { maxLength: 40 })
  const tallied = (rows: readonly (number | null)[]): WindowedCounts =>
    windowedCounts(
      rows.filter((row) => row === null || row < asOfMs),
      asOfMs,
    )
  const within = (rows: readonly (number | null)[], fromMs: number, toMs: number): number =>
    rows.filter((timeMs) => timeMs !== null && timeMs >= fromMs && timeMs < toMs).length

  test('finds in every window, and in the one before, the rows that are dated in it', () => {
    assert(
      property(times, (rows) => {
        const tally = tallied(rows)
        for (const period of BOUNDED_PERIODS) {
          const fromMs = asOfMs - LENGTH_MS[period]
          expect(countIn(tally, period)).toBe(within(rows, fromMs, asOfMs))
          expect(countBefore(tally, period)).toBe(within(rows, fromMs - LENGTH_MS[period], fromMs))
        }
      }),
    )
  })

  test('is nested: a longer window contains the shorter ones, all contains every row, dated or not', () => {
    assert(
      property(times, (rows) => {
        const counts = PERIODS.map((period) => countIn(tallied(rows), period))
        expect(counts).toEqual(counts.toSorted((a, b) => a - b))
        expect(counts.at(-1)).toBe(rows.filter((row) => row === null || row < asOfMs).length)
        expect(countBefore(tallied(rows), 'all')).toBeNull()
      }),
    )
  })
})

describe('the buckets of the users export', () => {
  test('tile the window, each begins where its hour, day or month does', () => {
    const old = oneof(integer({ min: 0, max: 800 * DAY_MS }), constant(null))
    assert(
      property(clocks, old, (asOfMs, ageMs) => {
        const earliestMs = ageMs === null ? null : Math.max(FIRST_MS, asOfMs - ageMs - 1)
        for (const period of PERIODS) {
          const fromMs = windowOf(period, asOfMs).fromMs ?? earliestMs
          const buckets = bucketsOf(period, asOfMs, earliestMs)
          expect(buckets.at(0)?.fromMs ?? null).toBe(fromMs)
          expect(buckets.at(-1)?.toMs ?? null).toBe(fromMs === null ? null : asOfMs)
          expect(buckets.slice(1).map((bucket) => bucket.fromMs)).toEqual(buckets.slice(0, -1).map((b) => b.toMs))
          const wrong = buckets.filter(
            (b, i) => b.fromMs >= b.toMs || (i === 0 ? b.startMs > b.fromMs : b.startMs !== b.fromMs),
          )
          expect(wrong).toEqual([])
          const start =
            { '24h': /T\d\d:00:00\.000Z$/, all: /-01T00:00:00\.000Z$/ }[period as string] ?? /T00:00:00\.000Z$/
          expect(buckets.filter(({ startMs }) => !start.test(new Date(startMs).toISOString()))).toEqual([])
        }
      }),
    )
  })

  test.each([
    ['inside an hour', '2026-05-20T09:30:00.000Z', [25, 8, 31, 91]],
    ['a millisecond after the hour', '2026-05-20T09:00:00.001Z', [25, 8, 31, 91]],
    ['on the hour', '2026-05-20T09:00:00.000Z', [24, 8, 31, 91]],
    ['at midnight, where the window is made of full days', '2026-05-20T00:00:00.000Z', [24, 7, 30, 90]],
    ['a millisecond before midnight', '2026-05-19T23:59:59.999Z', [25, 8, 31, 91]],
  ])('%s', (_, asOf, counts) => {
    expect(BOUNDED_PERIODS.map((period) => bucketsOf(period, ms(asOf), null).length)).toEqual(counts)
  })

  const months = (asOf: string, earliest: string): string[] =>
    bucketsOf('all', ms(asOf), ms(earliest)).map(({ startMs }) => new Date(startMs).toISOString().slice(0, 10))
  test.each([
    [
      'begin with the earliest row',
      '2026-01-01T00:00:00.001Z',
      '2025-11-30T23:59:59.999Z',
      ['2025-11-01', '2025-12-01', '2026-01-01'],
    ],
    ['end before a month that begins at dataAsOf', '2026-02-01T00:00:00.000Z', '2026-01-31T00:00:00Z', ['2026-01-01']],
    ['a leap year', '2028-03-01T00:00:00.001Z', '2028-02-29T12:00:00Z', ['2028-02-01', '2028-03-01']],
    ['a century without a leap day', '1900-03-01T00:00:00.001Z', '1900-02-28T12:00:00Z', ['1900-02-01', '1900-03-01']],
    ['before 1970', '1969-12-31T23:59:59.999Z', '1969-12-01T00:00:00Z', ['1969-12-01']],
    ['the year 1, not 1901', '0001-03-01T00:00:00Z', '0001-01-01T00:00:00Z', ['0001-01-01', '0001-02-01']],
    ['the years 99 and 100', '0100-01-01T00:00:00.001Z', '0099-12-31T00:00:00Z', ['0099-12-01', '0100-01-01']],
  ])('months %s', (_, asOf, earliest, starts) => {
    expect(months(asOf, earliest)).toEqual(starts)
  })

  test('months since the year 1 are all there', () => {
    expect(months('2026-05-20T09:30:00Z', '0001-01-01T00:00:00Z')).toHaveLength(2025 * 12 + 5)
  })

  test('of all by day are the days since the earliest row', () => {
    const days = bucketsOf('all', ms('2028-03-01T00:00:00.001Z'), ms('2028-02-28T12:00:00Z'), 'day')
    expect(days.map(({ fromMs, toMs }) => [new Date(fromMs).toISOString(), new Date(toMs).toISOString()])).toEqual([
      ['2028-02-28T12:00:00.000Z', '2028-02-29T00:00:00.000Z'],
      ['2028-02-29T00:00:00.000Z', '2028-03-01T00:00:00.000Z'],
      ['2028-03-01T00:00:00.000Z', '2028-03-01T00:00:00.001Z'],
    ])
    expect(days[0]?.startMs).toBe(ms('2028-02-28T00:00:00Z'))
  })

  test('there are no months without a dated row', () => {
    expect(bucketsOf('all', ms('2026-05-20T09:30:00Z'), null)).toEqual([])
  })
})
