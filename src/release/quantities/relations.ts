// Owns the quantities of a set of ideas (all of the site, those of a category, or those of categories summed), by which the
// gate and `verify` judge, and the relation of the sums to the whole. What single kinds of documents add is in kinds/.
import { EXPORT_COLUMNS } from '../../contract/columns.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import { publishedTotalUsers, type PeopleMode } from '../../contract/people.ts'
import { recordOf } from '../../model/record-of.ts'
import { count } from '../../process/printable.ts'
import { andMore, isPublished, type Stated } from './numbers.ts'
import { Quantity, type TableShape } from './quantity.ts'

/** The fields of a row that counts ideas and what was done with them. */
export const NESTED = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const
/** What is counted in each window, as messages name it. */
const METRICS = recordOf(
  ['users', 'activeUsers', 'ideas', 'votes', 'comments', 'launchedIdeas', 'activeCategories'] as const,
  (metric) => metric.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`),
)
export type Metric = keyof typeof METRICS

export function inWindow(metric: Metric, period: Period): string {
  return period === 'all' ? `total ${METRICS[metric]}` : `${METRICS[metric]} in ${period}`
}
/** In the window of equal length just before. */
export function previous(metric: Metric, period: Period): string {
  return `${METRICS[metric]} in the ${period} before`
}
export function undated(metric: Metric): string {
  return `undated ${METRICS[metric]}`
}
export const LISTED = 'listed categories'
export const DATED_USERS = 'users with a date'

function buckets(...partOf: Period[]): TableShape {
  return { fields: NESTED, name: (field, label) => `${field} in bucket ${label}`, partOf, listed: 0 }
}

function ofCategories(period: Period): TableShape {
  const name = (field: string, category: string): string => `${field} of category ${JSON.stringify(category)}`
  return { fields: NESTED.map((field) => inWindow(field, period)), name, partOf: [], listed: NESTED.length }
}

/** What is odd in a row is said of the row, before the sums that it is in. */
const SHAPES = {
  hour: buckets('24h'),
  day: buckets('7d', '30d', '90d'),
  month: buckets('all'),
  status: {
    fields: ['ideas', 'votes', 'comments'],
    name: (field, label) => `${field} of ${label === 'null' ? 'the status null' : `status ${label}`}`,
    partOf: ['all'],
    listed: 3,
  },
  /** Of the ideas that were created in a month. */
  cohort: {
    fields: EXPORT_COLUMNS.outcomes.filter((column) => column !== 'category' && column !== 'month'),
    name: (field, label) => `${field} of ${label === 'null' ? 'the cohort without a month' : `the cohort of ${label}`}`,
    partOf: ['all'],
    listed: 4,
  },
  /** What all documents say of each category. */
  ...recordOf(
    PERIODS.map((period) => `categories in ${period}` as const),
    (key) => ofCategories(key.slice('categories in '.length) as Period),
  ),
  /** What is said of the whole set: each number is a row, called by its name. */
  counts: { fields: [''], name: (_, label) => label, isEachSaid: true, partOf: [], listed: 0 },
} as const satisfies Readonly<Record<string, TableShape>>
export type ShapeName = keyof typeof SHAPES
const KEYS = Object.keys(SHAPES) as readonly ShapeName[]
/** What is summed over the categories, the counts of the whole set first. */
export const SUMMED = ['counts', 'hour', 'day', 'month', 'status', 'cohort'] as const

const PEOPLE: ReadonlySet<string> = new Set([
  DATED_USERS,
  ...(['users', 'activeUsers'] as const).flatMap((metric) => PERIODS.map((period) => inWindow(metric, period))),
])

/** All quantities of a set of ideas. */
export class Quantities {
  /** How numbers of people are published. */
  readonly people: PeopleMode
  readonly of: Readonly<Record<ShapeName, Quantity>>
  readonly #suffix: string

  /** @param suffix what messages say after the name of a number */
  constructor(people: PeopleMode, suffix = '') {
    this.people = people
    this.#suffix = suffix
    this.of = recordOf(KEYS, (key) => new Quantity(SHAPES[key]))
  }

  /** States a number of the whole set. */
  set(name: string, where: string, value: Stated | undefined): void {
    this.of.counts.at(where).set(name, [value])
  }

  /** What all who state it agree on; odd = they do not. */
  value(name: string): Stated | undefined {
    return this.of.counts.value(name)
  }

  /** States a number of the whole set, from a document. @param isRight whether a mode of publishing people has such a value there */
  count(name: string, where: string, value: unknown, isRight = isPublished): void {
    const mode = PEOPLE.has(name) ? this.people : 'exact'
    // Equal counts are rounded alike, and a greater one to no less. 1 to 7 people are as many as stats says.
    if (!isRight(value, mode)) this.set(name, where, 'odd')
    else if (value !== null) this.set(name, where, value)
    // What is not published agrees with everything.
    else if (mode !== 'off') this.set(name, `${where}, where it is null`, publishedTotalUsers(1, mode))
  }

  /** What several places state otherwise. @param keys of the quantities to look at */
  *differences(keys: readonly ShapeName[] = KEYS): Generator<string> {
    const allowed = (name: string): string =>
      PEOPLE.has(name) && this.people !== 'exact'
        ? `as --people ${this.people} publishes it`
        : 'a whole number from 0 on'
    for (const key of keys) yield* this.of[key].differences(this.#suffix, allowed)
  }
}

/**
 * Where the categories sum to less than all ideas, or to more where they cannot.
 * @param shared ideas with several categories; odd = not known
 */
export function* sumFaults(all: Quantities, sums: Quantities, shared: Stated): Generator<string> {
  for (const key of SUMMED) {
    // What is wrong with a window is not said of its parts again.
    const { partOf } = sums.of[key].shape
    if (partOf.some((period) => NESTED.some((field) => all.value(inWindow(field, period)) === 'odd'))) continue
    const [first, ...others] = [...sumsOf(all.of[key], sums.of[key], shared)].sort()
    if (first === undefined) continue
    yield andMore(first, others.length, 'number')
    if (key === 'counts') return
  }
}

function* sumsOf(all: Quantity, sums: Quantity, shared: Stated): Generator<string> {
  for (const label of new Set([...all.agreed.keys(), ...sums.agreed.keys()]))
    for (const [column, field] of sums.shape.fields.entries()) {
      const [summed, whole] = [sums.value(label, column), all.value(label, column)]
      if (summed == null || whole == null || summed === 'odd' || whole === 'odd' || summed === whole) continue
      const isLess = summed < whole
      if (!isLess && shared !== 0 && whole > 0) continue
      const why = isLess ? 'every idea is in one at least' : shared === 0 ? 'no idea is in two' : 'all ideas have none'
      yield `${sums.shape.name(field, label)}: the categories sum to ${count(Math.abs(summed - whole))} ${isLess ? 'less' : 'more'} than all ideas, but ${why}`
    }
}
