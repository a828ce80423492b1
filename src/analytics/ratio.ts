// Owns exact ratios: two decimals, rounded half away from zero, from integers. Never a binary product.

/** Hundredths of `numerator / denominator`, rounded half away from zero; 0 where the denominator is 0. */
function hundredths(numerator: bigint, denominator: bigint): bigint {
  if (denominator === 0n) return 0n
  const negative = numerator < 0n !== denominator < 0n
  const n = (numerator < 0n ? -numerator : numerator) * 200n
  const d = denominator < 0n ? -denominator : denominator
  const rounded = (n + d) / (2n * d)
  return negative ? -rounded : rounded
}

// A quotient of two integers below 2^53 is correctly rounded, so it is the double nearest to the decimal and prints as it.
function fromHundredths(value: bigint): number {
  return Number(value) / 100
}

/** `numerator / denominator`: 201/200 = 1.01. */
export function ratio(numerator: number, denominator: number): number {
  return fromHundredths(hundredths(BigInt(numerator), BigInt(denominator)))
}

export function percentage(part: number, whole: number): number {
  return fromHundredths(hundredths(BigInt(part) * 100n, BigInt(whole)))
}

/** The change from one published value to another in percent; null where there is nothing to compare with. */
export function changePercent(value: number | null, previous: number | null): number | null {
  if (value === null || previous === null || previous === 0) return null
  const now = BigInt(Math.round(value * 100))
  const before = BigInt(Math.round(previous * 100))
  return fromHundredths(hundredths((now - before) * 100n, before))
}
