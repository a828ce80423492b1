// Owns how each kind of document and table is made of what was counted: one of the contract that nothing makes does not
// compile. Knows no I/O, neither how rows of the history are kept nor which release they come from.
import type { Cohort, OutcomesDocument } from '../contract/kinds/outcomes.ts'
import type { Combination } from '../contract/kinds/register.ts'
import type { RevisionRow } from '../contract/kinds/revisions.ts'
import type { StatsDocument } from '../contract/kinds/stats.ts'
import type { ExportType, RowOf } from '../contract/kinds/tables.ts'
import type { TimelineDocument } from '../contract/kinds/timeline.ts'
import { historyIn, mappingMark, type HistoryRow } from '../contract/kinds/history.ts'
import { publishedCount, type PeopleMode } from '../contract/people.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import type { TimeZone } from '../contract/time-zone.ts'
import { windowOf, countIn, type Period } from '../contract/windows.ts'
import type { Span } from '../model/time-cells.ts'
import { type Categories, publishedCategories } from './categories.ts'
import { overviewRows } from './overview.ts'
import { type PublishedPeople } from './people.ts'
import { isAllZero } from './timeline.ts'
import type { Trending } from './trending.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { publishedUrl } from './options.ts'

/** What all documents of a release are made of. */
export interface DocumentData {
  readonly asOfMs: number
  readonly zone: TimeZone
  /** How numbers of people are published. */
  readonly mode: PeopleMode
  readonly categories: Categories
  readonly trending: Trending
  /** When `all` begins for the whole site; null = nothing has a date. */
  readonly firstMonthMs: number | null
  readonly people: PublishedPeople
  readonly stats: StatsDocument
  /** The rows of the history; null = the site is closed, and shows no history, not even its own row. */
  readonly history: History | null
  /** What changed in past numbers, up to this release. */
  readonly revisions: readonly RevisionRow[]
}

/**
 * The order in which documents are made when all is read, and how many at once. A document with a row for each category
 * is megabytes where there are thousands; one over time may be larger than a string.
 */
export const AT_ONCE = { first: 32, 'a row for each category': 2, 'over time': 1, last: 32 } as const
export type When = keyof typeof AT_ONCE | 'while reading'

export type Single = Exclude<Combination, { endpoint: 'export' }>

interface DocumentMaking<Of> {
  readonly when: When
  make(combination: Of, data: DocumentData): object
}

/** A table that is not made while the ideas are read is made in parts, each when the one before is written. */
type TableMaking<Type extends ExportType> =
  | { readonly when: When; rows(span: Span, data: DocumentData): Iterable<readonly RowOf<Type>[]> }
  | { readonly when: 'while reading' }

const MADE: { readonly [E in Single['endpoint']]: DocumentMaking<Extract<Single, { endpoint: E }>> } = {
  stats: { when: 'last', make: (_, { stats }) => stats },
  trending: {
    when: 'first',
    make: ({ period, category }, { trending, asOfMs }) => trending.document(period, category, asOfMs),
  },
  categories: {
    when: 'a row for each category',
    make: ({ period }, { categories, asOfMs }) => categories.document(period, asOfMs),
  },
  timeline: { when: 'last', make: timelineDocument },
  outcomes: { when: 'last', make: (_, data) => outcomesDocument(data) },
  category: {
    when: 'last',
    make: ({ category }, { categories, firstMonthMs, asOfMs }) => categories.file(category, firstMonthMs, asOfMs),
  },
}

/** Each kind is called with its own combinations only. */
export const DOCUMENTS: Readonly<Record<Single['endpoint'], DocumentMaking<Single>>> = MADE

/** The timeline of all ideas. */
export function timelineDocument(span: Span, { categories, firstMonthMs, asOfMs }: DocumentData): TimelineDocument {
  return { ...categories.all.timeline.document(span, null, firstMonthMs), dataAsOf: formatTimestamp(asOfMs) }
}

/** What became of all ideas. */
export function outcomesDocument({ categories, people, asOfMs, zone }: DocumentData): OutcomesDocument {
  const { years, ...document } = categories.all.outcomes.document(null)
  const withActive = years.map((one) => ({ ...one, activeUsers: people.activeInYear(zone.startOfLabel(one.year)) }))
  return { ...document, years: withActive, dataAsOf: formatTimestamp(asOfMs) }
}

