// Owns telling categories that were renamed, merged or split from ideas that are in other ones. Pure: hashes of names in and out.

/** The categories that an idea was in, and is in. */
export type Categories = readonly [was: readonly number[], is: readonly number[]]

type NamesOf = (idea: Categories) => number[]

/** What became of a category. */
export interface CategoryChange {
  readonly kind: 'renamed' | 'merged' | 'split'
  readonly from: number
  /** Where its ideas are now. */
  readonly into: readonly number[]
}

/** A category that is another one now, by published names. */
export interface NamedChange extends Pick<CategoryChange, 'kind'> {
  readonly from: string
  readonly into: readonly string[]
}

/** A category with more parts than that was not split: a column was confused with another. */
const MOST_PARTS = 10

export interface CategoryChanges {
  readonly changes: readonly CategoryChange[]
  /** How many ideas are in other categories than these explain. */
  readonly moved: number
}

/**
 * A name that is gone became the one that most of its ideas got, and a new one comes from the one that most of its ideas lost. Where
 * more than half of all names were merged or split, or one is left of several, that is no change of categories but damage.
 */
export function categoryChanges(ideas: readonly Categories[]): CategoryChanges {
  const [had, has] = [0, 1].map((at) => new Set(ideas.flatMap((idea) => idea[at] ?? []))) as [Set<number>, Set<number>]
  const lost = ([was, is]: Categories): number[] => was.filter((name) => !is.includes(name))
  const gained = ([was, is]: Categories): number[] => is.filter((name) => !was.includes(name))
  const heirs = mostOf(ideas, [lost, gained, 1], (name) => !has.has(name))
  const origins = mostOf(ideas, [gained, lost, 0], (name) => !had.has(name))
  const links = new Map<number, Set<number>>()
  for (const [name, heir] of [...heirs, ...[...origins].map(([part, whole]) => [whole, part] as const)])
    links.set(name, (links.get(name) ?? new Set()).add(heir))
  const all = [...links].map(([from, into]): CategoryChange => {
    const [only = 0] = into
    const isSplit = into.size > 1 || has.has(from)
    const isAlone = !had.has(only) && [...links.values()].filter((others) => others.has(only)).length === 1
    const kind = isSplit ? 'split' : isAlone ? 'renamed' : 'merged'
    return { kind, from, into: [...(has.has(from) ? [from] : []), ...into] }
  })
  const others = all.filter(({ kind }) => kind !== 'renamed')
  const isDamage = 2 * others.length > had.size || has.size < 2 || others.some(({ into }) => into.length > MOST_PARTS)
  const changes = isDamage ? all.filter(({ kind }) => kind === 'renamed') : all
  const next = new Map(changes.map(({ from, into }) => [from, new Set(into)]))
  const isExplained = (idea: Categories): boolean =>
    lost(idea).every((from) => idea[1].some((to) => next.get(from)?.has(to))) &&
    gained(idea).every((to) => lost(idea).some((from) => next.get(from)?.has(to)))
  return { changes, moved: ideas.filter((idea) => !isExplained(idea)).length }
}

/**
 * Of each name that some ideas lost (or gained) the one that they gained (or lost) most often with it, if over half of them have
 * (or had) that.
 */
function mostOf(
  ideas: readonly Categories[],
  [keysOf, valuesOf, at]: readonly [NamesOf, NamesOf, 0 | 1],
  isKey: (name: number) => boolean,
): ReadonlyMap<number, number> {
  const ideasOf = new Map<number, Categories[]>()
  for (const idea of ideas)
    for (const key of keysOf(idea).filter(isKey)) ideasOf.set(key, [...(ideasOf.get(key) ?? []), idea])
  const found = new Map<number, number>()
  for (const [key, those] of ideasOf) {
    const times = new Map<number, number>()
    for (const value of those.flatMap(valuesOf)) times.set(value, (times.get(value) ?? 0) + 1)
    const [usual] = [...times].sort(([, a], [, b]) => b - a)[0] ?? []
    if (usual !== undefined && 2 * those.filter((idea) => idea[at].includes(usual)).length > those.length)
      found.set(key, usual)
  }
  return found
}
