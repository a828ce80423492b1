// Owns the quantities of a set of ideas (all of the site, those of a category, or those of categories summed), by which the
// gate and `verify` judge, and the relation of the sums to the whole. What single kinds of documents add is in kinds/.
import { PERIODS, type Period } from '../../contract/windows.ts'
import { publishedTotalUsers, type PeopleMode } from '../../contract/people.ts'
import { count } from '../../process/printable.ts'
import { isPublished } from './numbers.ts'
import { andMore, Quantity, type Shape, type Stated, type Statement, type Where } from './quantity.ts'

/** The fields of a row that counts ideas and what was done with them. */
export const NESTED = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const
/** What is counted in each window, as messages name it. */
const METRICS = {
  users: 'users',
  activeUsers: 'active users',
  ideas: 'ideas',
  votes: 'votes',
  comments: 'comments',
  launchedIdeas: 'launched ideas',
  activeCategories: 'active categories',
} as const
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

export const IN_WINDOWS: readonly string[] = PERIODS.flatMap((period) => NESTED.map((field) => inWindow(field, period)))
/** Where the fields of a window begin among these. */
export function columnOf(period: Period): number {
  return PERIODS.indexOf(period) * NESTED.length
}
/** The window of one of these. */
export function periodOf(field: string): Period {
  return PERIODS[Math.floor(IN_WINDOWS.indexOf(field) / NESTED.length)] ?? 'all'
}

/** The quantities that no kind of documents adds. What is odd in a row is said of the row, before the sums that it is in. */
export const OF_ALL_KINDS: Readonly<Record<string, Shape>> = {
  /** What all documents say of each category: 20 numbers, and there may be 20,000 categories. */
  category: { fields: IN_WINDOWS, name: (field, label) => `${field} of category ${JSON.stringify(label)}` },
  /** What is said of the whole set: each number is a row, called by its name. */
  counts: { fields: [''], name: (_, label) => label, isEachSaid: true, partOf: [] },
}

const PEOPLE: ReadonlySet<string> = new Set([
  DATED_USERS,
  ...(['users', 'activeUsers'] as const).flatMap((metric) => PERIODS.map((period) => inWindow(metric, period))),
])

/** All quantities of a set of ideas. */
export class Quantities {
  /** How numbers of people are published. */
  readonly people: PeopleMode
  readonly #suffix: string
  readonly #all: ReadonlyMap<string, Quantity>

  /** @param suffix what messages say after the name of a number */
  constructor(shapes: Readonly<Record<string, Shape>>, people: PeopleMode, suffix = '') {
    this.people = people
    this.#suffix = suffix
    this.#all = new Map(Object.entries(shapes).map(([key, shape]) => [key, new Quantity(shape)]))
  }

  of(key: string): Quantity {
    const quantity = this.#all.get(key)
    if (quantity === undefined) throw new RangeError(`no quantity ${key}`)
    return quantity
  }

  statement(key: string, where: Where): Statement {
    return this.of(key).statement(where)
  }

  /** States a number of the whole set. */
  set(name: string, where: string, value: Stated): void {
    this.statement('counts', where).put(name, [value])
  }

  /** What all who state it agree on; NaN = they do not. */
  value(name: string): Stated {
    return this.of('counts').value(name)
  }

  /** States a number of the whole set, from a document. @param isRight whether a mode of publishing people has such a value there */
  count(name: string, where: string, value: unknown, isRight = isPublished): void {
    const mode = PEOPLE.has(name) ? this.people : 'exact'
    const found = isRight(value, mode) ? value : Number.NaN
    // Equal counts are rounded alike, and a greater one to no less. 1 to 7 people are as many as stats says.
    if (found !== null) this.set(name, where, found)
    // What is not published agrees with everything.
    else if (mode !== 'off') this.set(name, `${where}, where it is null`, publishedTotalUsers(1, mode))
  }

  /** Forgets all numbers. */
  clear(): void {
    for (const quantity of this.#all.values()) quantity.clear()
  }

  /** What several places state otherwise. @param keys of the quantities to look at */
  *differences(keys: Iterable<string> = this.#all.keys()): Generator<string> {
    const allowed = (name: string): string =>
      PEOPLE.has(name) && this.people !== 'exact'
        ? `as --people ${this.people} publishes it`
        : 'a whole number from 0 on'
    for (const key of keys) yield* this.of(key).differences(this.#suffix, allowed)
  }
}

/**
 * Where the categories sum to less than all ideas, or to more where they cannot.
 * @param shapes of the quantities that are summed, that of the whole set first
 * @param shared ideas with several categories; NaN = not known
 */
export function* sumFaults(
  shapes: readonly (readonly [key: string, shape: Shape])[],
  all: Quantities,
  sums: Quantities,
  shared: number,
): Generator<string> {
  for (const [key, { partOf = [] }] of shapes) {
    // What is wrong with a window is not said of its parts again.
    if (partOf.some((period) => NESTED.some((field) => Number.isNaN(all.value(inWindow(field, period)))))) continue
    const faults = [...sumsOf(key, all, sums, shared)].sort()
    const [first] = faults
    if (first === undefined) continue
    yield andMore(first, faults.length - 1, 'number')
    if (key === 'counts') return
  }
}

function* sumsOf(key: string, all: Quantities, sums: Quantities, shared: number): Generator<string> {
  const { shape, labels } = sums.of(key)
  for (const label of labels)
    for (const [column, field] of shape.fields.entries()) {
      const [summed, whole] = [sums.of(key).value(label, column), all.of(key).value(label, column)]
      if (summed == null || whole == null) continue
      const more = summed - whole
      if (Number.isNaN(more) || more === 0 || (more > 0 && shared !== 0 && whole > 0)) continue
      const why =
        more < 0 ? 'every idea is in one at least' : shared === 0 ? 'no idea is in two' : 'all ideas have none'
      yield `${shape.name(field, label)}: the categories sum to ${count(Math.abs(more))} ${more < 0 ? 'less' : 'more'} than all ideas, but ${why}`
    }
}
