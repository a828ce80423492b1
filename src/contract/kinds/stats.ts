// Owns the totals.
import type { DocumentKind } from './kind.ts'
import type { QueryOf } from './parameter.ts'
import { answer, whole, listOf, object, ratio, text, type TypeOf } from './shape.ts'

const shape = answer({
  stats: object('The totals.', {
    totalUsers: whole('All accounts.', undefined, {
      description: 'Never null: where numbers of people are rounded or null, 1 to 7 are 5.',
    }),
    totalIdeas: whole('All ideas.'),
    totalVotes: whole('All votes. Only votes above zero count, each as one.'),
    totalComments: whole('All comments.'),
    launchedIdeas: whole('All launched ideas.'),
    activeCategories: whole('Categories with at least one idea.'),
  }),
  metrics: object('Ratios of the totals, with at most two decimals; 0 where the divisor is 0.', {
    avgVotesPerIdea: ratio('Votes for each idea.'),
    avgCommentsPerIdea: ratio('Comments for each idea.'),
    launchSuccessRate: ratio('Launched ideas as a percentage of all ideas.'),
  }),
  topCategories: listOf(
    'The categories with most ideas.',
    object('', { category: text('The name of the category.'), count: whole('Its ideas.') }),
  ),
})
export type StatsDocument = TypeOf<typeof shape>
type StatsQuery = QueryOf<'stats', []>

export const stats: DocumentKind<StatsQuery, StatsQuery> = {
  endpoint: {
    path: '/api/public/stats',
    summary: 'Platform totals and ratios',
    parameters: [],
    example: { query: '', of: { endpoint: 'stats' } },
  },
  shapes: { Stats: shape },
  files: [['public/stats.json', 'the totals']],
  combinations: () => [{ endpoint: 'stats' }],
  lists: () => null,
  path: () => 'public/stats.json',
}
