// Owns what became of the ideas, as a document and as a table.
import type { Timestamp } from '../timestamp.ts'
import { categoryPath, type DocumentKind } from './kind.ts'
import { categoryParameter, type QueryOf } from './parameter.ts'
import * as is from './shape.ts'

/** Of the ideas that are not launched: how old they are. */
const notLaunched = is.object('Those of them that are not launched.', {
  ideas: is.whole('How many there are.'),
  yearOld: is.whole('Those created at least 365 × 24 hours before dataAsOf.'),
  medianAgeDays: is.orNull(
    is.whole(
      'Half of those with a date were created at most so many days of 24 hours before dataAsOf; null without one.',
    ),
  ),
})

const status = is.object('', {
  status: is.orNull(is.text('The status, in the words of the platform; null = ideas without one.')),
  ideas: is.whole('Ideas with this status now.'),
  votes: is.whole('All votes on them.'),
  comments: is.whole('All comments on them.'),
  shareOfIdeas: is.ratio('Their share of the ideas, in percent.'),
  notLaunched,
})
export type StatusRow = is.TypeOf<typeof status>

const DAYS = { description: 'Days of 24 hours, at most two decimals.' }

const launched = is.object('The launched ideas.', {
  ideas: is.whole('How many there are.'),
  votes: is.whole('All votes on them.'),
  shareOfVotes: is.ratio('The percentage of all votes that are on launched ideas.'),
  dated: is.whole('Launches whose creation and launch have a date: what the days are counted from.'),
  medianDays: is.orNull(
    is.ratio('Half of them took at most so many days from creation to launch; null without one.', undefined, DAYS),
  ),
  p90Days: is.orNull(is.ratio('Nine of ten took at most so many days; null without one.', undefined, DAYS)),
})
export type Launched = is.TypeOf<typeof launched>

function launchedWithin(days: number): is.Shape<number | null> {
  return is.orNull(
    is.whole(`Ideas of the month that were launched at most ${days} × 24 hours after they were created.`, 'ideas', {
      description: 'null = not known, or not known yet.',
    }),
    'notKnown',
  )
}

function known(days: number): string {
  return `that are known to have been launched at most ${days} × 24 hours after they were created`
}

function knownWithin(days: number): is.Shape<number | null> {
  const description = `Ideas of the month ${known(days)}; those of launchedUndated are not among them.`
  return is.orNull(is.whole(description, 'ideas'), 'notKnown')
}

const UNDATED = 'Launched ideas whose launch has no date: when they were launched is not known.'

/** The ideas created in one month. */
const cohort = is.object('', {
  month: is.orNull(is.firstDayOf('The month in which the ideas were created, by its first day.'), 'noMonth'),
  ideas: is.whole('Ideas created in the month.', 'ideas'),
  votedIdeas: is.whole('Those with at least one vote by now.', 'ideas'),
  discussedIdeas: is.whole('Those with at least one comment by now.', 'ideas'),
  launchedIdeas: is.whole('Those that are launched by now.', 'ideas'),
  launchedWithin30Days: launchedWithin(30),
  launchedWithin90Days: launchedWithin(90),
  launchedWithin365Days: launchedWithin(365),
  launchedUndated: is.whole(UNDATED, 'ideas'),
  knownWithin30Days: knownWithin(30),
  knownWithin90Days: knownWithin(90),
  knownWithin365Days: knownWithin(365),
})
export type Cohort = is.TypeOf<typeof cohort>

/** It counts only ideas that have had a year, because how young the others are must not change it. */
const firstYear = is.object('What became in its first year of each idea that has had one.', {
  ideas: is.whole('Ideas created at least 365 × 24 hours before dataAsOf.'),
  launched: is.whole(`Those ${known(365)}.`),
  launchedUndated: is.whole(UNDATED),
  share: is.ratio('launched, in percent of ideas; 0 without ideas.'),
})
export type FirstYear = is.TypeOf<typeof firstYear>

const activeUsers: is.Shape<number | null | undefined> = is.optional(
  is.people('Different people who voted, commented or submitted an idea in the year; only of all ideas.'),
)

const year = is.object('', {
  year: is.firstDayOf('The year in which the ideas were created, by its first day.'),
  ideas: is.whole('Ideas created in the year.'),
  launchedIdeas: is.whole('Those that are launched by now.'),
  firstYear,
  medianDays: is.orNull(
    is.ratio(
      'Half of firstYear.launched took at most so many days; null without one, and until the year has been over for 365 × 24 hours.',
      undefined,
      DAYS,
    ),
  ),
  activeUsers,
})
export type OutcomeYear = is.TypeOf<typeof year>

const shape = is.answer({
  category: is.CATEGORY,
  timeZone: is.TIME_ZONE,
  statuses: is.listOf('Ideas by status, most first; last those without a status.', status),
  launched,
  cohorts: is.listOf('The ideas created in one month, ascending; last those without a date.', cohort),
  firstYear,
  years: is.listOf('The ideas created in one year, ascending, from the first dated idea on.', year),
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

const kind: DocumentKind<OutcomesQuery, OutcomesQuery & { readonly category: null }> = {
  endpoint: {
    path: '/api/analytics/outcomes',
    summary: 'What became of the ideas, by status and by month of creation',
    parameters,
    example: { query: '', of: { endpoint: 'outcomes', category: null } },
  },
  shapes: { Outcomes: shape },
  files: [['analytics/outcomes.json', 'what became of the ideas']],
  combinations: () => [{ endpoint: 'outcomes', category: null }],
  lists: () => null,
  path: ({ category }, keyOf) => (category === null ? 'analytics/outcomes.json' : categoryPath(keyOf(category))),
  part: ({ category }) =>
    category === null ? null : { key: 'outcomes', from: (file) => outcomesIn(file as CategoryOutcomes) },
  nothing: (file, { category }) => emptyOutcomes(file as OutcomesDocument, category),
}

const table = {
  title: 'Outcomes',
  rows: 'One row for each month since the first idea, of the ideas created in it.',
  lists: 'other',
  columns: cohort.properties,
} as const

const byCategory = {
  title: 'Outcomes by category',
  rows: `One row for each category and month in which ideas of it were created. ${is.IN_EACH}`,
  lists: 'other',
  columns: { category: is.CATEGORY_OF_ROW, ...cohort.properties },
} as const

export const outcomes = { document: kind, table, byCategory }

export function outcomesIn({ outcomes: document, dataAsOf }: CategoryOutcomes): OutcomesDocument {
  return { ...document, dataAsOf }
}

/** The answer for a category that no idea has. */
export function emptyOutcomes(site: OutcomesDocument, category: string): OutcomesDocument {
  const none: Launched = { ideas: 0, votes: 0, shareOfVotes: 0, dated: 0, medianDays: null, p90Days: null }
  const noYear: FirstYear = { ideas: 0, launched: 0, launchedUndated: 0, share: 0 }
  return { ...site, category, statuses: [], launched: none, cohorts: [], firstYear: noYear, years: [] }
}
