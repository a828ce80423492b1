// Owns the values on which all documents of a release agree, and the sentences about those on which they do not. Reads no file.
import { isOfPeople, LISTED, nameOf, totalOf, type Quantity, type Reports } from './quantities.ts'
import { differing } from './stated.ts'
import type { Manifest } from '../format/manifest.ts'

/** Of another value than an agreed one, a rule would report the same cause again. */
export class AgreedValues {
  readonly #reports: Reports

  constructor(documents: Reports, { rows, categories }: Pick<Manifest, 'categories' | 'rows'>) {
    this.#reports = documents.copy()
    const from = 'rows of manifest.json'
    for (const metric of ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const)
      this.#reports.add(totalOf(metric), from, rows[metric])
    this.#reports.add(LISTED, from, rows.categories)
    this.#reports.add(LISTED, 'categories of manifest.json', categories.length)
  }

  /** What all state; null = not reported, wrong, or not everywhere the same. */
  value(quantity: Quantity): number | null {
    const [value = Number.NaN, ...others] = new Set(this.#reports.of(quantity).map((report) => report.value))
    return others.length > 0 || Number.isNaN(value) ? null : value
  }

  *disagreements(): Generator<string> {
    // Where categories are missing, so are their counts.
    const withoutSums = this.value(LISTED) === null
    const named = Array.from(this.#reports.all(), ({ quantity, reports }) => ({
      quantity,
      reports: reports.toSorted((a, b) => (a.where < b.where ? -1 : 1)),
      name: nameOf(quantity),
    }))
    // In a fixed order: that of writing differs from build to build.
    for (const { quantity, reports, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const odd = reports.find(({ value }) => Number.isNaN(value))
      const sentence =
        odd === undefined ? differing(name, reports) : `${name}: not ${this.#allowed(quantity)} in ${odd.where}`
      if (sentence !== null && !(withoutSums && quantity.kind === 'sum')) yield sentence
    }
  }

  #allowed(quantity: Quantity): string {
    const { people } = this.#reports
    return isOfPeople(quantity) && people !== 'exact'
      ? `as --people ${people} publishes it`
      : 'a whole number from 0 on'
  }
}
