import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changePercent, percentage, ratio } from '../../src/analytics/ratio.ts'

const counts = integer({ min: 0, max: 1_000_000_000_000 })
const few = integer({ min: 0, max: 1000 })

/** What a published number says, in hundredths; fails when it is written with more than two decimals. */
function printedHundredths(value: number): bigint {
  const found = /^(-?)(\d+)(?:\.(\d{1,2}))?$/.exec(JSON.stringify(value))
  if (found === null) throw new Error(`not at most two decimals: ${value}`)
  const [, sign, whole, decimals = ''] = found
  return BigInt(`${sign}${whole}${decimals.padEnd(2, '0')}`)
}

/** `printed` is the multiple of 1/100 nearest to `100 × numerator / denominator`; of two, the one farther from zero. */
function expectNearest(printed: bigint, numerator: bigint, denominator: bigint): void {
  const abs = (n: bigint): bigint => (n < 0n ? -n : n)
  const [n, d] = denominator < 0n ? [-numerator, -denominator] : [numerator, denominator]
  const twiceTheError = 2n * abs(n - printed * d)
  expect(twiceTheError <= d).toBe(true)
  if (twiceTheError === d) expect(abs(printed) * d > abs(n)).toBe(true)
}

describe('a ratio', () => {
  test.each([
    [201, 200, 1.01],
    [1, 3, 0.33],
    [2, 3, 0.67],
    [1, 200, 0.01],
    [1, 201, 0],
    [1005, 1000, 1.01],
    [4005, 1000, 4.01],
    [10, 5, 2],
    [0, 7, 0],
    [7, 0, 0],
    [0, 0, 0],
  ])('%i / %i = %d', (numerator, denominator, value) => {
    expect(ratio(numerator, denominator)).toBe(value)
  })

  test('is exact, rounded half away from zero, printed with at most two decimals', () => {
    for (const numbers of [counts, few])
      assert(
        property(numbers, numbers, (n, d) => {
          if (d > 0) expectNearest(printedHundredths(ratio(n, d)), 100n * BigInt(n), BigInt(d))
          else expect(ratio(n, d)).toBe(0)
        }),
      )
  })
})

describe('a percentage', () => {
  test.each([
    [1, 12, 8.33],
    [1, 800, 0.13],
    [3, 3, 100],
    [1, 3, 33.33],
    [2, 3, 66.67],
    [5, 0, 0],
  ])('%i of %i is %d', (part, whole, value) => {
    expect(percentage(part, whole)).toBe(value)
  })

  test('is exact', () => {
    for (const numbers of [counts, few])
      assert(
        property(numbers, numbers, (n, d) => {
          if (d > 0) expectNearest(printedHundredths(percentage(n, d)), 10_000n * BigInt(n), BigInt(d))
          else expect(percentage(n, d)).toBe(0)
        }),
      )
  })
})

describe('the change', () => {
  test.each([
    ['doubled', 10, 5, 100],
    ['halved', 5, 10, -50],
    ['gone', 0, 3, -100],
    ['equal', 7, 7, 0],
    ['a third more', 4, 3, 33.33],
    ['half away from zero, downwards', 799, 800, -0.13],
    ['of the published ratios, 0.3 to 0.1', 0.1, 0.3, -66.67],
    ['of the published ratios, 1.01 to 1.02', 1.02, 1.01, 0.99],
    ['from nothing: nothing to compare with', 5, 0, null],
    ['where there is no window before', 5, null, null],
  ])('%s', (_, value, previous, change) => {
    expect(changePercent(value, previous)).toBe(change)
  })

  test('is exact from the two published values', () => {
    const published = integer({ min: 0, max: 100_000_000_000 }).map((hundredths) => hundredths / 100)
    assert(
      property(published, published, (value, previous) => {
        const change = changePercent(value, previous)
        const [now, before] = [printedHundredths(value), printedHundredths(previous)]
        if (before === 0n) expect(change).toBeNull()
        else expectNearest(printedHundredths(change!), 10_000n * (now - before), before)
      }),
    )
  })

  test('is never a negative zero, which JSON would print as 0 but no equality test', () => {
    expect(Object.is(changePercent(7, 7), 0)).toBe(true)
    expect(Object.is(changePercent(99_999_999, 100_000_000), 0)).toBe(true)
  })
})
