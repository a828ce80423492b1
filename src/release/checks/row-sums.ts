// Owns what the rows of a streamed export add up to, batch by batch: there may be millions. Knows no other document.
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'
import { cohortInto, countsInto, numberOf, shown } from './numbers.ts'

export class IdeaRowSums {
  readonly type = 'ideas'
  rows = 0
  /** The columns of NESTED that it has: in the window, and ever. */
  readonly sums: Record<'votes' | 'comments' | 'totalVotes' | 'totalComments', number> = {
    votes: 0,
    comments: 0,
    totalVotes: 0,
    totalComments: 0,
  }

  add(rows: readonly ExportRow[]): void {
    const { sums } = this
    this.rows += rows.length
    for (const row of rows) {
      sums.votes += numberOf(row['votes'])
      sums.comments += numberOf(row['comments'])
      sums.totalVotes += numberOf(row['totalVotes'])
      sums.totalComments += numberOf(row['totalComments'])
    }
  }
}

const TYPES = {
  timeline: { column: 'bucket', into: countsInto, width: 4 },
  outcomes: { column: 'month', into: cohortInto, width: 10 },
} as const

/** Sums over an export with rows for all ideas, one for each bucket or month, and then the same of categories. */
export class SeriesRowSums {
  readonly type: keyof typeof TYPES
  rows = 0
  /** The first row that cannot be; null = none. */
  fault: string | null = null
  /** The rows of all ideas, for what may be missing or another one. */
  readonly all: ExportRow[] = []
  /** By row of all ideas: its numbers, and the sums of the rows of categories. */
  readonly ofAll: number[] = []
  readonly ofCategories: number[] = []
  /** Over the rows of a category, of a timeline: no other document lists categories' cohorts. */
  readonly byCategory: Map<string, Float64Array> = new Map()
  readonly #rowOf = new Map<unknown, number>()
  readonly #row = new Float64Array(10)
  /** Of the category of the row before: the rows of one follow each other. */
  #last: { readonly category: unknown; readonly sums: Float64Array } | null = null

  constructor(type: keyof typeof TYPES) {
    this.type = type
  }

  get width(): number {
    return TYPES[this.type].width
  }

  add(rows: readonly ExportRow[]): void {
    for (const row of rows) {
      this.rows += 1
      this.fault ??= this.#add(row)
    }
  }

  #add(row: ExportRow): string | null {
    const { column, into, width } = TYPES[this.type]
    const { category = null, [column]: label = null } = row
    into(this.#row, 0, row)
    if (category === null) {
      this.#rowOf.set(label, this.all.length)
      this.all.push(row)
      for (let i = 0; i < width; i += 1) {
        this.ofAll.push(this.#row[i] ?? 0)
        this.ofCategories.push(0)
      }
      return null
    }
    const index = this.#rowOf.get(label)
    if (index === undefined) return `row ${this.rows}: its ${column} ${shown(label)} has no row of all ideas before it`
    const sums = this.type === 'timeline' ? this.#sumsOf(category, width) : null
    let all = 0
    for (let i = 0; i < width; i += 1) {
      const value = this.#row[i] || 0
      if (i < 4) all += value
      if (sums !== null) sums[i] = (sums[i] ?? 0) + value
      const at = index * width + i
      this.ofCategories[at] = (this.ofCategories[at] ?? 0) + value
    }
    return all === 0 ? `row ${this.rows}: it counts nothing, and is of a category` : null
  }

  #sumsOf(category: unknown, width: number): Float64Array {
    if (this.#last !== null && this.#last.category === category) return this.#last.sums
    const sums = this.byCategory.get(shown(category)) ?? new Float64Array(width)
    this.byCategory.set(shown(category), sums)
    this.#last = { category, sums }
    return sums
  }
}

export type StreamedRowSums = IdeaRowSums | SeriesRowSums

/** null = the rows of the export are few. */
export function rowSumsOf(type: ExportType): StreamedRowSums | null {
  if (type === 'ideas') return new IdeaRowSums()
  return type === 'timeline' || type === 'outcomes' ? new SeriesRowSums(type) : null
}
