// Owns which of some names somebody may have meant who misspelt it. Pure.

/** Letters. Two slips of a shorter word make a common one of another: EVENT, EVERY. */
const LONG = 8

/** The name that is a slip away from `given`, or two of a long one, whatever its case; null = none is. */
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

/** As the end of a message. */
export function didYouMean(meant: string | null): string {
  return meant === null ? '' : `; did you mean ${meant}?`
}

/** As the end of a message about a name that is none of those. */
export function meantOf(given: string, names: readonly string[]): string {
  return didYouMean(nearest(given, names))
}
