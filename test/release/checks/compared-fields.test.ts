// src/release/checks/kinds/: what holds of all rules together, and which numbers of a document or a table none compares.
import { constantFrom, sample, tuple } from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { found } from '../../../src/model/found.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'
import { MutableRelease } from '../verify/mutable-release.ts'
import { Changes, comparedOf, NEVER_SEEN, numbersIn, SEEN_IF_LESS, type ComparedNumber } from './compared-numbers.ts'
import { richIdeas } from './rich-ideas.ts'

const OF_OTHERS = ['avgVotesPerIdea', 'avgCommentsPerIdea', 'launchSuccessRate']
/** Made of other numbers. */
const OF_OUTCOMES = [
  'dated',
  'launched',
  'medianAgeDays',
  'medianDays',
  'p90Days',
  'share',
  'shareOfIdeas',
  'shareOfVotes',
  'yearOld',
]
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
let release: MutableRelease
let changes: Changes
beforeAll(async () => {
  release = (await MutableRelease.of(folder, richIdeas())).copy()
  changes = new Changes(release)
})

it('compares some number of every field with another one, but of these', () => {
  const byName = groupedBy(
    release.paths.flatMap((path) => numbersIn(path, release.at(path), kindOf(path))),
    ({ name }) => name,
  )
  // By different numbers, so that none makes up for another.
  const said = (numbers: readonly ComparedNumber[]): readonly string[] => changes.said(numbers, (i) => 1 + i)
  const named = Object.entries(NOT_COMPARED).flatMap(([kind, fields]) => fields.map((field) => `${kind}: ${field}`))
  expect(named.filter((name) => !byName.has(name))).toEqual([])
  expect(said(named.flatMap((name) => spread(byName.get(name) ?? [])))).toEqual([])
  const others = [...byName].filter(([name]) => !named.includes(name))
  expect(others.flatMap(([name, numbers]) => (said(spread(numbers)).length > 0 ? [] : [name]))).toEqual([])
})

it('compares every number of all time series, outcomes and categories, but of these, with another one, and names it: one at each place', () => {
  const byPlace = groupedBy(comparedOf(release), ({ at }) => at)
  for (const at of [...NEVER_SEEN, ...SEEN_IF_LESS]) expect(byPlace.delete(at), at).toBe(true)
  expect(byPlace.size).toBeGreaterThan(115)
  for (const [at, same] of byPlace)
    for (const [one, by] of sample(tuple(constantFrom(...same), constantFrom(1, -1, 0.5)), 1)) {
      const said = changes.said([one], () => by).join('\n')
      // What categories sum to is of many files.
      expect(said, `${at} of ${one.path} by ${by}`).toMatch(
        said.includes(one.path) ? /./ : /the files of categories|^[^\n]*: the categories sum to/,
      )
    }
})

function groupedBy(
  numbers: readonly ComparedNumber[],
  keyOf: (one: ComparedNumber) => string,
): Map<string, ComparedNumber[]> {
  const groups = new Map<string, ComparedNumber[]>()
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
