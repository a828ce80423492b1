// Owns what became of the ideas, as a document and as a table.
import type { Timestamp } from '../timestamp.ts'
import { categoryPath, type DocumentKind } from './kind.ts'
import { categoryParameter, type QueryOf } from './parameter.ts'
import * as is from './shape.ts'

const status = is.object('', {
  status: is.orNull(is.text('The status, in the words of the platform; null = ideas without one.')),
  ideas: is.count('Ideas with this status now.'),
  votes: is.count('All votes on them.'),
  comments: is.count('All comments on them.'),
  shareOfIdeas: is.ratio('Their share of the ideas, in percent.'),
})
export type StatusRow = is.TypeOf<typeof status>

const DAYS = { description: 'Days of 24 hours, at most two decimals.' }

const launched = is.object('The launched ideas.', {
  ideas: is.count('How many there are.'),
  votes: is.count('All votes on them.'),
  shareOfVotes: is.ratio('The percentage of all votes that are on launched ideas.'),
  dated: is.count('Launches whose creation and launch have a date: what the days are counted from.'),
  medianDays: is.orNull(
    is.ratio('Half of them took at most so many days from creation to launch; null without one.', undefined, DAYS),
  ),
  p90Days: is.orNull(is.ratio('Nine of ten took at most so many days; null without one.', undefined, DAYS)),
})
export type Launched = is.TypeOf<typeof launched>

function launchedWithin(days: number): is.Shape<number | null> {
  return is.orNull(
    is.count(`Ideas of the month that were launched at most ${days} × 24 hours after they were created.`, 'ideas', {
      description: 'null = not known, or not known yet.',
    }),
    'Not known yet, or never: the month is not so long over, or a launch has no date.',
  )
}

/** The ideas created in one UTC month. */
const cohort = is.object('', {
  month: is.orNull(is.time('When the UTC month begins in which the ideas were created.'), 'Ideas without a date.'),
  ideas: is.count('Ideas created in the month.', 'ideas'),
  votedIdeas: is.count('Those with at least one vote by now.', 'ideas'),
  discussedIdeas: is.count('Those with at least one comment by now.', 'ideas'),
  launchedIdeas: is.count('Those that are launched by now.', 'ideas'),
  launchedWithin30Days: launchedWithin(30),
  launchedWithin90Days: launchedWithin(90),
  launchedWithin365Days: launchedWithin(365),
})
export type Cohort = is.TypeOf<typeof cohort>

const shape = is.answer({
  category: is.CATEGORY,
  statuses: is.listOf('Ideas by status, most first; last those without a status.', status),
  launched,
  cohorts: is.listOf('The ideas created in one UTC month, ascending; last those without a date.', cohort),
  dataAsOf: is.AS_OF,
})
export type OutcomesDocument = is.TypeOf<typeof shape>

/** The part of a category's file that is an answer, without the keys that end it. */
export interface CategoryOutcomes {
  readonly outcomes: Omit<OutcomesDocument, 'dataAsOf'>
  readonly dataAsOf: Timestamp
}

const parameters = [categoryParameter('empty lists')] as const
type OutcomesQuery = QueryOf<'outcomes', typeof parameters>

const kind: DocumentKind<OutcomesQuery, OutcomesQuery & { readonly category: null }, OutcomesDocument> = {
  endpoint: {
    name: 'outcomes',
    path: '/api/analytics/outcomes',
    summary: 'What became of the ideas, by status and by month of creation',
    parameters,
    example: { query: '', of: { endpoint: 'outcomes', category: null } },
  },
  shape,
  files: [['analytics/outcomes.json', 'what became of the ideas']],
  combinations: () => [{ endpoint: 'outcomes', category: null }],
  listsContent: () => false,
  path: ({ category }, keyOf) => (category === null ? 'analytics/outcomes.json' : categoryPath(keyOf(category))),
  part: ({ category }) =>
    category === null ? null : { key: 'outcomes', from: (file) => outcomesIn(file as CategoryOutcomes) },
  nothing: ({ category }, dataAsOf) => ({ document: emptyOutcomes(category, dataAsOf) }),
}

const table = {
  title: 'Outcomes',
  rows: 'One row for each month in which ideas of all categories were created, category empty; then those of each category that has ideas.',
  listsContent: true,
  columns: { category: is.OF_CATEGORY, ...cohort.properties },
} as const

export const outcomes = { document: kind, table }

export function outcomesIn({ outcomes: document, dataAsOf }: CategoryOutcomes): OutcomesDocument {
  return { ...document, dataAsOf }
}

/** The answer for a category that no idea has. */
export function emptyOutcomes(category: string, dataAsOf: Timestamp): OutcomesDocument {
  const none: Launched = { ideas: 0, votes: 0, shareOfVotes: 0, dated: 0, medianDays: null, p90Days: null }
  return { category, statuses: [], launched: none, cohorts: [], dataAsOf }
}
