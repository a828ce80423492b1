import { array, assert, constantFrom, integer, property, record } from 'fast-check'
import { expect, test } from 'vitest'
import { ideaLists } from '../../src/analytics/idea-lists.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'

const AS_OF_MS = Date.parse('2026-05-20T09:30:00.000Z')
const NO_EVENTS = { total: 0, since: [], sinceCuts: [] }

function idea(id: string, createdAtMs: number, launchedAtMs: number | null, more: Partial<IdeaFacts> = {}): IdeaFacts {
  const common = {
    title: `Idea ${id}`,
    url: null,
    status: 'open',
    categories: [],
    votes: NO_EVENTS,
    comments: NO_EVENTS,
  }
  return { id, createdAtMs, launchedAtMs, launched: launchedAtMs !== null, ...common, ...more }
}

test('an idea is listed as it is published everywhere else', () => {
  const launched = ideaLists([], 'https://ideas.example.org', AS_OF_MS)
  const votes = { total: 7, since: [1], sinceCuts: [] }
  const more = { url: '/ideas/1', categories: ['Design', 'Product'], votes, comments: { ...votes, total: 3 } }
  launched.add(idea('1', AS_OF_MS - 5000, AS_OF_MS - 1000, more))
  launched.add(idea('2', AS_OF_MS - 9000, AS_OF_MS - 2000, { status: null, url: 'javascript:alert(1)' }))
  expect(launched.of(null).launched).toEqual([
    {
      id: '1',
      title: 'Idea 1',
      category: 'Design; Product',
      categories: ['Design', 'Product'],
      status: 'open',
      url: 'https://ideas.example.org/ideas/1',
      votes: 7,
      comments: 3,
      createdAt: '2026-05-20T09:29:55.000Z',
      launched: true,
      launchedAt: '2026-05-20T09:29:59.000Z',
      totalVotes: 7,
      totalComments: 3,
    },
    expect.objectContaining({ id: '2', category: 'Uncategorized', status: null, url: null }),
  ])
})

test('the 50 newest dated launches, newest first; of one instant the idea that came first', () => {
  const launches = array(record({ at: integer({ min: 0, max: 60 }), dated: constantFrom(true, true, true, false) }), {
    maxLength: 200,
  })
  assert(
    property(launches, (rows) => {
      const launched = ideaLists([], null, AS_OF_MS)
      const ideas = rows.map(({ at, dated }, i) => idea(String(i), AS_OF_MS - i, dated ? AS_OF_MS - 1000 * at : null))
      for (const one of ideas) launched.add(one)
      const expected = ideas
        .filter(({ launchedAtMs }) => launchedAtMs !== null)
        .sort((a, b) => (b.launchedAtMs ?? 0) - (a.launchedAtMs ?? 0) || Number(a.id) - Number(b.id))
        .slice(0, 50)
      expect(launched.of(null).launched.map(({ id }) => id)).toEqual(expected.map(({ id }) => id))
    }),
  )
})

test('the 200 newest ideas of the last seven days of 24 hours, newest first, and none without a date', () => {
  const WEEK_MS = 7 * 86_400_000
  const listed = (ages: readonly number[]): readonly string[] => {
    const lists = ideaLists([], null, AS_OF_MS)
    for (const age of ages) lists.add(idea(String(age), AS_OF_MS - age, null))
    return lists.newest.map(({ id }) => id)
  }
  expect(listed([1, WEEK_MS - 1, WEEK_MS, WEEK_MS + 1, AS_OF_MS, AS_OF_MS + 1])).toEqual([
    '1',
    String(WEEK_MS - 1),
    String(WEEK_MS),
  ])
  expect(listed(Array.from({ length: 300 }, (_, i) => i + 1))).toEqual(
    Array.from({ length: 200 }, (_, i) => String(i + 1)),
  )
  expect(listed([])).toEqual([])
})
