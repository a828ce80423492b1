// Owns what timelines, outcomes and their exports state, collected as they are made or read, for the rules to compare when
// all is there. Keeps the few documents of all ideas, and of categories sums only.
import { snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { PERIODS } from '../../contract/windows.ts'
import type { CategoryCounts } from './category-counts.ts'
import { CategorySums } from './category-sums.ts'
import { outcomeTotals, OutcomesReader } from './outcome-rules.ts'
import { overTimeFaults, type Agreed, type Collected } from './over-time-rules.ts'
import { countOf, NESTED, totalOf, undatedOf, type Reports } from './quantities.ts'
import type { OutcomeRowSums, TimelineRowSums } from './row-sums.ts'
import { readCategory, spanNameOf } from './set-rules.ts'
import { andMore, type Fields } from './stated.ts'
import { TimelineReader, type Span } from './timeline-rules.ts'

type OverTimeCombination = Extract<Combination, { readonly endpoint: 'timeline' | 'outcomes' | 'category' }>
export type ExportCombination = Omit<Extract<Combination, { readonly endpoint: 'export' }>, 'format'>

export class OverTime {
  readonly #reports: Reports
  readonly #collected: Collected
  readonly #readers = { timelines: new TimelineReader(), outcomes: new OutcomesReader() }
  readonly #faults: string[] = []
  readonly #ofCategories = new CategoryFaults()

  constructor(reports: Reports, counts: CategoryCounts) {
    this.#reports = reports
    this.#collected = {
      timelines: new Map(),
      timelineRows: new Map(),
      outcomeRows: new Map(),
      outcomes: null,
      sums: new CategorySums(),
      counts,
      beginnings: new Map(),
    }
  }

  take(combination: OverTimeCombination, document: Fields): void {
    switch (combination.endpoint) {
      case 'timeline':
        return this.#timeline(snapshotPath(combination), combination, document)
      case 'outcomes':
        return this.#outcomes(snapshotPath(combination), document)
      case 'category':
        return this.#category(combination.category, document)
    }
  }

  timelineRows(combination: ExportCombination, sums: TimelineRowSums): void {
    const path = snapshotPath({ ...combination, format: 'json' })
    if (sums.fault !== null) return void this.#faults.push(`${path}: ${sums.fault}`)
    const { all, categories } = sums
    this.#collected.timelineRows.set(spanNameOf(combination), { path, of: { all, categories } })
    // The rows of `all` leave out what has no date, and by day they are of no category.
    if (combination.period !== 'all') this.#collected.counts.setRows(combination.period, sums.byCategory)
  }

  outcomeRows(combination: ExportCombination, sums: OutcomeRowSums): void {
    const path = snapshotPath({ ...combination, format: 'json' })
    if (sums.fault !== null) this.#faults.push(`${path}: ${sums.fault}`)
    else this.#collected.outcomeRows.set(combination.period, { path, of: sums })
  }

  #timeline(path: string, span: Span, document: Fields): void {
    const timeline = this.#readers.timelines.read(document, span)
    if (typeof timeline === 'string') return void this.#faults.push(`${path}: ${timeline}`)
    this.#collected.timelines.set(spanNameOf(span), { path, of: timeline })
    for (const [f, field] of NESTED.entries()) {
      // What has no date and all buckets of `all` are its totals, by the rules inside it.
      if (span.period !== 'all') this.#reports.add(countOf(field, span.period), `${field} of ${path}`, timeline.sums[f])
      this.#reports.add(totalOf(field), `total ${field} of ${path}`, timeline.totals[f])
      this.#reports.add(undatedOf(field), path, timeline.undated[f])
    }
  }

  #outcomes(path: string, document: Fields): void {
    const { dataAsOf } = document
    const outcomes = this.#readers.outcomes.read(document, dataAsOf)
    if (typeof outcomes === 'string') return void this.#faults.push(`${path}: ${outcomes}`)
    this.#collected.outcomes = { path, of: outcomes, asOfMs: Date.parse(String(dataAsOf)) }
    for (const { field, where, value } of outcomeTotals(outcomes))
      this.#reports.add(totalOf(field), `${where} of ${path}`, value)
  }

  #category(category: string, document: Fields): void {
    const set = readCategory(document, category, this.#readers)
    if (typeof set === 'string')
      return this.#ofCategories.add(`${snapshotPath({ endpoint: 'category', category })}: ${set}`)
    const { sums, counts, beginnings } = this.#collected
    const beginning = set.timelines.all.labels[0] ?? 'nothing'
    const known = beginnings.get(beginning)
    if (known === undefined || category < known) beginnings.set(beginning, category)
    sums.add(set)
    for (const period of PERIODS) {
      const timeline = set.timelines[period]
      counts.set('timelines', category, period, period === 'all' ? timeline.totals : timeline.sums)
    }
  }

  /** @param shared ideas with several categories; null = not known */
  faults(agreed: Agreed, shared: number | null): string[] {
    return [
      ...this.#faults.toSorted(),
      ...this.#ofCategories.sentences,
      ...overTimeFaults(this.#collected, agreed, shared),
    ]
  }

  /** The documents of all ideas that show something: of a closed site not even where `all` begins. */
  showing(): string[] {
    const { timelines, outcomes } = this.#collected
    const paths = [...timelines].flatMap(([span, { path, of }]) =>
      of.totals.some((total) => total > 0) || (span.startsWith('all') && of.labels.length > 0) ? [path] : [],
    )
    if (outcomes !== null && outcomes.of.statuses.length + outcomes.of.cohorts.length > 0) paths.push(outcomes.path)
    return paths.sort()
  }
}

/** One sentence for the files of all categories, whichever was read first. */
class CategoryFaults {
  #first: string | null = null
  #all = 0

  add(sentence: string): void {
    if (this.#first === null || sentence < this.#first) this.#first = sentence
    this.#all += 1
  }

  get sentences(): string[] {
    return this.#first === null ? [] : [andMore(this.#first, this.#all - 1, 'file')]
  }
}
