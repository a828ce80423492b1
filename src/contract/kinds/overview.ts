// Owns the table of the most important numbers, with the window before.
import { number, oneOf, orNull } from './shape.ts'

export const OVERVIEW_METRICS = [
  'newUsers',
  'activeUsers',
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
  'activeCategories',
  'avgVotesPerIdea',
  'avgCommentsPerIdea',
  'launchSuccessRate',
  'totalUsers',
  'totalIdeas',
  'totalVotes',
  'totalComments',
  'totalLaunchedIdeas',
] as const

export const overview = {
  title: 'Overview',
  rows: 'One row for each of fifteen numbers, with the window before and the change.',
  lists: null,
  columns: {
    metric: oneOf(OVERVIEW_METRICS, 'Which number the row is.'),
    value: orNull(
      number('The number in the window; of a metric that begins with total, at its end.', undefined, {
        minimum: 0,
        description: 'null only of people, as in the users export.',
      }),
      'few',
    ),
    previousValue: orNull(
      number(
        'The same in the window of equal length just before; of a metric that begins with total, at the beginning of the window.',
        undefined,
        { minimum: 0 },
      ),
      'unbounded',
    ),
    changePercent: orNull(
      number('The change from previousValue to value, from the two published numbers.', 'percent'),
      'noChange',
    ),
    yearAgoValue: orNull(
      number('The same in the window of equal length that ended 365 × 24 hours earlier.', undefined, { minimum: 0 }),
      'noYear',
    ),
  },
} as const
