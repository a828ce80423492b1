// Owns what the rows of a streamed export add up to, batch by batch: there may be millions. Knows no other document.
import type { ExportRow } from '../../contract/documents.ts'
import type { ExportType } from '../../contract/endpoints.ts'
import { COHORT_AGES, COHORT_COUNTS, cohortCountFault, cohortName } from './outcome-rules.ts'
import { NESTED } from './quantities.ts'
import { countFault, shown, type Fields } from './stated.ts'
import { countsInto, type Counted } from './timeline-rules.ts'

interface RowSums {
  rows: number
  add(rows: readonly ExportRow[]): void
}

export class IdeaRowSums implements RowSums {
  readonly type = 'ideas'
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

/** By bucket: of all ideas, and over the categories. By category: over the buckets. */
export class TimelineRowSums implements RowSums {
  readonly type = 'timeline'
  rows = 0
  /** The first row that cannot be; null = none. */
  fault: string | null = null
  readonly byCategory: Map<string, Float64Array> = new Map()
  readonly #labels: string[] = []
  readonly #indexOf = new Map<unknown, number>()
  readonly #ofAll: number[] = []
  readonly #ofCategories: number[] = []
  /** Of the row. */
  readonly #counts = new Float64Array(NESTED.length)
  /** Of the category of the row before: the rows of one follow each other. */
  #last: { readonly category: string; readonly sums: Float64Array } | null = null

  /** The rows of all ideas. */
  get all(): Counted {
    return { labels: this.#labels, counts: Float64Array.from(this.#ofAll) }
  }

  /** The sums of the rows of categories. */
  get categories(): Counted {
    return { labels: this.#labels, counts: Float64Array.from(this.#ofCategories) }
  }

  add(rows: readonly ExportRow[]): void {
    for (const row of rows) {
      this.rows += 1
      this.fault ??= this.#add(row)
    }
  }

  #add(row: ExportRow): string | null {
    if (!countsInto(this.#counts, 0, row)) return countFault(row, NESTED, () => `row ${this.rows}`)
    const { bucket = null, category = null } = row
    if (category === null) return this.#addOfAll(shown(bucket))
    const index = this.#indexOf.get(bucket)
    if (index === undefined) return `row ${this.rows}: its bucket ${shown(bucket)} has no row of all ideas before it`
    if (isZero(this.#counts)) return `row ${this.rows}: it counts nothing, and is of a category`
    const sums = this.#sumsOf(shown(category))
    for (let f = 0; f < NESTED.length; f += 1) {
      const counted = this.#counts[f] ?? 0
      const at = index * NESTED.length + f
      sums[f] = (sums[f] ?? 0) + counted
      this.#ofCategories[at] = (this.#ofCategories[at] ?? 0) + counted
    }
    return null
  }

  #addOfAll(bucket: string): null {
    this.#indexOf.set(bucket, this.#labels.length)
    this.#labels.push(bucket)
    this.#ofAll.push(...this.#counts)
    for (let f = 0; f < NESTED.length; f += 1) this.#ofCategories.push(0)
    return null
  }

  #sumsOf(category: string): Float64Array {
    if (this.#last?.category === category) return this.#last.sums
    const sums = this.byCategory.get(category) ?? new Float64Array(NESTED.length)
    this.byCategory.set(category, sums)
    this.#last = { category, sums }
    return sums
  }
}

function isZero(counts: Float64Array): boolean {
  for (let f = 0; f < counts.length; f += 1) if (counts[f] !== 0) return false
  return true
}

const ADDED = [...COHORT_COUNTS, ...COHORT_AGES] as const

/** The fields of cohorts by month, over categories. */
export class CohortSums {
  /** By month: COHORT_COUNTS, COHORT_AGES, then how many did not know each of COHORT_AGES. */
  readonly byMonth: Map<string | null, Float64Array> = new Map()

  /** A cohort without an idea adds nothing: exports leave it out. */
  add(cohort: Fields): void {
    if (cohort['ideas'] === 0) return
    const month = cohort['month'] as string | null
    let sums = this.byMonth.get(month)
    if (sums === undefined) this.byMonth.set(month, (sums = new Float64Array(ADDED.length + COHORT_AGES.length)))
    for (let i = 0; i < ADDED.length; i += 1) {
      const value = cohort[ADDED[i] ?? ''] as number | null
      // Only a field of COHORT_AGES is null.
      const at = value === null ? i + COHORT_AGES.length : i
      sums[at] = (sums[at] ?? 0) + (value ?? 1)
    }
  }
}

/** Of all ideas the rows themselves: one for each month. */
export class OutcomeRowSums implements RowSums {
  readonly type = 'outcomes'
  rows = 0
  fault: string | null = null
  readonly all: ExportRow[] = []
  readonly categories: CohortSums = new CohortSums()

  add(rows: readonly ExportRow[]): void {
    for (const row of rows) {
      this.rows += 1
      this.fault ??= cohortCountFault(row, () => `row ${this.rows}`)
      if (row['category'] === null) this.all.push(row)
      else if (row['ideas'] === 0)
        this.fault ??= `row ${this.rows}: ${cohortName(row['month'])} has no idea, and is of a category`
      else this.categories.add(row)
    }
  }
}

export type StreamedRowSums = IdeaRowSums | TimelineRowSums | OutcomeRowSums

/** null = the rows of the export are few. */
export function rowSumsOf(type: ExportType): StreamedRowSums | null {
  switch (type) {
    case 'ideas':
      return new IdeaRowSums()
    case 'timeline':
      return new TimelineRowSums()
    case 'outcomes':
      return new OutcomeRowSums()
    case 'overview':
    case 'users':
    case 'categories':
    case 'history':
      return null
  }
}
