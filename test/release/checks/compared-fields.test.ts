// src/release/checks/kinds/: what holds of all rules together, and which numbers of a document or a table none compares.
import { constantFrom, sample, tuple } from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { found } from '../../../src/model/found.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { add, MutableRelease, rowOf } from '../verify/mutable-release.ts'
import { comparedOf, isSeen, NEVER_SEEN, numbersIn, SEEN_IF_LESS, type NumberOf } from './compared-numbers.ts'
import { richIdeas } from './rich-ideas.ts'

const OF_OTHERS = ['avgVotesPerIdea', 'avgCommentsPerIdea', 'launchSuccessRate']
/** Made of other numbers. */
const OF_OUTCOMES = ['medianDays', 'p90Days', 'share', 'shareOfIdeas', 'shareOfVotes']
const NOT_COUNTED_BEFORE = ['newUsers', 'activeUsers', 'launchedIdeas', 'activeCategories', ...OF_OTHERS]
const TOTALS = ['totalUsers', 'totalIdeas', 'totalVotes', 'totalComments', 'totalLaunchedIdeas']

/** By kind, the fields of which no wrong number is seen. Most are of others that are compared, or no other document has them. */
const NOT_COMPARED: Readonly<Record<string, readonly string[]>> = {
  stats: [...OF_OTHERS, 'count'],
  categories: [...OF_OTHERS, 'shareOfIdeas', 'count'],
  outcomes: [...OF_OUTCOMES, 'activeUsers'],
  category: OF_OUTCOMES,
  trending: ['limit', 'count', 'rank', 'score', 'previousScore', 'votes', 'comments', 'totalVotes', 'totalComments'],
  'export/overview': [
    ...['activeUsers', ...OF_OTHERS].map((metric) => `value of ${metric}`),
    ...[...NOT_COUNTED_BEFORE, ...TOTALS].map((metric) => `previousValue of ${metric}`),
    'changePercent',
    ...['newUsers', 'activeUsers', 'ideas', 'votes', 'comments', 'launchedIdeas'].map(
      (metric) => `yearAgoValue of ${metric}`,
    ),
    ...['avgVotesPerIdea', 'avgCommentsPerIdea'].map((metric) => `yearAgoValue of ${metric}`),
  ],
  'export/categories': [...OF_OTHERS, 'shareOfIdeas'],
  // The gate judges them before they are rounded (numbers.ts).
  'export/users': ['activeUsers', 'ideaAuthors', 'voters', 'commenters'],
}

/** Enough for one that is compared in some windows, or of some ideas, only. */
const CHANGED = 5

const folder = temporaryFolder(afterAll)
let whole: MutableRelease
beforeAll(async () => {
  whole = await MutableRelease.of(folder, richIdeas())
})

it('compares some number of every field with another one, but of these', () => {
  const release = whole.copy()
  const byName = groupedBy(
    release.paths.flatMap((path) => numbersIn(release.at(path), kindOf(path))),
    ({ name }) => name,
  )
  const sentencesOn = (numbers: readonly NumberOf[]): readonly string[] => {
    const values = numbers.map(({ fields, key }) => fields[key])
    // By different numbers, so that none makes up for another.
    for (const [i, { fields, key }] of numbers.entries()) add(fields, key, 1 + i)
    const sentences = release.gate()
    for (const [i, { fields, key }] of numbers.entries()) fields[key] = values[i]
    return sentences
  }
  const named = Object.entries(NOT_COMPARED).flatMap(([kind, fields]) => fields.map((field) => `${kind}: ${field}`))
  expect(named.filter((name) => !byName.has(name))).toEqual([])
  const notCompared = named.flatMap((name) => spread(byName.get(name) ?? []))
  expect(sentencesOn(notCompared)).toEqual([])
  const others = [...byName].filter(([name]) => !named.includes(name))
  const unseen = others.filter(([, numbers]) => sentencesOn(spread(numbers)).length === 0)
  expect(unseen.map(([name]) => name)).toEqual([])
})

it('names each document that a release of a closed site shows something in', () => {
  const release = whole.copy()
  const zero = { users: 0, ideas: 0, votes: 0, comments: 0, launchedIdeas: 0, categories: 0 }
  const [sentence] = release
    .gate({ closed: true, rows: zero, categories: [], files: [] })
    .filter((one) => one.includes('it lists something'))
  expect(sentence).toBe(
    'analytics/outcomes.json: it lists something, but the site is closed to visitors; the same of 6 more, such as analytics/timeline/24h.json',
  )
  const files = release.manifest.files.filter(({ path }) => /category\/|outcomes\//.test(path))
  expect(release.gate({ closed: true, rows: zero, categories: [], files })).toContainEqual(
    expect.stringMatching(/^analytics\/\S+: it lists something, .*the same of \d+ more/),
  )
})

it('does not depend on the order in which documents are read', () => {
  const release = whole.copy()
  for (const name of ['Design', 'Product']) add(release.category(name).timelines['7d'].undated, 'votes', -1)
  add(rowOf(release.rows('timeline', '24h'), '2026-05-20T08', null), 'votes', 1)
  const sentences = release.gate()
  expect(sentences).toHaveLength(2)
  expect(release.gate({}, (paths) => paths.toReversed())).toEqual(sentences)
})

it('says nothing of what was not read: who could not read it has said so', () => {
  const release = whole.copy()
  for (const path of release.paths)
    expect(
      release.gate({}, (paths) => paths.filter((one) => one !== path)),
      path,
    ).toEqual([])
})

it('compares every number of all time series, outcomes and categories, but of these, with another one: one at each place', () => {
  const release = whole.copy()
  const byPlace = groupedBy(comparedOf(release), ({ at }) => at)
  for (const at of [...NEVER_SEEN, ...SEEN_IF_LESS]) expect(byPlace.delete(at), at).toBe(true)
  const drawn = [...byPlace.values()].flatMap((same) => sample(tuple(constantFrom(...same), constantFrom(1, -1)), 1))
  expect(drawn.length).toBeGreaterThan(130)
  const unseen = drawn.filter(([one, change]) => !isSeen(release, one, change))
  expect(unseen.map(([{ name, at }, change]) => `${name} at ${at} ${change}`)).toEqual([])
})

function groupedBy(numbers: readonly NumberOf[], keyOf: (one: NumberOf) => string): Map<string, NumberOf[]> {
  const groups = new Map<string, NumberOf[]>()
  for (const one of numbers) found(groups, keyOf(one), () => []).push(one)
  return groups
}

function kindOf(path: string): string {
  return /^\w+\/(export\/\w+|\w+)/.exec(path)?.[1] ?? path
}

/** With the first and the last. */
function spread<T>(all: readonly T[]): T[] {
  const places = Array.from({ length: CHANGED }, (_, i) => Math.round((i * (all.length - 1)) / (CHANGED - 1)))
  return all.filter((_, i) => places.includes(i))
}
