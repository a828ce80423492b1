import { array, assert, constantFrom, integer, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { CellTally, TimeCells } from '../../src/model/time-cells.ts'
import { BOUNDED_PERIODS, bucketsOf, EARLIEST_DATE_MS, EDGES_MS } from '../../src/contract/windows.ts'
import { cellsAt, slicesAt } from '../support/counted-events.ts'

const DAY_MS = 86_400_000
const CLOCKS = [
  '2024-05-17T12:30:00Z',
  '2024-05-01T00:00:00Z',
  '2024-03-01T00:00:00.001Z',
  '2023-12-31T23:59:59.999Z',
].map((at) => Date.parse(at))
/** Of each clock, made once: the cells, and where one begins that somebody asks for. */
const ALL_CELLS = CLOCKS.flatMap((asOfMs) =>
  (['days', 'months'] as const).map((detail) => {
    const cells = new TimeCells(slicesAt(asOfMs), detail)
    // Of `months` only those of months before the days of 90d.
    const fine = (['24h', '7d', '30d', '90d'] as const).flatMap((period) => bucketsOf(period, asOfMs, null))
    const all = bucketsOf('all', asOfMs, EARLIEST_DATE_MS, detail === 'days' ? 'day' : 'month')
    const begins = [...[...fine, ...all].map(({ fromMs }) => fromMs), asOfMs].sort((a, b) => a - b)
    return { asOfMs, detail, cells, begins }
  }),
)

const cellAt = (cells: TimeCells, ms: number): number => cells.of[cells.slices.at(ms)] ?? Number.NaN
const countWithin = (times: readonly (number | null)[], fromMs: number, toMs: number): number =>
  times.filter((ms) => ms !== null && ms >= fromMs && ms < toMs).length

describe('cells', () => {
  test('are numbered from dataAsOf backwards, without a gap', () => {
    for (const { asOfMs, detail, cells } of ALL_CELLS) {
      const { slices } = cells
      const numbers = Array.from({ length: slices.length }, (_, slice) => cellAt(cells, slices.startMs(slice)))
      expect(numbers.at(-1)).toBe(0)
      expect(numbers.slice(1).filter((cell, i) => ![0, 1].includes(numbers[i]! - cell))).toEqual([])
      if (detail === 'days') expect(numbers[0]).toBe(slices.length - 1)
      expect([cellAt(cells, asOfMs - 1), cellAt(cells, EARLIEST_DATE_MS)]).toEqual([0, numbers[0]])
    }
  })

  test('by months keep one for a month before the days of 90d, and none of a part of it', () => {
    const { cells } = ALL_CELLS[1]!
    const at = (iso: string) => cellAt(cells, Date.parse(iso))
    // 90 days before is 2024-02-17: its day is the first that is counted alone.
    expect(at('2024-02-16T23:59:59.999Z')).toBe(at('2024-02-01T00:00:00Z'))
    expect(at('2024-02-17T00:00:00Z')).toBe(at('2024-02-16T00:00:00Z') - 1)
    expect(at('2024-01-31T23:59:59.999Z')).toBe(at('2024-02-01T00:00:00Z') + 1)
    // 1990-01 to 2024-01, and what is fine since.
    expect(at('1990-01-01T00:00:00Z') - at('2024-02-01T00:00:00Z')).toBe(34 * 12 + 1)
  })

  test('between two of their beginnings count the rows that are dated there', () => {
    const ages = array(option(integer({ min: 1, max: 34 * 365 * DAY_MS }), { freq: 6 }), { maxLength: 30, size: 'max' })
    const near = record({ edge: constantFrom(...EDGES_MS, DAY_MS / 24, 31 * DAY_MS), by: integer({ min: -2, max: 2 }) })
    const places = array(integer({ min: 0 }), { minLength: 2, maxLength: 8 })
    assert(
      property(constantFrom(...ALL_CELLS), ages, array(near, { maxLength: 10 }), places, (one, rowAges, edges, at) => {
        const { asOfMs, cells, begins } = one
        const times = [
          ...rowAges.map((ms) => (ms === null ? null : asOfMs - ms)),
          ...edges.map(({ edge, by }) => asOfMs - edge + by),
        ]
        const tally = new CellTally(cells)
        for (const ms of times) tally.addAt(ms)
        expect([tally.total, tally.undated]).toEqual([times.length, times.filter((ms) => ms === null).length])
        const asked = at.map((n) => begins[n % begins.length]!).sort((a, b) => a - b)
        const spans = asked.flatMap((toMs, i) => asked.slice(0, i + 1).map((fromMs) => [fromMs, toMs] as const))
        expect(spans.map(([fromMs, toMs]) => tally.within(fromMs, toMs))).toEqual(
          spans.map(([fromMs, toMs]) => countWithin(times, fromMs, toMs)),
        )
        expect(tally.between(cells.since(EARLIEST_DATE_MS), 0)).toBe(tally.total - tally.undated)
      }),
      { numRuns: 60 },
    )
  })

  test.each(['cells', 'cellsOfCategories'] as const)('of a read (%s) count what is dated in each window', (which) => {
    const near = record({ edge: constantFrom(1, ...EDGES_MS), by: integer({ min: -2, max: 2 }) })
    const rows = array(option(near, { freq: 6 }), { maxLength: 40, size: 'max' })
    assert(
      property(constantFrom(...CLOCKS), rows, (asOfMs, drawn) => {
        const times = drawn.map((row) => (row === null ? null : Math.min(asOfMs - row.edge + row.by, asOfMs - 1)))
        const tally = new CellTally(cellsAt(slicesAt(asOfMs))[which])
        for (const ms of times) tally.addAt(ms)
        for (const [i, lengthMs] of EDGES_MS.filter((_, edge) => edge % 2 === 0).entries()) {
          const fromMs = asOfMs - lengthMs
          expect(tally.inWindow(BOUNDED_PERIODS[i]!)).toEqual([
            countWithin(times, fromMs, asOfMs),
            countWithin(times, fromMs - lengthMs, fromMs),
          ])
        }
        expect(tally.inWindow('all')).toEqual([times.length, null])
      }),
      { numRuns: 60 },
    )
  })
})
