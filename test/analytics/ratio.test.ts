import { assert, integer, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { changePercent, percentage, quotient } from '../../src/analytics/ratio.ts'

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

test.each([
  ['a ratio', quotient, 100n],
  ['a percentage', percentage, 10_000n],
] as const)('%s is exact, rounded half away from zero, printed with at most two decimals', (_, of, hundredths) => {
  for (const numbers of [counts, few])
    assert(
      property(numbers, numbers, (n, d) => {
        if (d > 0) expectNearest(printedHundredths(of(n, d)), hundredths * BigInt(n), BigInt(d))
        else expect(of(n, d)).toBe(0)
      }),
      { examples: [[201, 200]] },
    )
  expect(of(7, 0)).toBe(0)
})

describe('the change', () => {
  test('is exact from the two published values, and none where there is nothing to compare with', () => {
    const published = integer({ min: 0, max: 100_000_000_000 }).map((hundredths) => hundredths / 100)
    assert(
      property(published, published, (value, previous) => {
        const change = changePercent(value, previous)
        const [now, before] = [printedHundredths(value), printedHundredths(previous)]
        if (before === 0n) expect(change).toBeNull()
        else expectNearest(printedHundredths(change!), 10_000n * (now - before), before)
      }),
      { examples: [[799, 800]] },
    )
    expect([changePercent(5, 0), changePercent(5, null)]).toEqual([null, null])
  })

  test('is never a negative zero, which JSON would print as 0 but no equality test', () => {
    expect(Object.is(changePercent(7, 7), 0)).toBe(true)
    expect(Object.is(changePercent(99_999_999, 100_000_000), 0)).toBe(true)
  })
})
