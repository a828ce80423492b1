// Owns what the documents of a release report, taken from each document as it is made or read, so that their totals can be
// compared. Keeps sums only, and the short history: memory is a few numbers for each category and day. Judges nothing.
import type { ExportRow } from '../../contract/documents.ts'
import type { ExportType } from '../../contract/endpoints.ts'
import { rangeOf, rangeOfTotalUsers, type PeopleMode, type Range } from '../../contract/people.ts'
import { snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import { overviewCellFaults, userCellFaults } from './people-cells.ts'
import {
  before,
  countOf,
  DATED_USERS,
  LISTED,
  NESTED,
  ofAllIdeas,
  PEOPLE,
  Reports,
  rowsOf,
  sumOf,
  SUMMED,
  totalOf,
  type Metric,
  type Quantity,
} from './quantities.ts'

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

type Fields = Readonly<Record<string, unknown>>

/** What rows of the ideas export add up to. */
export class IdeaRowSums {
  rows = 0
  votes = 0
  comments = 0
  totalVotes = 0
  totalComments = 0

  add(rows: readonly ExportRow[]): void {
    this.rows += rows.length
    for (const row of rows) {
      this.votes += row['votes'] as number
      this.comments += row['comments'] as number
      this.totalVotes += row['totalVotes'] as number
      this.totalComments += row['totalComments'] as number
    }
  }
}

export class ReportedTotals {
  /** Ideas with several categories; null = not known: a release that is read back does not report it. */
  sharedIdeas: number | null = null
  readonly reports: Reports = new Reports()
  /** The rows of the history, one for each day: nothing sums them up. */
  readonly histories: Map<Period, readonly ExportRow[]> = new Map()
  /** Sentences about cells of people that no other document repeats. */
  readonly unpublishable: string[] = []
  /** How the documents publish numbers of people. */
  readonly #people: PeopleMode
  /** By category, of which there may be 20,000: plain arrays would take half as much again. */
  readonly #nested = new Map<string, Float64Array>()

  constructor(people: PeopleMode) {
    this.#people = people
  }

  get categories(): Iterable<string> {
    return this.#nested.keys()
  }

  /** A count of a category in each period; NaN = not reported. */
  nested(category: string, field: (typeof NESTED)[number]): number[] {
    const counts = this.#nested.get(category)
    return PERIODS.map((_, i) => counts?.[i * NESTED.length + NESTED.indexOf(field)] ?? Number.NaN)
  }

  /** A JSON document of the release; a trending one reports nothing that another document does. */
  take(combination: Combination, document: object): void {
    if (combination.endpoint === 'trending') return
    const path = snapshotPath(combination)
    const known = document as Fields
    if (combination.endpoint === 'stats') this.#totals(STATS, path, (known['stats'] ?? {}) as Fields, rangeOfTotalUsers)
    else if (combination.endpoint === 'categories') this.#categories(combination.period, path, known)
    else if (combination.endpoint === 'export') this.#export(combination.type, combination.period, path, known)
  }

  /** How many rows an export has. */
  rows(path: string, rows: number): void {
    this.reports.add(rowsOf(path), '', rows)
  }

  /** The ideas export of a period, from the rows of its JSON. */
  ideaRows(period: Period, sums: IdeaRowSums): void {
    const path = snapshotPath({ endpoint: 'export', type: 'ideas', period, format: 'json' })
    this.reports.add(countOf('ideas', period), `rows of ${path}`, sums.rows)
    // In a shorter window older ideas have votes, too.
    if (period !== 'all') return
    for (const column of ['votes', 'totalVotes'] as const)
      this.reports.add(totalOf('votes'), `${column} of ${path}`, sums[column])
    for (const column of ['comments', 'totalComments'] as const)
      this.reports.add(totalOf('comments'), `${column} of ${path}`, sums[column])
  }

  #totals(metrics: Readonly<Record<string, Metric>>, path: string, values: Fields, ofPeople = rangeOf): void {
    for (const [key, metric] of Object.entries(metrics)) {
      const mode = PEOPLE.has(metric) ? this.#people : 'exact'
      this.reports.addRange(totalOf(metric), `${key} of ${path}`, ofPeople(values[key], mode))
    }
  }

  #categories(period: Period, path: string, document: Fields): void {
    const totals = (document['totals'] ?? {}) as Fields
    for (const field of SUMMED) this.#add(ofAllIdeas(field, period), `totals.${field} of ${path}`, totals[field])
    const rows = rowsIn(document['categories'])
    this.reports.add(LISTED, path, rows.length)
    this.#sums(period, path, rows)
    for (const row of rows) {
      const category = String(row['category'])
      const counts = this.#nested.get(category) ?? new Float64Array(NESTED.length * PERIODS.length).fill(Number.NaN)
      this.#nested.set(category, counts)
      const at = NESTED.length * PERIODS.indexOf(period)
      for (const [i, field] of NESTED.entries()) counts[at + i] = Number(row[field])
    }
  }

  #export(type: ExportType, period: Period, path: string, document: Fields): void {
    const rows = rowsIn(document['data'])
    if (type === 'ideas') {
      const sums = new IdeaRowSums()
      sums.add(rows)
      this.rows(path, sums.rows)
      this.ideaRows(period, sums)
      return
    }
    this.rows(path, rows.length)
    if (type === 'overview') this.#overview(period, path, rows)
    if (type === 'categories') this.#sums(period, path, rows)
    if (type === 'history') this.#history(period, path, rows)
    if (type === 'overview') this.unpublishable.push(...overviewCellFaults(path, rows, period, this.#people))
    if (type !== 'users') return
    this.unpublishable.push(...userCellFaults(path, rows, this.#people))
    const newUsers = sumOfRanges(rows.map((row) => rangeOf(row['newUsers'], this.#people)))
    this.reports.addRange(period === 'all' ? DATED_USERS : countOf('users', period), `newUsers of ${path}`, newUsers)
    const last = rows.at(-1)
    if (last === undefined) return
    this.reports.addRange(totalOf('users'), `totalUsers of ${path}`, rangeOf(last['totalUsers'], this.#people))
  }

  #overview(period: Period, path: string, rows: readonly ExportRow[]): void {
    const byMetric = new Map(rows.map((row) => [row['metric'], row]))
    for (const [key, metric] of Object.entries(COUNTED)) {
      const row = byMetric.get(key)
      const range = rangeOf(row?.['value'], PEOPLE.has(metric) ? this.#people : 'exact')
      this.reports.addRange(countOf(metric, period), `${key} of ${path}`, range)
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

/** null = one of them is none. */
function sumOfRanges(ranges: readonly (Range | null)[]): Range | null {
  let [low, high] = [0, 0]
  for (const range of ranges) {
    if (range === null) return null
    low += range.low
    high += range.high
  }
  return { low, high }
}

function rowsIn(value: unknown): readonly ExportRow[] {
  return Array.isArray(value) ? (value as readonly ExportRow[]) : []
}
