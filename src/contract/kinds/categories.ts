// Owns the numbers of each category, as a document and as a table.
import { PERIODS } from '../windows.ts'
import type { DocumentKind } from './kind.ts'
import { anyPeriod, type QueryOf } from './parameter.ts'
import * as is from './shape.ts'

const numbers = {
  ideas: is.whole('Ideas created in the window.', 'ideas'),
  votes: is.VOTES,
  comments: is.COMMENTS,
  launchedIdeas: is.whole('Ideas launched in the window.', 'ideas'),
  launchSuccessRate: is.ratio('Of the ideas created in the window, those that are launched now.', 'percent'),
  avgVotesPerIdea: is.ratio('votes divided by ideas; 0 without ideas.', 'votes per idea'),
  avgCommentsPerIdea: is.ratio('comments divided by ideas; 0 without ideas.', 'comments per idea'),
  shareOfIdeas: is.ratio(
    'The share of the category in all ideas created in the window. Shares may add up to more than 100.',
    'percent',
  ),
  totalIdeas: is.TOTAL_IDEAS,
  previousIdeas: is.orNull(is.whole('Ideas created in the window before.', 'ideas'), 'unbounded'),
  previousVotes: is.orNull(is.whole('Votes cast in the window before.', 'votes'), 'unbounded'),
  previousComments: is.orNull(is.whole('Comments written in the window before.', 'comments'), 'unbounded'),
}
const totals = is.object('The same numbers of all ideas together, each counted once.', numbers)
export type CategoryNumbers = is.TypeOf<typeof totals>

const row = is.object('', {
  category: is.text(`The name of the category; "Uncategorized" for ideas without one. ${is.AN_IDEA}`),
  ...numbers,
})
export type CategoryRow = is.TypeOf<typeof row>

const shape = is.answer({
  period: is.oneOf(PERIODS, is.PERIOD),
  from: is.orNull(is.FROM),
  to: is.TO,
  count: is.whole('How many categories there are.'),
  categories: is.listOf('Every category, also those with zeros; by ideas, then votes, then name.', row),
  totals,
  dataAsOf: is.AS_OF,
})
export type CategoriesDocument = is.TypeOf<typeof shape>

const parameters = [anyPeriod] as const
type CategoriesQuery = QueryOf<'categories', typeof parameters>

const kind: DocumentKind<CategoriesQuery, CategoriesQuery> = {
  endpoint: {
    path: '/api/analytics/categories',
    summary: 'Ideas, votes and comments by category',
    parameters,
    example: { query: '?period=30d', of: { endpoint: 'categories', period: '30d' } },
  },
  shapes: { Categories: shape },
  list: 'categories',
  files: [['analytics/categories/<period>.json', 'all categories']],
  combinations: () => PERIODS.map((period) => ({ endpoint: 'categories', period })),
  lists: () => 'other',
  path: ({ period }) => `analytics/categories/${period}.json`,
}

const table = {
  title: 'Categories',
  rows: 'One row for each category, also those with zeros.',
  lists: 'other',
  columns: row.properties,
} as const

export const categories = { document: kind, table }
