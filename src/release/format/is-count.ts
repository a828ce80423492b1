// Owns what a number of rows is. Pure.

/** NaN and fractions are none: they would pass every comparison, or no sum. */
export function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}
