// Owns the keys of the quantities that several documents of a release report, and their names in messages. Knows no document.
import { publishedTotalUsers, type PeopleMode } from '../../contract/people.ts'
import type { Period } from '../../contract/windows.ts'
import { isPublished } from './people-cells.ts'
import type { Stated } from './stated.ts'

/** The field of a row that counts it, in a category and over all ideas: it grows with the window. */
export const NESTED = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const
/** The fields of a row of categories that sum to at least what is counted over all ideas. */
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
export type Summed = (typeof SUMMED)[number]

/** The metrics, as messages name them. */
export const METRIC_NAMES = {
  users: 'users',
  activeUsers: 'active users',
  ideas: 'ideas',
  votes: 'votes',
  comments: 'comments',
  launchedIdeas: 'launched ideas',
  activeCategories: 'active categories',
} as const
export type Metric = keyof typeof METRIC_NAMES
/** Those that count people. */
const PEOPLE: ReadonlySet<Metric> = new Set(['users', 'activeUsers'] as const)
/** Each is counted in every window and grows with it. */
export const METRICS: readonly Metric[] = Object.keys(METRIC_NAMES) as Metric[]

export type Quantity =
  /** Counted over all ideas or users: in a window, in the window before it; in `all` it is the total. */
  | { readonly kind: 'count' | 'before'; readonly metric: Metric; readonly period: Period }
  /** Summed over the categories, which is not the total: an idea may be in several. */
  | { readonly kind: 'sum'; readonly field: Summed; readonly period: Period }
  /** Of an export, by its path. */
  | { readonly kind: 'rows'; readonly path: string }
  /** Users that some bucket of `all` counts: those without a date are in none. */
  | { readonly kind: 'dated users' }
  /** Counted in no bucket. */
  | { readonly kind: 'undated'; readonly metric: Metric }
  | { readonly kind: 'listed categories' }

export const DATED_USERS: Quantity = { kind: 'dated users' }
export const LISTED: Quantity = { kind: 'listed categories' }

export function countOf(metric: Metric, period: Period): Quantity {
  return { kind: 'count', metric, period }
}

export function totalOf(metric: Metric): Quantity {
  return countOf(metric, 'all')
}

export function sumOf(field: Summed, period: Period): Quantity {
  return { kind: 'sum', field, period }
}

export function undatedOf(metric: Metric): Quantity {
  return { kind: 'undated', metric }
}

/** null = before `all` there was nothing. */
export function before(metric: Metric, period: Period): Quantity | null {
  return period === 'all' ? null : { kind: 'before', metric, period }
}

export function rowsOf(path: string): Quantity {
  return { kind: 'rows', path }
}

/** What a field of a row of categories is a part of. */
export function ofAllIdeas(field: Summed, period: Period): Quantity | null {
  switch (field) {
    case 'totalIdeas':
      return totalOf('ideas')
    case 'previousIdeas':
      return before('ideas', period)
    case 'previousVotes':
      return before('votes', period)
    case 'previousComments':
      return before('comments', period)
    default:
      return countOf(field, period)
  }
}

/** The name of a quantity in a message. */
export function nameOf(quantity: Quantity): string {
  switch (quantity.kind) {
    case 'count': {
      const words = METRIC_NAMES[quantity.metric]
      return quantity.period === 'all' ? `total ${words}` : `${words} in ${quantity.period}`
    }
    case 'before':
      return `${METRIC_NAMES[quantity.metric]} in the ${quantity.period} before`
    case 'sum':
      return `${quantity.field} in ${quantity.period} summed over the categories`
    case 'rows':
      return `rows of ${quantity.path}`
    case 'dated users':
      return 'users with a date'
    case 'undated':
      return `undated ${METRIC_NAMES[quantity.metric]}`
    case 'listed categories':
      return 'listed categories'
  }
}

export function isOfPeople(quantity: Quantity): boolean {
  return quantity.kind === 'dated users' || ('metric' in quantity && PEOPLE.has(quantity.metric))
}

/** Every report of every quantity. NaN = the document has no value that may be there. */
export class Reports {
  /** How the documents publish numbers of people. */
  readonly people: PeopleMode
  readonly #all = new Map<string, { readonly quantity: Quantity; readonly reports: Stated[] }>()

  constructor(people: PeopleMode) {
    this.people = people
  }

  /** The same ones, to add others. */
  copy(): Reports {
    const copy = new Reports(this.people)
    for (const [key, { quantity, reports }] of this.#all) copy.#all.set(key, { quantity, reports: [...reports] })
    return copy
  }

  /** @param isRight whether a mode of publishing people has such a value there */
  add(quantity: Quantity, where: string, value: unknown, isRight = isPublished): void {
    const mode = isOfPeople(quantity) ? this.people : 'exact'
    const found = isRight(value, mode) ? value : Number.NaN
    // What is not published agrees with everything.
    if (found === null && mode === 'off') return
    const key = keyOf(quantity)
    const known = this.#all.get(key) ?? { quantity, reports: [] }
    if (known.reports.length === 0) this.#all.set(key, known)
    // Equal counts are rounded alike, and a greater one to no less. 1 to 7 people are as many as stats says.
    known.reports.push(
      found === null
        ? { where: `${where}, where it is null`, value: publishedTotalUsers(1, mode) }
        : { where, value: found },
    )
  }

  of(quantity: Quantity): readonly Stated[] {
    return this.#all.get(keyOf(quantity))?.reports ?? []
  }

  all(): Iterable<{ readonly quantity: Quantity; readonly reports: readonly Stated[] }> {
    return this.#all.values()
  }
}

/** All quantities of a kind are made with their fields in the same order. */
function keyOf(quantity: Quantity): string {
  return JSON.stringify(quantity)
}
