// Owns which of the known names somebody probably meant. Pure; knows no names.

/** The known name that was probably meant: the same except for case, a part of it, or up to two letters; null = none. */
export function probablyMeant(name: string, known: readonly string[]): string | null {
  const given = name.toLowerCase()
  const byDistance = known
    .map((one): [string, number] => [one, distance(given, one.toLowerCase())])
    .sort((a, b) => a[1] - b[1])
  const [best] = byDistance
  if (best !== undefined && best[1] <= (given.length < 5 ? 1 : 2)) return best[0]
  const isPart = (one: string): boolean => one.startsWith(given) || given.startsWith(one)
  return known.find((one) => given.length >= 3 && isPart(one.toLowerCase())) ?? null
}

/** How many letters must be put in, taken out, replaced or swapped with their neighbour (optimal string alignment). */
function distance(a: string, b: string): number {
  const rows: number[][] = [Array.from({ length: b.length + 1 }, (_, j) => j)]
  const at = (i: number, j: number): number => rows[i]?.[j] ?? 0
  for (let i = 1; i <= a.length; i++) {
    rows.push([i])
    for (let j = 1; j <= b.length; j++) {
      const replaced = at(i - 1, j - 1) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? at(i - 2, j - 2) + 1 : Infinity
      rows[i]?.push(Math.min(at(i - 1, j) + 1, at(i, j - 1) + 1, replaced, swapped))
    }
  }
  return at(a.length, b.length)
}
