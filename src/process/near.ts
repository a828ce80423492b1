// Owns which of some names somebody may have meant who misspelt it. Pure.

/** A word with this many letters is long. Two slips turn a shorter one into another common word: EVENT, EVERY. */
const LONG = 8

/** The name that is one slip away from `given`, or two if `given` is long, whatever its case; null = none is. */
export function nearest(given: string, names: readonly string[]): string | null {
  const most = given.length < LONG ? Math.min(1, given.length - 3) : 2
  const near = names
    .map((name) => ({ name, slips: slips(given.toLowerCase(), name.toLowerCase(), most) }))
    .filter(({ slips: n }) => n <= most)
  return near.sort((a, b) => a.slips - b.slips)[0]?.name ?? null
}

/** How many letters are added, left out, changed or swapped with the next one; beyond `most` it does not look. */
function slips(given: string, name: string, most: number): number {
  if (given === name) return 0
  if (most <= 0) return Number.POSITIVE_INFINITY
  const same = Array.from(given).findIndex((letter, i) => letter !== name[i])
  const [a, b] = [given, name].map((text) => text.slice(same < 0 ? given.length : same)) as [string, string]
  const swapped = `${a.slice(1, 2)}${a.slice(0, 1)}${a.slice(2)}`
  const ways: [string, string][] = [
    [a.slice(1), b],
    [a, b.slice(1)],
    [a.slice(1), b.slice(1)],
    [swapped, b],
  ]
  return 1 + Math.min(...ways.map(([x, y]) => slips(x, y, most - 1)))
}

/** The end of a message, which asks whether a name was meant. */
export function didYouMean(meant: string | null): string {
  return meant === null ? '' : `; did you mean ${meant}?`
}

/** The end of a message about a name that is none of those allowed. */
export function meantOf(given: string, names: readonly string[]): string {
  return didYouMean(nearest(given, names))
}
