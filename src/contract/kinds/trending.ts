// Owns the ideas with most engagement in a period.
import { BOUNDED_PERIODS } from '../windows.ts'
import type { DocumentKind } from './kind.ts'
import { categoryParameter, choiceParameter, integerParameter, type QueryOf } from './parameter.ts'
import * as is from './shape.ts'

export const MAX_TRENDING = 100

const idea = is.object('', {
  rank: is.whole('The place, from 1 on.', undefined, { minimum: 1 }),
  id: is.text('The id of the idea on the platform: an opaque text.'),
  title: is.text('The title of the idea.'),
  category: is.text('The category that was asked for, or all its categories joined with "; ".'),
  categories: is.listOf('All its categories.', is.text(''), { minItems: 1 }),
  status: is.orNull(is.text('What the platform has made of it, in its own words.')),
  url: is.orNull(is.text('Where the idea is: an address, or a path of the platform.')),
  score: is.whole('Votes and comments in the window, each with its weight.', undefined, { minimum: 1 }),
  votes: is.whole('Votes in the window.'),
  comments: is.whole('Comments in the window.'),
  previousScore: is.whole('The score in the window before.'),
  totalVotes: is.whole('All its votes.'),
  totalComments: is.whole('All its comments.'),
  createdAt: is.time('When it was created.'),
  launchedAt: is.orNull(is.time('When it was launched; null = not launched, or without a date.')),
})
export type TrendingIdea = is.TypeOf<typeof idea>

const shape = is.answer({
  period: is.oneOf(BOUNDED_PERIODS, is.PERIOD),
  category: is.CATEGORY,
  from: is.FROM,
  to: is.TO,
  limit: is.whole('How many ideas there are at most.', undefined, { minimum: 1, maximum: MAX_TRENDING }),
  count: is.whole('How many ideas there are.', undefined, { maximum: MAX_TRENDING }),
  ideas: is.listOf('The ideas with most engagement in the window, best first; none with a score of 0.', idea, {
    maxItems: MAX_TRENDING,
  }),
  dataAsOf: is.AS_OF,
})
export type TrendingDocument = is.TypeOf<typeof shape>

const parameters = [
  choiceParameter('period', BOUNDED_PERIODS, '7d', 'The window [dataAsOf - period, dataAsOf).'),
  categoryParameter('an empty list'),
  integerParameter('limit', 1, MAX_TRENDING, 20, 'How many ideas at most.'),
] as const
type TrendingQuery = QueryOf<'trending', typeof parameters>

export const trending: DocumentKind<TrendingQuery, Omit<TrendingQuery, 'limit'>> = {
  endpoint: {
    path: '/api/analytics/trending',
    summary: 'Ideas with most engagement in a period',
    parameters,
    example: { query: '?period=7d&limit=2', of: { endpoint: 'trending', period: '7d', category: null } },
  },
  shapes: { Trending: shape },
  list: 'ideas',
  files: [
    ['analytics/trending/<period>/all.json', 'the 100 ideas with most engagement'],
    ['analytics/trending/<period>/category/<key>.json', 'the same of a category'],
  ],
  *combinations(categories) {
    for (const period of BOUNDED_PERIODS)
      for (const category of [null, ...categories]) yield { endpoint: 'trending', period, category }
  },
  lists: () => 'ideas',
  path: ({ period, category }, keyOf) =>
    `analytics/trending/${period}/${category === null ? 'all' : `category/${keyOf(category)}`}.json`,
  part: ({ limit: most }) => ({
    key: String(most),
    ...(most < MAX_TRENDING && { from: (file) => cutTrending(file as TrendingDocument, most) }),
  }),
  nothing: (file, { category, limit: most }) =>
    cutTrending({ ...(file as TrendingDocument), category, ideas: [] }, most),
}

/** Cuts a trending file, which has up to 100 ideas, to the `limit` of a query. */
export function cutTrending(document: TrendingDocument, most: number): TrendingDocument {
  const ideas = document.ideas.slice(0, most)
  return { ...document, limit: most, count: ideas.length, ideas }
}