export const TABLE_MAKERS: { readonly [Type in ExportType]: TableMaking<Type> } = {
  overview: { when: 'last', rows: ({ period }, { categories, people }) => [overviewRows(period, categories, people)] },
  ideas: { when: 'while reading' },
  users: { when: 'last', rows: ({ period }, { people, zone }) => [people.userRows(period, zone)] },
  categories: { when: 'a row for each category', rows: ({ period }, { categories }) => [categories.rows(period)] },
  timeline: {
    when: 'last',
    rows: (span, { categories, firstMonthMs }) => [categories.all.timeline.rows(span, firstMonthMs)],
  },
  /** Has one category after the other, in name order; what has no date in `all` only. */
  'timeline-by-category': {
    when: 'over time',
    *rows(span, { categories, firstMonthMs }) {
      for (const category of categories.names()) {
        const { timeline } = categories.of(category)
        const undated = span.period === 'all' ? [{ bucket: null, ...timeline.undated }] : []
        yield [...timeline.rows(span, firstMonthMs), ...undated]
          .filter((row) => !isAllZero(row))
          .map(({ bucket, ...counts }) => ({ bucket, category, ...counts }))
      }
    },
  },
  outcomes: {
    when: 'last',
    rows: ({ period }, data) => [touching(period, data.categories.all.outcomes.cohorts(), data)],
  },
  'outcomes-by-category': {
    when: 'over time',
    *rows({ period }, data) {
      for (const category of data.categories.names())
        yield touching(period, data.categories.of(category).outcomes.cohorts(), data)
          .filter(({ ideas }) => ideas > 0)
          .map((cohort) => ({ category, ...cohort }))
    },
  },
  history: {
    when: 'last',
    rows: ({ period }, data) => [historyIn(historyRows(data), period, data.asOfMs, data.zone)],
  },
  revisions: {
    when: 'last',
    rows: ({ period }, { revisions, asOfMs, zone }) => [historyIn(revisions, period, asOfMs, zone)],
  },
}

/** The cohorts whose month touches the period; that of ideas without a date in `all` only. */
function touching(period: Period, cohorts: readonly Cohort[], { asOfMs, zone }: DocumentData): readonly Cohort[] {
  const { fromMs } = windowOf(period, asOfMs)
  if (fromMs === null) return cohorts
  return cohorts.filter(({ month }) => month !== null && zone.after('month', zone.startOfLabel(month)) > fromMs)
}

/** What is published about an idea, with its votes and comments of a period. */
export function publishedIdea(idea: IdeaFacts, period: Period, siteUrl: string | null): RowOf<'ideas'> {
  return {
    id: idea.id,
    title: idea.title,
    category: publishedCategories(idea).join('; '),
    status: idea.status,
    createdAt: formatTimestamp(idea.createdAtMs),
    launchedAt: idea.launchedAtMs === null ? null : formatTimestamp(idea.launchedAtMs),
    votes: countIn(idea.votes, period),
    comments: countIn(idea.comments, period),
    totalVotes: idea.votes.total,
    totalComments: idea.comments.total,
    url: publishedUrl(idea.url, siteUrl),
    launched: idea.launched,
  }
}

/** The rows that were published before, and the mapping that this release's own row names. */
export interface History {
  readonly earlier: readonly HistoryRow[]
  readonly mappingSha256: string
}

/**
 * The earlier rows as a release in this mode may show them, where what was not published comes back in no mode; and a new last one
 * in place of that of its day. Rows of later days, published while a clock was ahead, are left out: nothing in a release is later
 * than the release itself. The new row has the number of accounts that the manifest has: that of stats is a number in every mode.
 */
export function historyRows({ history, people, stats, asOfMs, mode, zone }: DocumentData): HistoryRow[] {
  if (history === null) return []
  const [date, mapping] = [zone.dayOf(asOfMs), mappingMark(history.mappingSha256)]
  const earlier = history.earlier
    .filter((row) => row.date < date)
    .map((row) => ({ ...row, totalUsers: publishedCount(row.totalUsers, mode) }))
  return [...earlier, { date, dataAsOf: formatTimestamp(asOfMs), mapping, ...stats.stats, totalUsers: people.accounts }]
}
