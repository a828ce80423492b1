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

type Idea = ReturnType<typeof named>
/** By id. */
type Ideas = ReadonlyMap<number, Idea>
type Pair = Readonly<{ was: Idea; is: Idea }>
type Shared = Readonly<{ before: Ideas; after: Ideas; both: readonly Pair[] }>

function named([id, title, url, categories, status, votes, comments]: SampledIdea) {
  return { id, title, url, categories, status, votes, comments } as const
}

/** What both samples would have, by id; and those that are in both. */
function shared(kept: readonly SampledIdea[], now: readonly SampledIdea[]): Shared {
  const upTo = Math.min(reachOf(kept), reachOf(now))
  const byId = (sample: readonly SampledIdea[]): Ideas =>
    new Map(sample.map((idea) => [idea[0], named(idea)] as const).filter(([id]) => id <= upTo))
  const [before, after] = [byId(kept), byId(now)]
  const both = [...before.values()].flatMap((was): Pair[] => {
    const is = after.get(was.id)
    return is === undefined ? [] : [{ was, is }]
  })
  return { before, after, both }
}

/** In the order of IDEA_FIELDS; of ideas before the current release's cut, and only what both samples would have. */
export function ideaRevisionsOf(kept: readonly SampledIdea[], now: readonly SampledIdea[]): IdeaRevision[] {
  const all = shared(kept, now)
  const { before, after, both } = all
  const sizes = { had: before.size, has: after.size }
  return [
    { relation: 'titles', ...sizes, ...titles(all) },
    { relation: 'urls', ...sizes, rows: both.filter(({ was, is }) => was.url !== is.url).length },
    { relation: 'ideaCategories', ...sizes, rows: categoriesOf(kept, now).moved },
    { relation: 'statuses', had: withStatus(before), has: withStatus(after), rows: lostStatus(both) },
    { relation: 'ideaVotes', ...moved(all, 'votes') },
    { relation: 'ideaComments', ...moved(all, 'comments') },
  ]
}

/** What became of categories, as the ideas of both samples tell. */
export function categoriesOf(kept: readonly SampledIdea[], now: readonly SampledIdea[]) {
  return categoryChanges(shared(kept, now).both.map(({ was, is }): CategoryMove => [was.categories, is.categories]))
}

/** What may have become of them: ideas that only went or only came are seen by the month; those that did both have other ids. */
function titles({ before, after, both }: Shared): Pick<IdeaRevision, 'rows' | 'hint'> {
  const changed = both.filter(({ was, is }) => was.title !== is.title)
  const [gone, came] = [without(before, after), without(after, before)]
  // Of another tenant there may be fewer.
  const renamed = both.length === 0 && after.size > 0 ? before.size : Math.min(gone.length, came.length)
  const rows = renamed + changed.length
  if (rows === 0) return { rows }
  const isKnown = (hashes: readonly number[], known: readonly number[]): boolean =>
    2 * hashes.filter((hash) => known.includes(hash)).length > hashes.length
  const titlesOf = (ideas: readonly Idea[]): number[] => ideas.map(({ title }) => title)
  const is = titlesOf(changed.map((pair) => pair.is))
  if (renamed > changed.length)
    return { rows, hint: isKnown(titlesOf(gone), titlesOf(came)) ? HINTS.ids : HINTS.others }
  if (new Set(is).size === 1) return { rows, hint: HINTS.empty }
  return { rows, hint: isKnown(is, titlesOf([...before.values()])) ? HINTS.exchanged : HINTS.language }
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
  const statuses = (at: keyof Pair): Set<number> =>
    new Set(both.map((pair) => pair[at].status).filter((status) => status !== NO_TEXT))
  const isOne = statuses('is').size === 1 && statuses('was').size > 1
  return both.filter(
    ({ was: { status: was }, is: { status: is } }) => was !== NO_TEXT && was !== is && (is === NO_TEXT || isOne),
  ).length
}

function withStatus(ideas: Ideas): number {
  return [...ideas.values()].filter(({ status }) => status !== NO_TEXT).length
}

/** A full sample has no ids above its last. */
function reachOf(sample: readonly SampledIdea[]): number {
  return sample.length < SAMPLED_IDEAS ? Number.POSITIVE_INFINITY : (sample.at(-1)?.[0] ?? 0)
}

/** The ideas that are not among others. */
function without(ideas: Ideas, others: Ideas): Idea[] {
  return [...ideas.values()].filter(({ id }) => !others.has(id))
}

/** What some ideas lost and others gained: rows that only went or only came are seen by the month. */
function moved({ before, after, both }: Shared, rows: 'votes' | 'comments'): Omit<IdeaRevision, 'relation'> {
  const sumOf = (ideas: Iterable<Idea>): number => [...ideas].reduce((sum, idea) => sum + idea[rows], 0)
  const [ofGone, ofNew] = [sumOf(without(before, after)), sumOf(without(after, before))]
  const more = both.map(({ was, is }) => is[rows] - was[rows])
  const lost = more.reduce((sum, one) => sum + Math.max(0, -one), ofGone)
  const gained = more.reduce((sum, one) => sum + Math.max(0, one), ofNew)
  const hint = 2 * ofGone > lost && 2 * ofNew < gained ? { hint: HINTS.merged } : {}
  return { had: sumOf(before.values()), has: sumOf(after.values()), rows: Math.min(lost, gained), ...hint }
}
