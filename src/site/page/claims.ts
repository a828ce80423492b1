// Owns which claims numbers allow: what they do not carry is not said. Pure; knows no word.

/** The highest of fewer candidates is no news, and may be so by chance. */
const ENOUGH_CANDIDATES = 5
/** A candidate with fewer ideas, votes or whatever is counted wins nothing. */
export const ENOUGH_TO_WIN = 10
/** With fewer, one more or less moves a percentage by more than 3. */
export const ENOUGH_FOR_PERCENT = 30
export const ENOUGH_FOR_MEDIAN = 5

/** The candidate with the highest value, of five or more, if no other has as much. Null = no one may be called the highest. */
export function winnerOf<T>(candidates: readonly T[], valueOf: (one: T) => number): T | null {
  const values = candidates.map(valueOf)
  const highest = values.reduce((most, value) => Math.max(most, value), -Infinity)
  const [winner = null, ...equals] = candidates.filter((_, i) => values[i] === highest)
  return candidates.length >= ENOUGH_CANDIDATES && equals.length === 0 ? winner : null
}

/** The same for counts, of which the highest must be enough. */
export function mostOf<T>(candidates: readonly T[], countOf: (one: T) => number): T | null {
  const winner = winnerOf(candidates, countOf)
  return winner !== null && countOf(winner) >= ENOUGH_TO_WIN ? winner : null
}

/**
 * @param values null = not published
 * @param partial numbers of the buckets that are not whole: none of them can be the peak
 * @returns the number of a whole bucket that none tops, whole or not, and what was counted in it
 */
export function peakOf(values: readonly (number | null)[], partial: readonly number[]) {
  const counted = values.map((value, index) => ({ index, count: value ?? 0 }))
  const whole = counted.filter(({ index }) => !partial.includes(index))
  const peak = mostOf(whole, ({ count }) => count)
  return peak !== null && counted.every(({ count }) => count <= peak.count) ? peak : null
}
