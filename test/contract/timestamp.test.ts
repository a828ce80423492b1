import { assert, integer, oneof, property } from 'fast-check'
import { expect, test } from 'vitest'
import { formatTimestamp } from '../../src/contract/timestamp.ts'

const LAST_MS = 8.64e15
const YEAR_1 = new Date(0).setUTCFullYear(1, 0, 1)
const inYears = integer({ min: YEAR_1, max: Date.UTC(9999, 11, 31, 23, 59, 59, 999) })

test('it is what Date writes, at any time that a Date can have', () => {
  const around = integer({ min: -2 * 86_400_000, max: 2 * 86_400_000 })
  assert(
    property(oneof(around, inYears, integer({ min: -LAST_MS, max: LAST_MS })), (timeMs) => {
      expect(formatTimestamp(timeMs)).toBe(new Date(timeMs).toISOString())
    }),
    { numRuns: 2000, examples: [[LAST_MS], [-LAST_MS], [0], [-1], [YEAR_1 - 1]] },
  )
})

test('more days than are kept', () => {
  const times = Array.from({ length: 25_000 }, (_, day) => day * 86_400_000 + day)
  expect(times.filter((ms) => formatTimestamp(ms) !== new Date(ms).toISOString())).toEqual([])
})

test('what is no time is none', () => {
  for (const timeMs of [Number.NaN, Number.POSITIVE_INFINITY, LAST_MS + 86_400_000, -LAST_MS - 1])
    expect(() => formatTimestamp(timeMs)).toThrow(RangeError)
})
