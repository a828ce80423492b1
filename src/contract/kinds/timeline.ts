// Owns what happened when, as a document and as a table.
import { INTERVALS, INTERVALS_OF, PERIODS, spanName, type Period } from '../windows.ts'
import { categoryPath, type DocumentKind } from './kind.ts'
import { anyPeriod, categoryParameter, INTERVAL_RULE, intervalParameter, type QueryOf } from './parameter.ts'
import type { Timestamp } from '../timestamp.ts'
import * as is from './shape.ts'

const counts = {
  ideas: is.whole('Ideas created in the bucket.', 'ideas'),
  votes: is.whole('Votes cast in the bucket. Only votes above zero count, each as one.', 'votes'),
  comments: is.whole('Comments written in the bucket.', 'comments'),
  launchedIdeas: is.whole('Ideas launched in the bucket.', 'ideas'),
}
/** The counts inside bucket and window; the totals are at the bucket's end, of the rows that exist now. */
const row = is.object('', {
  bucket: is.BUCKET,
  ...counts,
  totalIdeas: is.whole('Ideas created up to the end of the bucket.'),
  totalVotes: is.whole('Votes cast up to the end of the bucket, of those that exist now.'),
  totalComments: is.whole('Comments written up to the end of the bucket, of those that exist now.'),
  totalLaunchedIdeas: is.whole('Ideas launched up to the end of the bucket.'),
})
export type TimelineBucket = is.TypeOf<typeof row>

const undated = is.object('Rows without a date: in every total, but in no bucket.', {
  ideas: is.whole('Ideas without a date.'),
  votes: is.whole('Votes without a date.'),
  comments: is.whole('Comments without a date.'),
  launchedIdeas: is.whole('Launched ideas whose launch has no date.'),
})
export type TimelineCounts = is.TypeOf<typeof undated>
/** What is counted over time. */
export const TIMELINE_COUNTS = [
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
] as const satisfies (keyof TimelineCounts)[]

const shape = is.answer({
  period: is.oneOf(PERIODS, is.PERIOD),
  interval: is.oneOf(INTERVALS, 'The width of a bucket.'),
  timeZone: is.TIME_ZONE,
  category: is.CATEGORY,
  from: is.orNull(is.FROM),
  to: is.TO,
  count: is.whole('How many buckets there are.'),
  buckets: is.listOf('Ascending, also those with zeros.', row),
  undated,
  dataAsOf: is.AS_OF,
})
export type TimelineDocument = is.TypeOf<typeof shape>

/** The part of a category's file that holds several answers without the keys that end each of them, and those keys once. */
export interface CategoryTimelines {
  readonly timelines: Readonly<Record<Period, Omit<TimelineDocument, 'dataAsOf'>>>
  readonly dataAsOf: Timestamp
}

const parameters = [
  anyPeriod,
  categoryParameter('buckets of zeros'),
  intervalParameter(`${INTERVAL_RULE} With a category, all is by month only.`),
] as const
type TimelineQuery = QueryOf<'timeline', typeof parameters>

const kind: DocumentKind<TimelineQuery, TimelineQuery & { readonly category: null }> = {
  endpoint: {
    path: '/api/analytics/timeline',
    summary: 'Ideas, votes, comments and launches over time',
    parameters,
    example: { query: '?period=7d', of: { endpoint: 'timeline', period: '7d', interval: 'day', category: null } },
  },
  shapes: { Timeline: shape },
  list: 'buckets',
  files: [['analytics/timeline/<period>.json', 'what happened when; also all-by-day']],
  *combinations() {
    for (const period of PERIODS)
      for (const interval of INTERVALS_OF[period]) yield { endpoint: 'timeline', period, interval, category: null }
  },
  lists: () => null,
  path: ({ period, interval, category }, keyOf) =>
    category === null ? `analytics/timeline/${spanName(period, interval)}.json` : categoryPath(keyOf(category)),
  part: ({ period, category }) =>
    category === null
      ? null
      : {
          key: `timeline-${period}`,
          from: (file) =>
            timelineIn(file as CategoryTimelines, period) ?? `the file of a category has no timeline of ${period}`,
        },
  nothing: (file, { category }) => emptyTimeline(file as TimelineDocument, category),
}

const table = {
  title: 'Timeline',
  rows: 'One row for each hour, day or month, of all ideas.',
  lists: null,
  columns: { bucket: is.BUCKET, ...counts },
  intervals: 'any',
} as const

const byCategory = {
  title: 'Timeline by category',
  rows: `One row for each category and hour, day or month in which it counts something; in all time also for what has no date. ${is.IN_EACH}`,
  lists: 'other',
  columns: { bucket: is.orNull(is.BUCKET, 'noBucket'), category: is.CATEGORY_OF_ROW, ...counts },
  intervals: 'own',
} as const

export const timeline = { document: kind, table, byCategory }

/** The timeline of a period; null = the file has none. */
export function timelineIn({ timelines, dataAsOf }: CategoryTimelines, period: Period): TimelineDocument | null {
  const found = timelines[period] as CategoryTimelines['timelines'][Period] | undefined
  return found === undefined ? null : { ...found, dataAsOf }
}

const NOTHING_COUNTED: TimelineCounts = { ideas: 0, votes: 0, comments: 0, launchedIdeas: 0 }

/**
 * The buckets of the site, with nothing in them.
 * @param site the timeline of all ideas for the same period: the buckets of `all` begin at the same time under every filter
 */
export function emptyTimeline(site: TimelineDocument, category: string): TimelineDocument {
  const buckets = site.buckets.map(({ bucket: label }) => ({
    bucket: label,
    ...NOTHING_COUNTED,
    totalIdeas: 0,
    totalVotes: 0,
    totalComments: 0,
    totalLaunchedIdeas: 0,
  }))
  return { ...site, category, buckets, undated: NOTHING_COUNTED }
}
