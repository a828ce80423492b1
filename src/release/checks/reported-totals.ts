// Owns what the documents of a release report, taken from each document as it is made or read, so that their totals can be
// compared. Keeps sums only, and the short history: memory is a few numbers for each category and day. Judges nothing.
import type { ExportRow } from '../../contract/documents.ts'
import type { PeopleMode } from '../../contract/people.ts'
import { snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import { CategoryCounts, type CategoryField } from './category-counts.ts'
import { OverTime, type ExportCombination } from './over-time.ts'
import { isPublished, isPublishedTotal, overviewCellFaults, userCellFaults } from './people-cells.ts'
import {
  before,
  countOf,
  DATED_USERS,
  LISTED,
  NESTED,
  ofAllIdeas,
  Reports,
  rowsOf,
  sumOf,
  SUMMED,
  totalOf,
  type Metric,
  type Quantity,
} from './quantities.ts'
import { rowSumsOf, type IdeaRowSums, type StreamedRowSums } from './row-sums.ts'
import { fieldsOf, type Fields } from './stated.ts'

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
/** Metrics that categories report of the window before, too. */
const PREVIOUS: ReadonlySet<string> = new Set(['ideas', 'votes', 'comments'])

export class ReportedTotals {
  /** Ideas with several categories; null = not known: a release that is read back does not report it. */
  sharedIdeas: number | null = null
  readonly reports: Reports
  /** The rows of the history, one for each day: nothing sums them up. */
  readonly histories: Map<Period, readonly ExportRow[]> = new Map()
  /** Sentences about cells of people that no other document repeats. */
  readonly unpublishable: string[] = []
  readonly #counts = new CategoryCounts()
  readonly overTime: OverTime

  constructor(people: PeopleMode) {
    this.reports = new Reports(people)
    this.overTime = new OverTime(this.reports, this.#counts)
  }

  get categories(): Iterable<string> {
    return this.#counts.names
  }

  /** A count of a category in each period; NaN = not reported. */
  nested(category: string, field: CategoryField): number[] {
    return PERIODS.map((period) => this.#counts.value('categories', category, period, field))
  }

  /** A JSON document of the release; a trending one reports nothing that another document does. */
  take(combination: Combination, document: object): void {
    const known = document as Fields
    switch (combination.endpoint) {
      case 'trending':
        return
      case 'stats':
        return this.#totals(STATS, snapshotPath(combination), fieldsOf(known['stats']), isPublishedTotal)
      case 'categories':
        return this.#categories(combination.period, snapshotPath(combination), known)
      case 'timeline':
      case 'outcomes':
      case 'category':
        return this.overTime.take(combination, known)
      case 'export':
        return this.#export(combination, known)
    }
  }

  /** How many rows an export has. */
  rows(path: string, rows: number): void {
    this.reports.add(rowsOf(path), '', rows)
  }

  /** A streamed export, from the rows of its JSON. */
  rowSums(combination: ExportCombination, sums: StreamedRowSums): void {
    switch (sums.type) {
      case 'ideas':
        return this.#ideaRows(combination.period, sums)
      case 'timeline':
        return this.overTime.timelineRows(combination, sums)
      case 'outcomes':
        return this.overTime.outcomeRows(combination, sums)
    }
  }

  #ideaRows(period: Period, sums: IdeaRowSums): void {
    const path = snapshotPath({ endpoint: 'export', type: 'ideas', period, format: 'json' })
    this.reports.add(countOf('ideas', period), `rows of ${path}`, sums.rows)
    // In a shorter window older ideas have votes, too.
    if (period !== 'all') return
    for (const column of ['votes', 'totalVotes'] as const)
      this.reports.add(totalOf('votes'), `${column} of ${path}`, sums[column])
    for (const column of ['comments', 'totalComments'] as const)
      this.reports.add(totalOf('comments'), `${column} of ${path}`, sums[column])
  }

  #totals(metrics: Readonly<Record<string, Metric>>, path: string, values: Fields, isRight = isPublished): void {
    for (const [key, metric] of Object.entries(metrics))
      this.reports.add(totalOf(metric), `${key} of ${path}`, values[key], isRight)
  }

  #categories(period: Period, path: string, document: Fields): void {
    const totals = (document['totals'] ?? {}) as Fields
    for (const field of SUMMED) this.#add(ofAllIdeas(field, period), `totals.${field} of ${path}`, totals[field])
    const rows = rowsIn(document['categories'])
    this.reports.add(LISTED, path, rows.length)
    this.#sums(period, path, rows)
    for (const row of rows) {
      const counts = NESTED.map((field) => Number(row[field]))
      this.#counts.set('categories', String(row['category']), period, counts)
    }
  }

  #export(combination: Extract<Combination, { endpoint: 'export' }>, document: Fields): void {
    const { type, period } = combination
    const path = snapshotPath(combination)
    const rows = rowsIn(document['data'])
    this.rows(path, rows.length)
    const sums = rowSumsOf(type)
    sums?.add(rows)
    if (sums !== null) this.rowSums(combination, sums)
    switch (type) {
      case 'overview':
        return this.#overview(period, path, rows)
      case 'users':
        return this.#users(period, path, rows)
      case 'categories':
        return this.#sums(period, path, rows)
      case 'history':
        return this.#history(period, path, rows)
      case 'ideas':
      case 'timeline':
      case 'outcomes':
        // Their sums say it.
        return
    }
  }

  #users(period: Period, path: string, rows: readonly ExportRow[]): void {
    const { people } = this.reports
    const faults = userCellFaults(path, rows, people)
    this.unpublishable.push(...faults)
    // Rounded ones do not sum to what their sum is rounded to.
    if (people === 'exact' && faults.length === 0) {
      const newUsers = rows.reduce((sum, row) => sum + Number(row['newUsers']), 0)
      this.reports.add(period === 'all' ? DATED_USERS : countOf('users', period), `newUsers of ${path}`, newUsers)
    }
    const last = rows.at(-1)
    if (last !== undefined) this.reports.add(totalOf('users'), `totalUsers of ${path}`, last['totalUsers'])
  }

  #overview(period: Period, path: string, rows: readonly ExportRow[]): void {
    this.unpublishable.push(...overviewCellFaults(path, rows, period, this.reports.people))
    const byMetric = new Map(rows.map((row) => [row['metric'], row]))
    for (const [key, metric] of Object.entries(COUNTED)) {
      const row = byMetric.get(key)
      this.reports.add(countOf(metric, period), `${key} of ${path}`, row?.['value'])
      if (PREVIOUS.has(key)) this.#add(before(metric, period), `${key} of ${path}`, row?.['previousValue'])
    }
    this.#totals(TOTALS, path, Object.fromEntries(rows.map((row) => [row['metric'], row['value']])))
  }

  /** Its last row is that of its release; the rows of a shorter period are compared with it (history-rules.ts). */
  #history(period: Period, path: string, rows: readonly ExportRow[]): void {
    this.histories.set(period, rows)
    const own = rows.at(-1)
    if (own !== undefined && period === 'all') this.#totals(STATS, path, own)
  }

  #add(quantity: Quantity | null, where: string, value: unknown): void {
    if (quantity !== null) this.reports.add(quantity, where, value)
  }

  #sums(period: Period, path: string, rows: readonly ExportRow[]): void {
    for (const field of SUMMED) {
      let value = 0
      // "Previous" counts are null in `all`.
      for (const row of rows) value += (row[field] ?? 0) as number
      this.reports.add(sumOf(field, period), path, value)
    }
  }
}

function rowsIn(value: unknown): readonly ExportRow[] {
  return Array.isArray(value) ? (value as readonly ExportRow[]) : []
}
