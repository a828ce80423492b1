// Owns what the documents of a release state, collected as they are made or read until all of it can be compared. Keeps sums
// only, and the short history: memory is a few numbers for each category and day.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { PeopleMode } from '../../contract/people.ts'
import { ownInterval, PERIODS, UNDATED, type Period } from '../../contract/windows.ts'
import type { Manifest } from '../format/manifest.ts'
import { Calendar } from './calendar.ts'
import { stateDocument, type Collected, type ExportCombination } from './quantities-of.ts'
import { andMore, type Where } from './quantity.ts'
import {
  COHORT_COUNTS,
  cohortsIn,
  DATED_USERS,
  inWindow,
  IN_WINDOWS,
  LISTED,
  MONTHS,
  NESTED,
  periodOf,
  Quantities,
  STATUS_COUNTS,
  SUMMED_COUNTS,
  SUMMED_KEYS,
} from './relations.ts'
import type { SeriesRowSums, StreamedRowSums } from './row-sums.ts'

const FILES = 'the files of categories'
const IN_FILES: Where = (category) => snapshotPath({ endpoint: 'category', category })
const IN_ROWS: Where = (_, field) =>
  snapshotPath({ endpoint: 'export', type: 'timeline', period: periodOf(field), format: 'json' })

/** The columns of an export of ideas that count all there ever was, where its window is all time. */
const EVER = { votes: ['votes', 'totalVotes'], comments: ['comments', 'totalComments'] } as const

export class ReportedTotals implements Collected {
  /** Ideas with several categories; null = not known: a release that is read back does not report it. */
  sharedIdeas: number | null = null
  readonly all: Quantities
  readonly sums: Quantities
  readonly histories: Map<Period, readonly ExportRow[]> = new Map()
  readonly unpublishable: string[] = []
  /** The documents over time that show something: of a closed site not even where `all` begins. */
  readonly showing: string[] = []
  readonly calendar: Calendar = new Calendar()
  readonly #faults: string[] = []
  readonly #series: (readonly [ExportCombination, SeriesRowSums])[] = []
  /** One after another: most have the same rows. */
  readonly #category: Quantities
  readonly #ofCategories = { faults: 0, first: '', files: 0 }
  /** How many months the files of categories have, and the first file of each number. */
  readonly #months = new Map<number, string>()

  constructor(people: PeopleMode) {
    this.all = new Quantities(people)
    this.sums = new Quantities(people, ' summed over the categories')
    this.#category = new Quantities(people)
  }

  /** A JSON document of the release. */
  take(combination: Combination, document: object): void {
    stateDocument(this, combination, document)
  }

  /** A streamed export, from the rows of its JSON. */
  rowSums(combination: ExportCombination, sums: StreamedRowSums): void {
    const { period } = combination
    if (sums.type !== 'ideas') {
      // The rows of `all` leave out what has no date.
      if (sums.fault === null && period !== 'all') this.#rowsOfCategories(period, sums)
      sums.byCategory.clear()
      return void this.#series.push([combination, sums])
    }
    const path = snapshotPath({ ...combination, format: 'json' })
    this.all.count(inWindow('ideas', period), `rows of ${path}`, sums.rows)
    // In a shorter window older ideas have votes, too.
    if (period !== 'all') return
    for (const [metric, columns] of Object.entries(EVER))
      for (const column of columns)
        this.all.count(inWindow(metric as keyof typeof EVER, 'all'), `${column} of ${path}`, sums.sums[column])
  }

  overTime(path: string, state: (into: Quantities) => string | null): void {
    const alone = new Quantities('exact')
    const fault = faultOf(alone, state)
    // It states nothing else: that would be the same cause again.
    if (fault !== null) return void this.#faults.push(fault)
    state(this.all)
    const shown = [...NESTED.map((field) => inWindow(field, 'all')), MONTHS, cohortsIn('all')]
    if (shown.some((field) => alone.of('counts').value(field) > 0)) this.showing.push(path)
  }

