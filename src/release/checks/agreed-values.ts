// Owns the values on which all documents of a release agree, and the sentences about those on which they do not. Values are
// ranges, because a published number of people may stand for several; two agree if they meet. Reads no file.
import { rangeOf, type PeopleMode, type Range } from '../../contract/people.ts'
import { count } from '../../process/printable.ts'
import { isOfPeople, LISTED, nameOf, Reports, totalOf, type Quantity, type Report } from './quantities.ts'
import { peopleModeOf, type Manifest } from '../format/manifest.ts'

/** Of another value than an agreed one, a rule would report the same cause again. */
export class AgreedValues {
  readonly #reports = new Reports()
  readonly #people: PeopleMode

  constructor(
    documents: Reports,
    { rows, categories, options }: Pick<Manifest, 'categories' | 'rows'> & Partial<Pick<Manifest, 'options'>>,
  ) {
    for (const { quantity, reports } of documents.all())
      for (const report of reports) this.#reports.addRange(quantity, report.where, report.wrong ? null : report)
    this.#people = peopleModeOf(options)
    const from = 'rows of manifest.json'
    this.#reports.addRange(totalOf('users'), from, rangeOf(rows.users, this.#people))
    for (const metric of ['ideas', 'votes', 'comments', 'launchedIdeas'] as const)
      this.#reports.add(totalOf(metric), from, rows[metric])
    this.#reports.add(LISTED, from, rows.categories)
    this.#reports.add(LISTED, 'categories of manifest.json', categories.length)
  }

  /** What all reports have in common; null = not reported, wrong, or nothing in common. */
  range(quantity: Quantity): Range | null {
    const reports = this.#reports.of(quantity)
    if (reports.length === 0 || reports.some(({ wrong }) => wrong)) return null
    const low = Math.max(...reports.map((one) => one.low))
    const high = Math.min(...reports.map((one) => one.high))
    return low <= high ? { low, high } : null
  }

  /** Of what is not of people; null = not reported, or not everywhere the same. */
  value(quantity: Quantity): number | null {
    const range = this.range(quantity)
    return range !== null && range.low === range.high ? range.low : null
  }

  *disagreements(): Generator<string> {
    // Where categories are missing, so are their counts.
    const withoutSums = this.value(LISTED) === null
    const named = Array.from(this.#reports.all(), ({ quantity, reports }) => ({
      quantity,
      reports,
      name: nameOf(quantity),
    }))
    // In a fixed order: that of writing differs from build to build.
    for (const { quantity, reports, name } of named.sort((a, b) => (a.name < b.name ? -1 : 1))) {
      const sentence = disagreement(name, reports, this.#allowed(quantity))
      if (sentence !== null && !(withoutSums && quantity.kind === 'sum')) yield sentence
    }
  }

  #allowed(quantity: Quantity): string {
    const published = isOfPeople(quantity) && this.#people !== 'exact'
    return published ? `as --people ${this.#people} publishes it` : 'a whole number from 0 on'
  }
}

function disagreement(name: string, unsorted: readonly Report[], allowed: string): string | null {
  const reports = unsorted.toSorted((a, b) => (a.where < b.where ? -1 : 1))
  const odd = reports.find(({ wrong }) => wrong)
  return odd === undefined ? contradiction(name, reports) : `${name}: not ${allowed} in ${odd.where}`
}

type Stated = Range & Pick<Report, 'where'>

/** `name: 4 in A, but 5 in B and another in 1 more`; null = all have something in common: any two meet. */
export function contradiction(name: string, reports: readonly Stated[]): string | null {
  for (const first of mostFirst(reports)) {
    const [other, ...more] = reports.filter((one) => !meet(first, one))
    if (other === undefined) continue
    return `${name}: ${rangeText(first)} in ${first.where}, but ${rangeText(other)} in ${other.where}${more.length === 0 ? '' : ` and another in ${count(more.length)} more`}`
  }
  return null
}

/** What most documents report comes first: one that differs is more likely wrong. */
function mostFirst(reports: readonly Stated[]): readonly Stated[] {
  const times = ({ low, high }: Range): number => reports.filter((one) => one.low === low && one.high === high).length
  return reports.toSorted((a, b) => times(b) - times(a))
}

export function meet(one: Range, other: Range): boolean {
  return one.low <= other.high && other.low <= one.high
}

export function isBelow(one: Range, other: Range): boolean {
  return one.high < other.low
}

/** null = not a number. */
export function exactly(value: number): Range | null {
  return Number.isNaN(value) ? null : { low: value, high: value }
}

export function rangeText({ low, high }: Range): string {
  if (low === high) return count(low)
  return high === Number.POSITIVE_INFINITY ? `${count(low)} or more` : `${count(low)} to ${count(high)}`
}
