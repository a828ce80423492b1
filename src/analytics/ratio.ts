// Owns exact ratios: two decimals, rounded half away from zero, from integers. Never a binary product.

/** `numerator / denominator`, rounded half away from zero; 0 where the denominator, which is never below 0, is 0. */
function rounded(numerator: bigint, denominator: bigint): number {
  if (denominator === 0n) return 0
  const half = numerator < 0n ? -denominator : denominator
  // A division of integers cuts towards zero. A quotient of two integers below 2^53 is correctly rounded, so it is the double
  // nearest to the decimal and prints as it.
  return Number((numerator * 200n + half) / (2n * denominator)) / 100
}

/** `numerator / denominator`: 201/200 = 1.01. */
export function quotient(numerator: number, denominator: number): number {
  return rounded(BigInt(numerator), BigInt(denominator))
}

export function percentage(part: number, whole: number): number {
  return rounded(BigInt(part) * 100n, BigInt(whole))
}

/** The change from one published value to another in percent; null where there is nothing to compare with. */
export function changePercent(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null
  const now = BigInt(Math.round(value * 100))
  const before = BigInt(Math.round(previous * 100))
  return rounded((now - before) * 100n, before)
}
