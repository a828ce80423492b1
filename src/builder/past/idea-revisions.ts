// Owns how far single ideas differ from what the current release kept of them, where the numbers of rows may be as before.
// Pure: samples in, revisions and sentences out.
import { NO_TEXT, SAMPLED_IDEAS, type IdeaField, type SampledIdea } from '../../model/idea-sample.ts'
import { categoryChanges, type CategoryMove } from './category-changes.ts'

export interface IdeaRevision {
  readonly relation: IdeaField
  /** What was compared of the current release, and is of the candidate: rows, or of single ideas these, their votes or comments. */
  readonly had: number
  readonly has: number
  /** The sum over the months of |is - was|; of single ideas what is another's, or other than it was. */
  readonly rows: number
  /** What it looks like, for the sentence that refuses it. */
  readonly hint?: string
}

/** What the sentence says of the rows. */
export const IDEA_SENTENCES: ReadonlyMap<string, string> = new Map<IdeaField, string>([
  ['titles', 'ideas compared have another title or id'],
  ['urls', 'ideas compared have another url'],
  ['ideaCategories', 'ideas compared are in other categories'],
  ['statuses', 'ideas compared that had a status have none, or all have the same one'],
  ['ideaVotes', 'votes compared are of other ideas'],
  ['ideaComments', 'comments compared are of other ideas'],
])

type Pair = readonly [was: SampledIdea, is: SampledIdea]
type Shared = readonly [then: Ideas, now: Ideas, both: readonly Pair[]]

/** What both samples would have, by id; and those that are in both. */
function shared(kept: readonly SampledIdea[], now: readonly SampledIdea[]): Shared {
  const upTo = Math.min(reachOf(kept), reachOf(now))
  const byId = (sample: readonly SampledIdea[]): Ideas =>
    new Map(sample.filter(([id]) => id <= upTo).map((idea) => [idea[0], idea]))
  const [then, there] = [byId(kept), byId(now)]
  const both = [...then.values()].flatMap((a): Pair[] => {
    const b = there.get(a[0])
    return b === undefined ? [] : [[a, b]]
  })
  return [then, there, both]
}

/** In the order of IDEA_FIELDS; of ideas before the current release's cut, and only what both samples would have. */
export function ideaRevisionsOf(kept: readonly SampledIdea[], now: readonly SampledIdea[]): IdeaRevision[] {
  const all = shared(kept, now)
  const [then, there, both] = all
  const sizes = { had: then.size, has: there.size }
  return [
    { relation: 'titles', ...sizes, ...titles(all) },
    { relation: 'urls', ...sizes, rows: both.filter(([a, b]) => a[2] !== b[2]).length },
    { relation: 'ideaCategories', ...sizes, rows: categoriesOf(kept, now).moved },
    { relation: 'statuses', had: withStatus(then), has: withStatus(there), rows: lostStatus(both) },
    { relation: 'ideaVotes', ...moved(all, 5) },
    { relation: 'ideaComments', ...moved(all, 6) },
  ]
}

/** What became of categories, as the ideas of both samples tell. */
export function categoriesOf(kept: readonly SampledIdea[], now: readonly SampledIdea[]) {
  return categoryChanges(shared(kept, now)[2].map(([a, b]): CategoryMove => [a[3], b[3]]))
}

/** What may have become of them: ideas that only went or only came are seen by the month; those that did both have other ids. */
function titles([then, there, both]: Shared): Pick<IdeaRevision, 'rows' | 'hint'> {
  const changed = both.filter(([a, b]) => a[1] !== b[1])
  const [gone, came] = [without(then, there), without(there, then)]
  // Of another tenant there may be fewer.
  const renamed = both.length === 0 && there.size > 0 ? then.size : Math.min(gone.length, came.length)
  const rows = renamed + changed.length
  if (rows === 0) return { rows }
  const isKnown = (hashes: readonly number[], known: readonly number[]): boolean =>
    2 * hashes.filter((hash) => known.includes(hash)).length > hashes.length
  const titlesOf = (ideas: readonly SampledIdea[]): number[] => ideas.map(([, title]) => title)
  const is = titlesOf(changed.map(([, b]) => b))
  if (renamed > changed.length)
    return { rows, hint: isKnown(titlesOf(gone), titlesOf(came)) ? HINTS.ids : HINTS.others }
  if (new Set(is).size === 1) return { rows, hint: HINTS.empty }
  return { rows, hint: isKnown(is, titlesOf([...then.values()])) ? HINTS.exchanged : HINTS.language }
}

const HINTS = {
  ids: 'with new ids and the titles that they had',
  others: 'because other ideas are there, as of another tenant or database',
  empty: 'which is empty, or that of all',
  exchanged: 'which was that of another idea',
  language: 'under their old ids, as of another language or column',
  merged: 'as where ideas that are gone were merged with those that have their votes',
} as const

/** A status that became another one is what statuses are for, but not where only one of several is left. */
function lostStatus(both: readonly Pair[]): number {
  const statuses = (at: 0 | 1): Set<number> => new Set(both.map((pair) => pair[at][4]).filter((one) => one !== NO_TEXT))
  const isOne = statuses(1).size === 1 && statuses(0).size > 1
  return both.filter(([a, b]) => a[4] !== NO_TEXT && a[4] !== b[4] && (b[4] === NO_TEXT || isOne)).length
}

function withStatus(ideas: Ideas): number {
  return [...ideas.values()].filter((idea) => idea[4] !== NO_TEXT).length
}

/** A full sample has no ids above its last. */
function reachOf(sample: readonly SampledIdea[]): number {
  return sample.length < SAMPLED_IDEAS ? Number.POSITIVE_INFINITY : (sample.at(-1)?.[0] ?? 0)
}

type Ideas = ReadonlyMap<number, SampledIdea>

/** The ideas that are not among others. */
function without(ideas: Ideas, others: Ideas): SampledIdea[] {
  return [...ideas.values()].filter(([id]) => !others.has(id))
}

/** What some ideas lost and others gained: rows that only went or only came are seen by the month. */
function moved([then, now, both]: Shared, at: 5 | 6): Omit<IdeaRevision, 'relation'> {
  const sumOf = (ideas: Iterable<SampledIdea>): number => [...ideas].reduce((sum, idea) => sum + idea[at], 0)
  const [ofGone, ofNew] = [sumOf(without(then, now)), sumOf(without(now, then))]
  const more = both.map(([a, b]) => b[at] - a[at])
  const lost = more.reduce((sum, one) => sum + Math.max(0, -one), ofGone)
  const gained = more.reduce((sum, one) => sum + Math.max(0, one), ofNew)
  const hint = 2 * ofGone > lost && 2 * ofNew < gained ? { hint: HINTS.merged } : {}
  return { had: sumOf(then.values()), has: sumOf(now.values()), rows: Math.min(lost, gained), ...hint }
}
