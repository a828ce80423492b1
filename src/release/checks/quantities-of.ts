// Owns what each kind of document states of which quantities: one entry for each kind. Judges nothing.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import type { Calendar } from './calendar.ts'
import { countsInto, fieldsOf, listOf, sumOf, type Fields } from './numbers.ts'
import { categoryInto, outcomesInto, timelineInto } from './over-time.ts'
import { isPublished, isPublishedTotal, overviewCellFaults, userCellFaults } from './people-cells.ts'
import type { Where } from './quantity.ts'
import { DATED_USERS, inWindow, LISTED, NESTED, periodOf, previous, type Metric, type Quantities } from './relations.ts'
import { rowSumsOf, type StreamedRowSums } from './row-sums.ts'

type Of<E extends Combination['endpoint']> = Extract<Combination, { readonly endpoint: E }>
export type ExportCombination = Omit<Of<'export'>, 'format'>

/** Where documents are collected. */
export interface Collected {
  /** What is said of all ideas and all people. */
  readonly all: Quantities
  /** Over the categories. */
  readonly sums: Quantities
  /** The rows of the history, one for each day: nothing sums them up. */
  readonly histories: Map<Period, readonly ExportRow[]>
  /** Sentences about cells of people that no other document repeats. */
  readonly unpublishable: string[]
  readonly calendar: Calendar
  rowSums(combination: ExportCombination, sums: StreamedRowSums): void
  /** A document over time. @param state says what it states, or what is wrong with it */
  overTime(path: string, state: (into: Quantities) => string | null): void
  category(path: string, category: string, state: (into: Quantities) => string | null): void
}

/** Metrics of the overview that are counted in each window, and what they count. */
const COUNTED: Readonly<Record<string, Metric>> = {
  newUsers: 'users',
  activeUsers: 'activeUsers',
  ideas: 'ideas',
  votes: 'votes',
  comments: 'comments',
  launchedIdeas: 'launchedIdeas',
  activeCategories: 'activeCategories',
}
/** Metrics of the overview that are totals in each window. */
const TOTALS: Readonly<Record<string, Metric>> = {
  totalUsers: 'users',
  totalIdeas: 'ideas',
  totalVotes: 'votes',
  totalComments: 'comments',
  totalLaunchedIdeas: 'launchedIdeas',
}
const STATS: Readonly<Record<string, Metric>> = {
  totalUsers: 'users',
  totalIdeas: 'ideas',
  totalVotes: 'votes',
  totalComments: 'comments',
  launchedIdeas: 'launchedIdeas',
  activeCategories: 'activeCategories',
}
/** Fields of categories, and what the overview reports of the window before. */
const PREVIOUS = { ideas: 'previousIdeas', votes: 'previousVotes', comments: 'previousComments' } as const

/** Where categories documents count in each category. */
const IN_DOCUMENTS: Where = (_, field) => snapshotPath({ endpoint: 'categories', period: periodOf(field) })

type Stating<C> = (into: Collected, path: string, document: Fields, combination: C) => void

const STATED: { readonly [E in Combination['endpoint']]: Stating<Of<E>> } = {
  stats: (into, path, document) => totals(into, STATS, path, fieldsOf(document['stats']), isPublishedTotal),
  // Nothing that another document states.
  trending: () => {},
  categories: (into, path, document, { period }) => {
    const whole = fieldsOf(document['totals'])
    for (const field of NESTED) into.all.count(inWindow(field, period), `totals.${field} of ${path}`, whole[field])
    into.all.count(inWindow('ideas', 'all'), `totals.totalIdeas of ${path}`, whole['totalIdeas'])
    if (period !== 'all')
      for (const [metric, field] of Object.entries(PREVIOUS))
        into.all.count(previous(metric as Metric, period), `totals.${field} of ${path}`, whole[field])
    const rows = listOf(document['categories'])
    into.all.count(LISTED, path, rows.length)
    sumsOfCategories(into, path, rows, period)
    const each = into.all.statement('category', IN_DOCUMENTS)
    for (const row of rows) {
      const at = each.at(String(row['category'])) + PERIODS.indexOf(period) * NESTED.length
      countsInto(each.values, at, row)
    }
  },
  timeline: (into, path, document, span) =>
    into.overTime(path, (alone) => timelineInto(alone, path, document, span, into.calendar)),
  outcomes: (into, path, document) =>
    into.overTime(path, (alone) => outcomesInto(alone, path, document, document['dataAsOf'], into.calendar)),
  category: (into, path, document, { category }) =>
    into.category(path, category, (alone) => categoryInto(alone, document, category, into.calendar)),
  export: (into, path, document, combination) => {
    const rows = listOf(document['data']) as readonly ExportRow[]
    const sums = rowSumsOf(combination.type)
    sums?.add(rows)
    if (sums !== null) into.rowSums(combination, sums)
    EXPORTED[combination.type]?.(into, path, rows, combination.period)
  },
}

