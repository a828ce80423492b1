// Owns whether a name given to init was probably meant for a built-in mapping, and which. Knows no text of a mapping.
import { builtInMappings } from './mapping.ts'

/**
 * Why nothing is written under a name; null = it is the name of a built-in mapping, or was chosen on purpose.
 * @param isChosen the file to write was given, too
 */
export function whyNotThisName(name: string, isChosen: boolean): string | null {
  const known = builtInMappings()
  if (known.includes(name)) return null
  const near = probablyMeant(name, known)
  const none = `there is no built-in mapping "${name}"`
  if (near !== null) return `${none}; did you mean ${near}? There are: ${known.join(', ')}`
  return isChosen
    ? null
    : `${none}; there are: ${known.join(', ')}. For the template under that name give --output too: analytics-build init ${name} --output ${name}.sql`
}

/** The known name that was probably meant: the same except for case, a part of it, or up to two letters. */
function probablyMeant(name: string, known: readonly string[]): string | null {
  const given = name.toLowerCase()
  const byDistance = known.map((one): [string, number] => [one, distance(given, one)]).sort((a, b) => a[1] - b[1])
  const [best] = byDistance
  if (best !== undefined && best[1] <= (given.length < 5 ? 1 : 2)) return best[0]
  return known.find((one) => given.length >= 3 && (one.startsWith(given) || given.startsWith(one))) ?? null
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
