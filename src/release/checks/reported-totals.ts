// Owns the figures that the documents of a release state, taken from each document as it is made or read, so that they
// can be held against each other. Sums only: memory is a few numbers per category. Judges nothing.
import type { ExportRow } from '../../contract/documents.ts'
import type { ExportFormat, ExportType } from '../../contract/endpoints.ts'
import { snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'

/** One value of a quantity, and the document that states it. */
export interface Stated {
  readonly where: string
  readonly value: number
}

/** What is counted of ideas, in a category and over all. */
export const NESTED = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const
/** What a row of categories counts: over all categories these sum to at least the totals. */
export const SUMMED = [
  'ideas',
  'votes',
  'comments',
  'launchedIdeas',
  'totalIdeas',
  'previousIdeas',
  'previousVotes',
  'previousComments',
] as const
const NESTED_SLOTS = NESTED.length * PERIODS.length
export type Summed = (typeof SUMMED)[number]

/** Metrics of the overview that are counted in each window; those that are totals in each; and what they count. */
const COUNTED: Readonly<Record<string, string>> = {
  newUsers: 'users',
  activeUsers: 'active users',
  ideas: 'ideas',
  votes: 'votes',
  comments: 'comments',
  launchedIdeas: 'launched ideas',
  activeCategories: 'active categories',
}
const TOTALS: Readonly<Record<string, string>> = {
  totalUsers: 'users',
  totalIdeas: 'ideas',
  totalVotes: 'votes',
  totalComments: 'comments',
  totalLaunchedIdeas: 'launched ideas',
}
const STATS: Readonly<Record<string, string>> = {
  totalUsers: 'users',
  totalIdeas: 'ideas',
  totalVotes: 'votes',
  totalComments: 'comments',
  launchedIdeas: 'launched ideas',
  activeCategories: 'active categories',
}
/** Metrics whose window before stands in categories, too. */
const PREVIOUS: ReadonlySet<string> = new Set(['ideas', 'votes', 'comments'])
/** Everything that is counted in each window: it grows with the window. */
export const WINDOWED: readonly string[] = Object.values(COUNTED)

/** The name of a quantity: what is counted in `all` is the total. */
export function quantity(what: string, period: Period): string {
  return period === 'all' ? `total ${what}` : `${what} in ${period}`
}

/** The sum of a count over all categories, which is not the total: an idea may be in several. */
export function overCategories(count: Summed, period: Period): string {
  return `${count} in ${period} summed over the categories`
}

/** The quantity that a count of a category is a part of; null = `all`, which nothing was before. */
export function ofAllIdeas(count: Summed, period: Period): string | null {
  switch (count) {
    case 'ideas':
    case 'votes':
    case 'comments':
      return quantity(count, period)
    case 'launchedIdeas':
      return quantity('launched ideas', period)
    case 'totalIdeas':
      return quantity('ideas', 'all')
    case 'previousIdeas':
      return before('ideas', period)
    case 'previousVotes':
      return before('votes', period)
    case 'previousComments':
      return before('comments', period)
  }
}

function before(what: string, period: Period): string | null {
  return period === 'all' ? null : `${what} in the ${period} before`
}

/** Accounts that some bucket of `all` counts: those without a date are in none. */
export const DATED_USERS = 'users with a date'

/** How many categories are listed. */
export const LISTED = 'listed categories'

export function rowsOf(type: ExportType, period: Period, format: ExportFormat): string {
  return `${type} rows of ${period} as ${format}`
}

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
  /** Ideas with several categories; null = not known: a release that is read back does not say. */
  sharedIdeas: number | null = null
  readonly #stated = new Map<string, Stated[]>()
  readonly #places = new Map<string, number>()
  /** One array for all: 20 numbers each for up to 20,000 categories are 3 MiB, and nothing for the garbage collector. */
  #nested: Float64Array = new Float64Array(64 * NESTED_SLOTS).fill(Number.NaN)

  /** Quantity → who states it. */
  get stated(): ReadonlyMap<string, readonly Stated[]> {
    return this.#stated
  }

  get categories(): Iterable<string> {
    return this.#places.keys()
  }

  /** A count of a category in each period; NaN = not stated. */
  nested(category: string, count: (typeof NESTED)[number]): number[] {
    const place = (this.#places.get(category) ?? 0) + NESTED.indexOf(count)
    return PERIODS.map((_, i) => this.#nested[place + i * NESTED.length] ?? Number.NaN)
  }

  state(what: string, where: string, value: unknown): void {
    const stated = this.#stated.get(what) ?? []
    if (stated.length === 0) this.#stated.set(what, stated)
    stated.push({ where, value: typeof value === 'number' ? value : Number.NaN })
  }

  /** A JSON document of the release; trending ones state nothing that another document does. */
  take(combination: Combination, document: object): void {
    if (combination.endpoint === 'trending') return
    const path = snapshotPath(combination)
    const known = document as Readonly<Record<string, unknown>>
    if (combination.endpoint === 'stats') this.#totals(path, known['stats'])
    else if (combination.endpoint === 'categories') this.#categories(combination.period, path, known)
    else this.#export(combination.type, combination.period, path, known)
  }

  /** How many rows an export has. */
  rows(type: ExportType, period: Period, format: ExportFormat, rows: number): void {
    this.state(rowsOf(type, period, format), '', rows)
  }

  /** The ideas export of a period, from the rows of its JSON. */
  ideaRows(period: Period, sums: IdeaRowSums): void {
    const path = snapshotPath({ endpoint: 'export', type: 'ideas', period, format: 'json' })
    this.rows('ideas', period, 'json', sums.rows)
    this.state(quantity('ideas', period), `rows of ${path}`, sums.rows)
    // In a shorter window older ideas have votes, too.
    if (period !== 'all') return
    for (const column of ['votes', 'totalVotes'] as const)
      this.state(quantity('votes', 'all'), `${column} of ${path}`, sums[column])
    for (const column of ['comments', 'totalComments'] as const)
      this.state(quantity('comments', 'all'), `${column} of ${path}`, sums[column])
  }

  #totals(path: string, stats: unknown): void {
    const values = (stats ?? {}) as Readonly<Record<string, unknown>>
    for (const [key, what] of Object.entries(STATS)) this.state(quantity(what, 'all'), `${key} of ${path}`, values[key])
  }

  #categories(period: Period, path: string, document: Readonly<Record<string, unknown>>): void {
    const totals = (document['totals'] ?? {}) as Readonly<Record<string, unknown>>
    for (const count of SUMMED) {
      const what = ofAllIdeas(count, period)
      if (what !== null) this.state(what, `totals.${count} of ${path}`, totals[count])
    }
    const rows = rowsIn(document['categories'])
    this.state(LISTED, path, rows.length)
    this.#sums(period, path, rows)
    for (const row of rows) {
      const at = this.#nestedAt(String(row['category'])) + NESTED.length * PERIODS.indexOf(period)
      for (const [i, count] of NESTED.entries()) this.#nested[at + i] = Number(row[count])
    }
  }

  #export(type: ExportType, period: Period, path: string, document: Readonly<Record<string, unknown>>): void {
    const rows = rowsIn(document['data'])
    if (type === 'ideas') {
      const sums = new IdeaRowSums()
      sums.add(rows)
      this.ideaRows(period, sums)
      return
    }
    this.rows(type, period, 'json', rows.length)
    if (type === 'overview') this.#overview(period, path, rows)
    if (type === 'categories') this.#sums(period, path, rows)
    if (type !== 'users') return
    const newUsers = rows.reduce((sum, row) => sum + (row['newUsers'] as number), 0)
    this.state(period === 'all' ? DATED_USERS : quantity('users', period), `newUsers of ${path}`, newUsers)
    const last = rows.at(-1)
    if (last !== undefined) this.state(quantity('users', 'all'), `totalUsers of ${path}`, last['totalUsers'])
  }

  #overview(period: Period, path: string, rows: readonly ExportRow[]): void {
    const byMetric = new Map(rows.map((row) => [row['metric'], row]))
    for (const [metric, what] of Object.entries(COUNTED)) {
      const row = byMetric.get(metric)
      this.state(quantity(what, period), `${metric} of ${path}`, row?.['value'])
      const previously = PREVIOUS.has(metric) ? before(metric, period) : null
      if (previously !== null) this.state(previously, `${metric} of ${path}`, row?.['previousValue'])
    }
    for (const [metric, what] of Object.entries(TOTALS))
      this.state(quantity(what, 'all'), `${metric} of ${path}`, byMetric.get(metric)?.['value'])
  }

  #sums(period: Period, path: string, rows: readonly ExportRow[]): void {
    for (const count of SUMMED) {
      let sum = 0
      // "Previous" counts are null in `all`.
      for (const row of rows) sum += (row[count] ?? 0) as number
      this.state(overCategories(count, period), path, sum)
    }
  }

  /** Where the counts of a category begin. */
  #nestedAt(category: string): number {
    const known = this.#places.get(category)
    if (known !== undefined) return known
    const place = this.#places.size * NESTED_SLOTS
    this.#places.set(category, place)
    if (place + NESTED_SLOTS > this.#nested.length) {
      const larger = new Float64Array(2 * this.#nested.length).fill(Number.NaN)
      larger.set(this.#nested)
      this.#nested = larger
    }
    return place
  }
}

function rowsIn(value: unknown): readonly ExportRow[] {
  return Array.isArray(value) ? (value as readonly ExportRow[]) : []
}
