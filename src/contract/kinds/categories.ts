// Owns the numbers of each category, as a document and as a table.
import { PERIODS } from '../windows.ts'
import type { DocumentKind } from './kind.ts'
import { anyPeriod, type QueryOf } from './parameter.ts'
import {
  AN_IDEA,
  answer,
  AS_OF,
  count,
  FROM,
  listOf,
  object,
  oneOf,
  orNull,
  PERIOD,
  ratio,
  text,
  TO,
  type TypeOf,
} from './shape.ts'

const UNBOUNDED = 'The period is all: there is no window before it.'

const numbers = {
  ideas: count('Ideas created in the window.', 'ideas'),
  votes: count('Votes cast in the window, on ideas of any age. Only votes above zero count, each as one.', 'votes'),
  comments: count('Comments written in the window, on ideas of any age.', 'comments'),
  launchedIdeas: count('Ideas launched in the window.', 'ideas'),
  launchSuccessRate: ratio('Of the ideas created in the window, those that are launched now.', 'percent'),
  avgVotesPerIdea: ratio('votes divided by ideas; 0 without ideas.', 'votes per idea'),
  avgCommentsPerIdea: ratio('comments divided by ideas; 0 without ideas.', 'comments per idea'),
  shareOfIdeas: ratio(
    'The share of the category in all ideas created in the window. Shares may add up to more than 100.',
    'percent',
  ),
  totalIdeas: count('All ideas of the category.', 'ideas'),
  previousIdeas: orNull(count('Ideas created in the window before.', 'ideas'), UNBOUNDED),
  previousVotes: orNull(count('Votes cast in the window before.', 'votes'), UNBOUNDED),
  previousComments: orNull(count('Comments written in the window before.', 'comments'), UNBOUNDED),
}
const totals = object('The same numbers of all ideas together, each counted once.', numbers)
export type CategoryNumbers = TypeOf<typeof totals>

const row = object('', {
  category: text(`The name of the category; "Uncategorized" for ideas without one. ${AN_IDEA}`),
  ...numbers,
})
export type CategoryRow = TypeOf<typeof row>

const shape = answer({
  period: oneOf(PERIODS, PERIOD),
  from: orNull(FROM),
  to: TO,
  count: count('How many categories there are.'),
  categories: listOf('Every category, also those with zeros; by ideas, then votes, then name.', row),
  totals,
  dataAsOf: AS_OF,
})
export type CategoriesDocument = TypeOf<typeof shape>

const parameters = [anyPeriod] as const
type CategoriesQuery = QueryOf<'categories', typeof parameters>

export const categories: DocumentKind<CategoriesQuery, CategoriesQuery> = {
  endpoint: {
    name: 'categories',
    path: '/api/analytics/categories',
    summary: 'Ideas, votes and comments by category',
    parameters,
    example: { query: '?period=30d', of: { endpoint: 'categories', period: '30d' } },
  },
  shape,
  list: 'categories',
  files: [['analytics/categories/<period>.json', 'all categories']],
  combinations: () => PERIODS.map((period) => ({ endpoint: 'categories', period })),
  listsContent: () => true,
  path: ({ period }) => `analytics/categories/${period}.json`,
}

export const categoriesTable = {
  title: 'Categories',
  rows: 'One row for each category, also those with zeros.',
  listsContent: true,
  columns: row.properties,
} as const
