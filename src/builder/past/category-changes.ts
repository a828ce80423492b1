// Owns telling categories that were renamed, merged or split from ideas that are in other ones. Pure: hashes of names in and out.
import { found } from '../../model/found.ts'

/** The categories that an idea was in, and is in. */
export type CategoryMove = readonly [was: readonly number[], is: readonly number[]]

/** What became of a category, by hashes or by published names. */
export interface CategoryChange<Name = number> {
  readonly kind: 'renamed' | 'merged' | 'split'
  readonly from: Name
  /** Where its ideas are now. */
  readonly into: readonly Name[]
}

/** A category with more parts than that was not split: a column was confused with another. */
const MOST_PARTS = 10

/**
 * A name that is gone became the one that most of its ideas got, and a new one comes from the one that most of its ideas lost. Where
 * more than half of all names were merged or split, or one is left of several, that is no change of categories but damage.
 * @returns also how many ideas are in other categories than the changes explain
 */
export function categoryChanges(ideas: readonly CategoryMove[]) {
  const [had, has] = [new Set(ideas.flatMap(([was]) => was)), new Set(ideas.flatMap(([, is]) => is))]
  const back = ideas.map(([was, is]): CategoryMove => [is, was])
  const fromNew = heirsOf(back, had).map(([part, whole]) => [whole, part] as const)
  const links = new Map<number, Set<number>>()
  for (const [name, heir] of [...heirsOf(ideas, has), ...fromNew])
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
  const isExplained = ([was, is]: CategoryMove): boolean =>
    without(was, is).every((from) => is.some((to) => next.get(from)?.has(to))) &&
    without(is, was).every((to) => without(was, is).some((from) => next.get(from)?.has(to)))
  return { changes, moved: ideas.filter((idea) => !isExplained(idea)).length }
}

/** Of each name that no idea has now, the one that its ideas got most often with it, if over half of them have that. */
function heirsOf(ideas: readonly CategoryMove[], has: ReadonlySet<number>): (readonly [name: number, heir: number])[] {
  const ideasOf = new Map<number, CategoryMove[]>()
  for (const idea of ideas)
    for (const name of idea[0].filter((one) => !has.has(one))) found(ideasOf, name, (): CategoryMove[] => []).push(idea)
  return [...ideasOf].flatMap(([name, those]) => {
    const times = new Map<number, number>()
    for (const got of those.flatMap(([was, is]) => without(is, was))) times.set(got, (times.get(got) ?? 0) + 1)
    const [heir] = [...times].sort(([, a], [, b]) => b - a)[0] ?? []
    if (heir === undefined || 2 * those.filter(([, is]) => is.includes(heir)).length <= those.length) return []
    return [[name, heir] as const]
  })
}

function without(names: readonly number[], others: readonly number[]): number[] {
  return names.filter((name) => !others.includes(name))
}
