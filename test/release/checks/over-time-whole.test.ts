// src/release/checks/kinds/ of what is over time: what holds of all rules together.
import { assert, constantFrom, property } from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { add, MutableRelease, rowOf, type Counts } from '../verify/mutable-release.ts'
import { richIdeas } from './rich-ideas.ts'

let whole: MutableRelease
beforeAll(async () => {
  whole = await MutableRelease.of(richIdeas(), afterAll)
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

it('compares every number but shares and the days of launches with another one', () => {
  const release = whole.copy()
  const numbers = release.paths
    .filter((path) => OVER_TIME.test(path))
    .flatMap((path) => numbersIn(release.at(path), path))
  expect(numbers.length).toBeGreaterThan(5_000)
  const compared = numbers.filter(({ key }) => !/^(?:medianDays|p90Days|share.*|rowCount)$/.test(key))
  assert(
    property(constantFrom(...compared), constantFrom(1, -1), ({ fields, key, where }, change) => {
      const value = fields[key]
      add(fields, key, change)
      const sentences = release.gate()
      fields[key] = value
      expect(sentences, `${where} ${change}`).not.toEqual([])
    }),
    { numRuns: 150 },
  )
})

const OVER_TIME = /^analytics\/(export\/)?(timeline|outcomes|category)\b/

interface NumberIn {
  readonly fields: Counts
  readonly key: string
  readonly where: string
}

function numbersIn(fields: Counts, where: string): NumberIn[] {
  return Object.entries(fields).flatMap(([key, value]) => {
    if (typeof value === 'number') return [{ fields, key, where: `${where} ${key}` }]
    return typeof value === 'object' && value !== null ? numbersIn(value as Counts, `${where} ${key}`) : []
  })
}
