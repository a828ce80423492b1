import { assert, constantFrom, integer, nat, property } from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  PEOPLE_MODES,
  peopleBuckets,
  peopleTime,
  publishedCount,
  publishedTotalUsers,
} from '../../src/contract/people.ts'
import { BOUNDED_PERIODS, bucketsOf, PERIODS } from '../../src/contract/windows.ts'

const DAY_MS = 86_400_000
const people = nat(100_000)
const mode = constantFrom(...PEOPLE_MODES)

describe('a count of people', () => {
  it('is rounded so', () => {
    const rounded = Array.from({ length: 24 }, (_, count) => publishedCount(count, 'rounded'))
    const few = Array.from({ length: 7 }, () => null)
    expect(rounded).toEqual([0, ...few, 10, 10, 10, 10, 10, 15, 15, 15, 15, 15, 20, 20, 20, 20, 20, 25])
    expect(publishedCount(1_234_567, 'rounded')).toBe(1_234_565)
    expect(publishedCount(1_234_568, 'rounded')).toBe(1_234_570)
  })

  it('is itself when exact, and nothing when off', () => {
    assert(
      property(people, (count) => {
        expect(publishedCount(count, 'exact')).toBe(count)
        expect(publishedCount(count, 'off')).toBeNull()
      }),
    )
  })

  it('rounded is nearest, never falls as the count grows, and moves in steps of 5', () => {
    assert(
      property(integer({ min: 8, max: 1_000_000 }), (count) => {
        const value = publishedCount(count, 'rounded') ?? Number.NaN
        expect(value % 5).toBe(0)
        expect(Math.abs(value - count)).toBeLessThanOrEqual(2)
        expect([0, 5]).toContain((publishedCount(count + 1, 'rounded') ?? Number.NaN) - value)
      }),
    )
  })

  it('published once is published again unchanged, and no mode tells more than the one before', () => {
    assert(
      property(people, mode, (count, first) => {
        const once = publishedCount(count, first)
        expect(publishedCount(once, first)).toBe(once)
        expect(publishedCount(once, 'exact')).toBe(once)
        expect(publishedCount(once, 'off')).toBeNull()
        expect(publishedCount(once, 'rounded')).toBe(first === 'off' ? null : publishedCount(count, 'rounded'))
      }),
    )
  })

  it('in stats is always a number: 5 for 1 to 7', () => {
    for (const how of ['rounded', 'off'] as const)
      expect([0, 1, 4, 7, 8, 12, 13].map((count) => publishedTotalUsers(count, how))).toEqual([0, 5, 5, 5, 10, 10, 15])
    expect([0, 1, 7, 13].map((count) => publishedTotalUsers(count, 'exact'))).toEqual([0, 1, 7, 13])
  })
})

describe('the time of numbers of people', () => {
  const instant = integer({ min: Date.UTC(1991, 0), max: Date.UTC(2199, 0) })

  it('is dataAsOf when exact, else the midnight at or before it', () => {
    expect(peopleTime('exact', 12_345_678_901).asOfMs).toBe(12_345_678_901)
    for (const how of ['rounded', 'off'] as const) {
      expect(peopleTime(how, Date.UTC(2024, 1, 29, 23, 59, 59, 999)).asOfMs).toBe(Date.UTC(2024, 1, 29))
      expect(peopleTime(how, Date.UTC(2024, 2, 1)).asOfMs).toBe(Date.UTC(2024, 2, 1))
    }
  })

  it('has full days as buckets, which fill the window, one in 24h', () => {
    assert(
      property(instant, constantFrom('rounded', 'off'), (ms, how) => {
        const time = peopleTime(how, ms)
        for (const [i, period] of BOUNDED_PERIODS.entries()) {
          const buckets = peopleBuckets(period, time, null)
          expect(buckets).toHaveLength([1, 7, 30, 90][i] ?? 0)
          expect(buckets.filter(({ startMs, fromMs, toMs }) => startMs !== fromMs || toMs - fromMs !== DAY_MS)).toEqual(
            [],
          )
          expect(buckets.at(-1)?.toMs).toBe(time.asOfMs)
        }
      }),
    )
  })

  it('has the buckets of all other exports when exact', () => {
    assert(
      property(instant, constantFrom(...PERIODS), (ms, period) => {
        expect(peopleBuckets(period, peopleTime('exact', ms), ms - DAY_MS)).toEqual(bucketsOf(period, ms, ms - DAY_MS))
      }),
    )
  })
})
