// Owns what became of the ideas, as a document and as a table.
import type { Timestamp } from '../timestamp.ts'
import { categoryPath, type DocumentKind } from './kind.ts'
import { categoryParameter, type QueryOf } from './parameter.ts'
import {
  answer,
  AS_OF,
  CATEGORY,
  count,
  listOf,
  object,
  OF_CATEGORY,
  orNull,
  ratio,
  text,
  time,
  type Shape,
  type TypeOf,
} from './shape.ts'

const status = object('', {
  status: orNull(text('The status, in the words of the platform; null = ideas without one.')),
  ideas: count('Ideas with this status now.'),
  votes: count('All votes on them.'),
  comments: count('All comments on them.'),
  shareOfIdeas: ratio('Their share of the ideas, in percent.'),
})
export type StatusRow = TypeOf<typeof status>

const DAYS = { description: 'Days of 24 hours, at most two decimals.' }

const launched = object('The launched ideas.', {
  ideas: count('How many there are.'),
  votes: count('All votes on them.'),
  shareOfVotes: ratio('The percentage of all votes that are on launched ideas.'),
  dated: count('Launches whose creation and launch have a date: what the days are counted from.'),
  medianDays: orNull(
    ratio('Half of them took at most so many days from creation to launch; null without one.', undefined, DAYS),
  ),
  p90Days: orNull(ratio('Nine of ten took at most so many days; null without one.', undefined, DAYS)),
})
export type Launched = TypeOf<typeof launched>

function launchedWithin(days: number): Shape<number | null> {
  return orNull(
    count(`Ideas of the month that were launched at most ${days} × 24 hours after they were created.`, 'ideas', {
      description: 'null = not known, or not known yet.',
    }),
    'Not known yet, or never: the month is not so long over, or a launch has no date.',
  )
}

/** The ideas created in one UTC month. */
const cohort = object('', {
  month: orNull(time('When the UTC month begins in which the ideas were created.'), 'Ideas without a date.'),
  ideas: count('Ideas created in the month.', 'ideas'),
  votedIdeas: count('Those with at least one vote by now.', 'ideas'),
  discussedIdeas: count('Those with at least one comment by now.', 'ideas'),
  launchedIdeas: count('Those that are launched by now.', 'ideas'),
  launchedWithin30Days: launchedWithin(30),
  launchedWithin90Days: launchedWithin(90),
  launchedWithin365Days: launchedWithin(365),
})
export type Cohort = TypeOf<typeof cohort>

const shape = answer({
  category: CATEGORY,
  statuses: listOf('Ideas by status, most first; last those without a status.', status),
  launched,
  cohorts: listOf('The ideas created in one UTC month, ascending; last those without a date.', cohort),
  dataAsOf: AS_OF,
})
export type OutcomesDocument = TypeOf<typeof shape>

/** The part of a category's file that is an answer, without the keys that end it. */
export interface CategoryOutcomes {
  readonly outcomes: Omit<OutcomesDocument, 'dataAsOf'>
  readonly dataAsOf: Timestamp
}

const parameters = [categoryParameter('empty lists')] as const
type OutcomesQuery = QueryOf<'outcomes', typeof parameters>

export const outcomes: DocumentKind<OutcomesQuery, OutcomesQuery & { readonly category: null }> = {
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

export const outcomesTable = {
  title: 'Outcomes',
  rows: 'One row for each month in which ideas of all categories were created, category empty; then those of each category that has ideas.',
  listsContent: true,
  columns: { category: OF_CATEGORY, ...cohort.properties },
} as const

export function outcomesIn({ outcomes: document, dataAsOf }: CategoryOutcomes): OutcomesDocument {
  return { ...document, dataAsOf }
}

/** The answer for a category that no idea has. */
export function emptyOutcomes(category: string, dataAsOf: Timestamp): OutcomesDocument {
  const none: Launched = { ideas: 0, votes: 0, shareOfVotes: 0, dated: 0, medianDays: null, p90Days: null }
  return { category, statuses: [], launched: none, cohorts: [], dataAsOf }
}
