import { array, assert, constantFrom, integer, oneof, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DaySlices } from '../../../src/model/day-slices.ts'
import { EARLIEST_DATE_MS, EDGES_MS, WindowedTally } from '../../../src/contract/windows.ts'
import type { CopyRow } from '../../../src/source/read/copy-decoder.ts'
import { EventCounter } from '../../../src/source/read/event-counter.ts'

const DAY_MS = 86_400_000
const clocks = oneof(
  integer({ min: EARLIEST_DATE_MS + 366 * DAY_MS, max: Date.UTC(2100, 0) }),
  integer({ min: 8000, max: 40_000 }).map((day) => day * DAY_MS),
)
/** Before dataAsOf; about the edges of windows, and anywhere. */
const ages = array(
  oneof(
    constantFrom(...EDGES_MS.flatMap((edge) => [edge - 1, edge, edge + 1]), 1),
    integer({ min: 1, max: 366 * DAY_MS }),
  ),
  { maxLength: 30 },
)
/** A row of which one field has these slices. */
const rowOf = (slices: readonly number[], field = 3): CopyRow =>
  ({ numbers16: (asked: number) => (asked === field ? slices : []) }) as unknown as CopyRow

describe('the counter of events', () => {
  test('counts from the slices what each window and the one before it need', () => {
    assert(
      property(clocks, ages, integer({ min: 0, max: 5 }), (asOfMs, list, undated) => {
        const slices = new DaySlices(asOfMs)
        const tally = new WindowedTally()
        const times = list.map((age) => Math.max(asOfMs - age, EARLIEST_DATE_MS))
        for (const ms of times) tally.addAt(ms, asOfMs)
        const numbers = times.map((ms) => slices.at(ms))
        const counts = new EventCounter(slices).read(rowOf(numbers), list.length + undated, 3)
        expect(counts).toEqual({ total: list.length + undated, since: tally.since, slices: numbers })
      }),
    )
  })

  test('knows when the earliest slice of all rows began', () => {
    const slices = new DaySlices(Date.UTC(2024, 4, 17, 12, 30))
    const counter = new EventCounter(slices)
    const read = (...times: string[]) => {
      counter.read(rowOf(times.map((at) => slices.at(Date.parse(at)))), times.length + 1, 3)
      return counter.earliestMs === null ? null : new Date(counter.earliestMs).toISOString()
    }
    expect(counter.earliestMs).toBeNull()
    expect(read()).toBeNull()
    expect(read('2024-05-01T10:00:00Z', '2024-01-31T23:59:59.999Z')).toBe('2024-01-31T00:00:00.000Z')
    expect(read('2024-03-01T00:00:00Z')).toBe('2024-01-31T00:00:00.000Z')
    expect(read('1990-01-01T15:00:00Z')).toBe('1990-01-01T00:00:00.000Z')
  })
})
