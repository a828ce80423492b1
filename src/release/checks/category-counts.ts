// Owns what several kinds of documents count in each category and period, and the sentence where they differ. Memory: 60
// numbers for each category, of which there may be 20,000.
import { PERIODS, type Period } from '../../contract/windows.ts'
import { NESTED } from './quantities.ts'
import { differing, firstOf } from './stated.ts'

/** The categories documents, the timelines in the files of categories, the rows of the timeline exports. */
const KINDS = ['categories', 'timelines', 'rows'] as const
type Kind = (typeof KINDS)[number]
export type CategoryField = (typeof NESTED)[number]

type Where = Readonly<Record<Kind, (category: string, period: Period) => string>>

export class CategoryCounts {
  /** A plain array would take half as much again. NaN = not counted. */
  readonly #byName = new Map<string, Float64Array>()
  /** In whose rows a category without a row counts nothing. */
  readonly #rowsOf = new Set<Period>()

  get names(): Iterable<string> {
    return this.#byName.keys()
  }

  set(kind: Kind, category: string, period: Period, counts: ArrayLike<number>): void {
    let all = this.#byName.get(category)
    if (all === undefined) {
      all = new Float64Array(KINDS.length * PERIODS.length * NESTED.length).fill(Number.NaN)
      this.#byName.set(category, all)
    }
    for (const [f, field] of NESTED.entries()) all[at(kind, period, field)] = counts[f] ?? Number.NaN
  }

  /** Of all rows of a period. */
  setRows(period: Period, byCategory: ReadonlyMap<string, ArrayLike<number>>): void {
    this.#rowsOf.add(period)
    for (const [category, counts] of byCategory) this.set('rows', category, period, counts)
  }

  value(kind: Kind, category: string, period: Period, field: CategoryField): number {
    const value = this.#byName.get(category)?.[at(kind, period, field)] ?? Number.NaN
    return kind === 'rows' && Number.isNaN(value) && this.#rowsOf.has(period) ? 0 : value
  }

  /** @param isAgreed of a field on which the categories documents do not agree, nothing more is said */
  faults(where: Where, isAgreed: (field: CategoryField, period: Period) => boolean): string[] {
    return firstOf(this.#differences(where, isAgreed), 'number')
  }

  *#differences(where: Where, isAgreed: (field: CategoryField, period: Period) => boolean): Generator<string> {
    const judged = PERIODS.flatMap((period) =>
      NESTED.filter((field) => isAgreed(field, period)).map((field) => ({ period, field })),
    )
    for (const category of [...this.#byName.keys()].sort())
      for (const { period, field } of judged) {
        if (this.#isSame(category, period, field)) continue
        const stated = KINDS.flatMap((kind) => {
          const value = this.value(kind, category, period, field)
          return Number.isNaN(value) ? [] : [{ kind, value }]
        })
        const named = stated.map(({ kind, value }) => ({ value, where: where[kind](category, period) }))
        yield differing(`${field} in ${period} of category ${JSON.stringify(category)}`, named) ?? ''
      }
  }

  /** NaN is of no document. */
  #isSame(category: string, period: Period, field: CategoryField): boolean {
    let same = Number.NaN
    for (const kind of KINDS) {
      const value = this.value(kind, category, period, field)
      if (value === same || Number.isNaN(value)) continue
      if (!Number.isNaN(same)) return false
      same = value
    }
    return true
  }
}

function at(kind: Kind, period: Period, field: CategoryField): number {
  return (KINDS.indexOf(kind) * PERIODS.length + PERIODS.indexOf(period)) * NESTED.length + NESTED.indexOf(field)
}
