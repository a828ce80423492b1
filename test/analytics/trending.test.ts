import { expect, test, vi } from 'vitest'
import { trendingLists } from '../../src/analytics/trending.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import { BOUNDED_PERIODS } from '../../src/contract/windows.ts'
import { eventsAt } from '../support/event-counts.ts'

const AS_OF_MS = Date.parse('2026-05-20T09:30:00.000Z')
const IDEA: IdeaFacts = {
  id: '1',
  title: 'Idea 1',
  createdAtMs: AS_OF_MS - 1000,
  launchedAtMs: null,
  launched: false,
  url: null,
  status: null,
  categories: ['Shown', 'Other'],
  votes: eventsAt([AS_OF_MS - 1], AS_OF_MS),
  comments: eventsAt([], AS_OF_MS),
}
const lists = () =>
  trendingLists({ voteWeight: 5, commentWeight: 3, siteUrl: null, people: 'exact', timeZone: 'UTC' }, ['Shown'])

test('the lists of all ideas and of shown categories stay, those of the others are gone with their documents', () => {
  const trending = lists()
  trending.add(IDEA)
  for (const period of BOUNDED_PERIODS) {
    const counts = (): number[] =>
      [null, 'Shown', 'Other'].map((category) => trending.document(period, category, AS_OF_MS).count)
    expect(counts()).toEqual([1, 1, 1])
    expect(counts()).toEqual([1, 1, 0])
  }
})

test('an idea looks each of its categories up once, however many periods there are: with 20,000 a look is dear', () => {
  const trending = lists()
  trending.add(IDEA)
  const get = vi.spyOn(Map.prototype, 'get')
  trending.add(IDEA)
  const asked = get.mock.calls.map(([key]) => key as unknown).filter((key) => key === 'Other')
  get.mockRestore()
  expect(asked).toEqual(['Other'])
})
