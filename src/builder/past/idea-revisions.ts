// Owns how far single ideas differ from what the current release kept of them, where the numbers of rows may be as before.
// Pure: samples in, revisions and sentences out.
import { NO_TEXT, SAMPLED_IDEAS, type IdeaField, type SampledIdea } from '../../model/idea-sample.ts'

export interface IdeaRevision {
  readonly relation: IdeaField
  /** What was compared of the current release, and is of the candidate: ideas, or their votes or comments. */
  readonly had: number
  readonly has: number
  readonly rows: number
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

/** In the order of IDEA_FIELDS; of ideas before the current release's cut, and only what both samples would have. */
export function ideaRevisionsOf(kept: readonly SampledIdea[], now: readonly SampledIdea[]): IdeaRevision[] {
  const upTo = Math.min(reachOf(kept), reachOf(now))
  const then = new Map(kept.filter(([id]) => id <= upTo).map((idea) => [idea[0], idea]))
  const there = new Map(now.filter(([id]) => id <= upTo).map((idea) => [idea[0], idea]))
  const both = [...then.values()].flatMap((a): [SampledIdea, SampledIdea][] => {
    const b = there.get(a[0])
    return b === undefined ? [] : [[a, b]]
  })
  // Ideas that only went or only came are seen by the month; those that did both have other ids.
  const renamed = Math.min(then.size, there.size) - both.length
  const of = (relation: IdeaField, rows: number): IdeaRevision => ({ relation, had: then.size, has: there.size, rows })
  const differ = (field: number): number => both.filter(([a, b]) => a[field] !== b[field]).length
  return [
    of('titles', renamed + differ(1)),
    of('urls', differ(2)),
    of('ideaCategories', inOtherCategories(both.map(([a, b]): Pair => [a[3], b[3]]))),
    { relation: 'statuses', had: withStatus(then), has: withStatus(there), rows: lostStatus(both) },
    { relation: 'ideaVotes', ...moved(then, there, (idea) => idea[5]) },
    { relation: 'ideaComments', ...moved(then, there, (idea) => idea[6]) },
  ]
}

type Pair = readonly [was: number, is: number]

/**
 * Ideas whose category has another name are in the same one: a name that is gone became one that is new, for most of its ideas,
 * and most of that one's come from it. A name that was there before is another category.
 */
function inOtherCategories(pairs: readonly Pair[]): number {
  const back = pairs.map(([was, is]): Pair => [is, was])
  const [nameOf, originOf] = [usualOf(pairs), usualOf(back)]
  const isRenamed = (was: number, is: number): boolean =>
    was !== NO_TEXT &&
    is !== NO_TEXT &&
    !originOf.has(was) &&
    !nameOf.has(is) &&
    nameOf.get(was) === is &&
    originOf.get(is) === was
  return pairs.filter(([was, is]) => was !== is && !isRenamed(was, is)).length
}

/** The value that each key has most often. */
function usualOf(pairs: readonly Pair[]): ReadonlyMap<number, number> {
  const times = new Map<string, number>()
  const usual = new Map<number, number>()
  const timesOf = (key: number, value: number | undefined): number => times.get(`${key} ${value}`) ?? 0
  for (const [key, value] of pairs) {
    times.set(`${key} ${value}`, timesOf(key, value) + 1)
    if (timesOf(key, value) > timesOf(key, usual.get(key))) usual.set(key, value)
  }
  return usual
}

/** A status that became another one is what statuses are for, but not where only one of several is left. */
function lostStatus(both: readonly (readonly [SampledIdea, SampledIdea])[]): number {
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

/** What some ideas lost and others gained: rows that only went or only came are seen by the month. */
function moved(then: Ideas, now: Ideas, eventsOf: (idea: SampledIdea) => number): Omit<IdeaRevision, 'relation'> {
  let [had, has, lost, gained] = [0, 0, 0, 0]
  for (const id of new Set([...then.keys(), ...now.keys()])) {
    const [a, b] = [then, now].map((ideas) => ideas.get(id)).map((idea) => (idea === undefined ? 0 : eventsOf(idea)))
    had += a ?? 0
    has += b ?? 0
    lost += Math.max(0, (a ?? 0) - (b ?? 0))
    gained += Math.max(0, (b ?? 0) - (a ?? 0))
  }
  return { had, has, rows: Math.min(lost, gained) }
}