/** Exports of few rows: what is summed over the others is in row-sums.ts. */
const EXPORTED: Readonly<
  Partial<Record<ExportType, (into: Collected, path: string, rows: readonly ExportRow[], period: Period) => void>>
> = {
  overview: (into, path, rows, period) => {
    into.unpublishable.push(...overviewCellFaults(path, rows, period, into.all.people))
    const byMetric = new Map(rows.map((row) => [row['metric'], row]))
    for (const [key, metric] of Object.entries(COUNTED)) {
      const row = byMetric.get(key)
      into.all.count(inWindow(metric, period), `${key} of ${path}`, row?.['value'])
      if (key in PREVIOUS && period !== 'all')
        into.all.count(previous(metric, period), `${key} of ${path}`, row?.['previousValue'])
    }
    totals(into, TOTALS, path, Object.fromEntries(rows.map((row) => [row['metric'], row['value']])))
  },
  users: (into, path, rows, period) => {
    const { people } = into.all
    const faults = userCellFaults(path, rows, people)
    into.unpublishable.push(...faults)
    // Rounded ones do not sum to what their sum is rounded to.
    if (people === 'exact' && faults.length === 0)
      into.all.count(
        period === 'all' ? DATED_USERS : inWindow('users', period),
        `newUsers of ${path}`,
        sumOf(rows, 'newUsers'),
      )
    const last = rows.at(-1)
    if (last !== undefined) into.all.count(inWindow('users', 'all'), `totalUsers of ${path}`, last['totalUsers'])
  },
  categories: sumsOfCategories,
  /** Its last row is that of its release; the rows of a shorter period are compared with it (history-rules.ts). */
  history: (into, path, rows, period) => {
    into.histories.set(period, rows)
    const own = rows.at(-1)
    if (own !== undefined && period === 'all') totals(into, STATS, path, own)
  },
}

function totals(
  { all }: Collected,
  metrics: Readonly<Record<string, Metric>>,
  path: string,
  values: Fields,
  isRight = isPublished,
): void {
  for (const [key, metric] of Object.entries(metrics))
    all.count(inWindow(metric, 'all'), `${key} of ${path}`, values[key], isRight)
}

function sumsOfCategories({ sums }: Collected, path: string, rows: readonly Fields[], period: Period): void {
  const stated = sums.statement('counts', path)
  for (const field of NESTED) stated.set(inWindow(field, period), sumOf(rows, field))
  sums.statement('counts', `totalIdeas of ${path}`).set(inWindow('ideas', 'all'), sumOf(rows, 'totalIdeas'))
  for (const [metric, field] of Object.entries(PREVIOUS)) {
    // Before all time there is nothing.
    const counted = period === 'all' ? rows.filter((row) => row[field] !== null) : rows
    stated.set(previous(metric as Metric, period), sumOf(counted, field))
  }
}

/** What a JSON document of the release states. */
export function stateDocument(into: Collected, combination: Combination, document: object): void {
  const state = STATED[combination.endpoint] as Stating<Combination>
  state(into, snapshotPath(combination), document as Fields, combination)
}