  category(path: string, category: string, state: (into: Quantities) => string | null): void {
    const [one, ofAll] = [this.#category, this.#ofCategories]
    one.clear()
    const fault = faultOf(one, state)
    if (fault !== null) {
      const sentence = `${path}: ${fault}`
      if (ofAll.faults === 0 || sentence < ofAll.first) ofAll.first = sentence
      ofAll.faults += 1
      return
    }
    ofAll.files += 1
    const counts = one.of('counts')
    this.all.statement('category', IN_FILES).add(category, counts.numbers, 0, IN_WINDOWS.length)
    const months = counts.value(MONTHS)
    if (path < (this.#months.get(months) ?? '\uFFFF')) this.#months.set(months, path)
    for (const key of SUMMED_KEYS) {
      const { labels, numbers, width } = one.of(key)
      const sums = this.sums.statement(key, FILES)
      let at = 0
      for (const label of labels) {
        // Exports leave out a cohort without an idea.
        if (key !== 'cohort' || (numbers[at] ?? 0) > 0)
          sums.add(label, numbers, at, key === 'counts' ? SUMMED_COUNTS.length : width)
        at += width
      }
    }
  }

  /** States what follows from all documents. @returns what is wrong with single ones */
  end(manifest: Pick<Manifest, 'rows' | 'categories' | 'ignored' | 'dataAsOf'>): string[] {
    this.#manifest(manifest)
    for (const [months, path] of this.#months) this.all.count(MONTHS, `timelines.all of ${path}`, months)
    const faults = this.#series.flatMap(([combination, series]) => {
      const fault = this.#seriesFault(combination, series, manifest.dataAsOf)
      return fault === null ? [] : [`${snapshotPath({ ...combination, format: 'json' })}: ${fault}`]
    })
    const { files, first, faults: wrong } = this.#ofCategories
    const isComplete = files > 0 && files === this.all.of('counts').value(LISTED)
    // Without a row a status or a cohort has no idea.
    for (const [key, { length }] of [
      ['status', STATUS_COUNTS],
      ['cohort', COHORT_COUNTS],
    ] as const) {
      const path = snapshotPath({ endpoint: 'outcomes', category: null })
      if (this.all.of(key).has(path)) this.all.statement(key, path).fill(this.sums.of(key).labels, 0, length)
      if (isComplete) this.sums.statement(key, FILES).fill(this.all.of(key).labels, 0, length)
    }
    if (!isComplete) for (const key of SUMMED_KEYS) this.sums.of(key).drop(FILES)
    return [...this.#faults, ...faults].sort().concat(wrong === 0 ? [] : andMore(first, wrong - 1, 'file'))
  }

  #manifest({ rows, categories, ignored }: Pick<Manifest, 'rows' | 'categories' | 'ignored'>): void {
    const { all } = this
    const from = 'rows of manifest.json'
    for (const metric of ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const)
      all.count(inWindow(metric, 'all'), from, rows[metric])
    all.count(LISTED, from, rows.categories)
    all.count(LISTED, 'categories of manifest.json', categories.length)
    all.of('counts').agree()
    const undated = ignored.find(({ relation, reason }) => relation === 'users' && reason === UNDATED)?.rows ?? 0
    const users = all.of('counts').value(inWindow('users', 'all'))
    if (Number.isFinite(users))
      all
        .statement('counts', `all users less the ${undated} undated ones in manifest.json`)
        .set(DATED_USERS, users - undated)
  }

  #seriesFault(combination: ExportCombination, series: SeriesRowSums, dataAsOf: string): string | null {
    const { period, interval = ownInterval(period) } = combination
    const { type, width } = series
    const path = snapshotPath({ ...combination, format: 'json' })
    const isTimeline = type === 'timeline'
    const undated = period === 'all' && series.all.at(-1)?.['month'] === null ? 1 : 0
    const rows = series.all.slice(0, series.all.length - undated)
    const span = isTimeline ? { period, interval } : ({ period: 'all', interval: 'month' } as const)
    const buckets = this.calendar.bucketsOf(rows, isTimeline ? 'bucket' : 'month', span, dataAsOf)
    if (series.fault !== null) return series.fault
    if (typeof buckets === 'string') return buckets
    const key = isTimeline ? interval : 'cohort'
    const [ofAll, sums] = [Float64Array.from(series.ofAll), Float64Array.from(series.ofCategories)]
    for (const [i, label] of [...buckets.names, 'null'].slice(0, series.all.length).entries()) {
      const [from, to] = [i * width, (i + 1) * width]
      this.all.statement(key, path).put(label, ofAll.subarray(from, to))
      // By day they are of no category.
      if (interval === ownInterval(period)) this.sums.statement(key, path).put(label, sums.subarray(from, to))
    }
    if (!isTimeline) this.all.count(cohortsIn(period), path, series.all.length)
    // A category without a row counts nothing.
    else if (period !== 'all')
      this.all.statement('category', IN_ROWS).fill(this.all.of('category').labels, columnOf(period), NESTED.length)
    return null
  }

  #rowsOfCategories(period: Period, { byCategory }: SeriesRowSums): void {
    const stated = this.all.statement('category', IN_ROWS)
    for (const [category, counts] of byCategory) stated.put(category, counts, columnOf(period))
  }
}

function columnOf(period: Period): number {
  return PERIODS.indexOf(period) * NESTED.length
}

/** What is wrong with a document by itself, or what it contradicts in itself. */
function faultOf(alone: Quantities, state: (into: Quantities) => string | null): string | null {
  const fault = state(alone)
  if (fault !== null) return fault
  for (const contradiction of alone.faults()) return contradiction
  return null
}
