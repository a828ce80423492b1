// Owns the quantities of a set of ideas (all of the site, those of a category, or those of categories summed) and the
// relations between them: the table that the gate and `verify` judge by. Knows no document.
import { BOUNDED_PERIODS, PERIODS, type BoundedPeriod, type Period } from '../../contract/windows.ts'
import { publishedTotalUsers, type PeopleMode } from '../../contract/people.ts'
import { count } from '../../process/printable.ts'
import { shown } from './numbers.ts'
import { isPublished } from './people-cells.ts'
import { andMore, ODD, Quantity, type Shape, type Statement, type Where } from './quantity.ts'

/** The fields of a row that counts ideas and what was done with them. */
export const NESTED = ['ideas', 'votes', 'comments', 'launchedIdeas'] as const
/** What is counted in each window and grows with it, as messages name it. */
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
/** Before the first bucket of a timeline. */
export function until(metric: Metric, period: BoundedPeriod): string {
  return `${METRICS[metric]} before the last ${period}`
}
export function undated(metric: Metric): string {
  return `undated ${METRICS[metric]}`
}
export function cohortsIn(period: Period): string {
  return `cohorts of ${period}`
}
export const LISTED = 'listed categories'
export const MONTHS = 'months of all time'
export const DATED_USERS = 'users with a date'
/** What is known of launched ideas: their votes, and how many have a date of launch and of creation. */
export const LAUNCHED_VOTES = 'votes of launched ideas'
export const DATED = 'launched.dated'
/** Those of which one has none; of those the ones that have a date themselves. */
export const WITHOUT = 'launched ideas less launched.dated'
export const WITHOUT_LAUNCH = 'launched ideas of months less launched.dated'
/** Cohorts, and launched ideas of cohorts, where no launch is known because of one without a date. */
export const UNKNOWN = 'old months where launchedWithin30Days is null'
export const OPEN = 'launched ideas of months where launchedWithin30Days is null'

export const COHORT_COUNTS = ['ideas', 'votedIdeas', 'discussedIdeas', 'launchedIdeas'] as const
export const COHORT_AGES = ['launchedWithin30Days', 'launchedWithin90Days', 'launchedWithin365Days'] as const
export const STATUS_COUNTS = ['ideas', 'votes', 'comments'] as const

export const IN_WINDOWS: readonly string[] = PERIODS.flatMap((period) => NESTED.map((field) => inWindow(field, period)))
/** The window of one of these. */
export function periodOf(field: string): Period {
  return PERIODS[Math.floor(IN_WINDOWS.indexOf(field) / NESTED.length)] ?? 'all'
}

/** The longer a window, the more it counts. */
function growing(metrics: readonly Metric[]): string[][] {
  return metrics.map((metric) => PERIODS.map((period) => inWindow(metric, period)))
}
/** The longest window first: the longer it is, the less is before it. */
const BEFORE = BOUNDED_PERIODS.toReversed()
/** What is at least as much over the categories as over all ideas, because each idea is in one category or more. */
export const SUMMED_COUNTS: readonly string[] = [
  ...IN_WINDOWS,
  ...PERIODS.flatMap((period) => STATUS_COUNTS.map((field) => previous(field, period))),
  ...NESTED.map(undated),
  LAUNCHED_VOTES,
  DATED,
]

const BUCKETS: Shape = { fields: NESTED, row: (label) => ` in bucket ${label}` }
const SHAPES = {
  hour: BUCKETS,
  day: BUCKETS,
  month: BUCKETS,
  status: { fields: STATUS_COUNTS, row: (label) => ` of ${label === 'null' ? 'the status null' : `status ${label}`}` },
  cohort: {
    fields: [...COHORT_COUNTS, ...COHORT_AGES, ...COHORT_AGES.map((age) => `unknown ${age}`)],
    unless: COHORT_AGES.map((age) => [age, `unknown ${age}`] as const),
    row: (label) => ` of ${cohortName(label)}`,
    grow: [
      [...COHORT_AGES, 'launchedIdeas', 'ideas'],
      ['votedIdeas', 'ideas'],
      ['discussedIdeas', 'ideas'],
    ],
  },
  /** What all documents say of each category: 60 numbers, and there may be 20,000 categories. */
  category: { fields: IN_WINDOWS, row: (label) => ` of category ${JSON.stringify(label)}`, grow: growing(NESTED) },
  /** One row: what is said of the whole set. */
  counts: {
    fields: [
      ...SUMMED_COUNTS,
      ...(['users', 'activeUsers', 'activeCategories'] as const).flatMap((one) => PERIODS.map((p) => inWindow(one, p))),
      ...NESTED.flatMap((field) => BEFORE.map((period) => until(field, period))),
      ...PERIODS.map(cohortsIn),
      LISTED,
      MONTHS,
      DATED_USERS,
      WITHOUT,
      WITHOUT_LAUNCH,
      UNKNOWN,
      OPEN,
    ],
    grow: [
      ...growing(Object.keys(METRICS) as Metric[]),
      ...NESTED.map((field) => [undated(field), ...BEFORE.map((p) => until(field, p)), inWindow(field, 'all')]),
      [inWindow('launchedIdeas', 'all'), inWindow('ideas', 'all')],
      [LAUNCHED_VOTES, inWindow('votes', 'all')],
      [UNKNOWN, WITHOUT_LAUNCH, OPEN],
      [WITHOUT_LAUNCH, undated('launchedIdeas'), WITHOUT],
    ],
    isApart: true,
  },
} satisfies Readonly<Record<string, Shape>>
export type Key = keyof typeof SHAPES
/** What is odd in a row is said of the row, before the sums that it is in. */
const KEYS = Object.keys(SHAPES) as Key[]

export function cohortName(month: unknown): string {
  return month === null || month === 'null' ? 'the cohort without a month' : `the cohort of ${shown(month)}`
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
  readonly #all: Readonly<Record<Key, Quantity>>

  /** @param suffix what messages say after the name of a number */
  constructor(people: PeopleMode, suffix = '') {
    this.people = people
    this.#suffix = suffix
    this.#all = Object.fromEntries(KEYS.map((key) => [key, new Quantity(SHAPES[key])])) as Record<Key, Quantity>
  }

  of(key: Key): Quantity {
    return this.#all[key]
  }

  statement(key: Key, where: Where): Statement {
    return this.#all[key].statement(where)
  }

  /** States a number of the whole set, from a document. @param isRight whether a mode of publishing people has such a value there */
  count(field: string, where: string, value: unknown, isRight = isPublished): void {
    const mode = PEOPLE.has(field) ? this.people : 'exact'
    const found = isRight(value, mode) ? value : ODD
    // Equal counts are rounded alike, and a greater one to no less. 1 to 7 people are as many as stats says.
    if (found !== null) this.statement('counts', where).set(field, found)
    // What is not published agrees with everything.
    else if (mode !== 'off')
      this.statement('counts', `${where}, where it is null`).set(field, publishedTotalUsers(1, mode))
  }

  /** Forgets all numbers. */
  clear(): void {
    for (const key of KEYS) this.#all[key].clear()
  }

  /** What several places state otherwise. */
  *differences(keys: readonly Key[] = KEYS): Generator<string> {
    const allowed = (field: string): string =>
      PEOPLE.has(field) && this.people !== 'exact'
        ? `as --people ${this.people} publishes it`
        : 'a whole number from 0 on'
    for (const key of keys) yield* this.#all[key].differences(this.#suffix, allowed)
  }

  /** The same, and what is more than what contains it. */
  *faults(): Generator<string> {
    yield* this.differences()
    for (const key of KEYS) yield* this.#all[key].falls()
  }
}

/** What is summed over the categories, and the windows that it is a part of. */
const SUMMED = {
  counts: [],
  hour: ['24h'],
  day: ['7d', '30d', '90d'],
  month: ['all'],
  status: ['all'],
  cohort: ['all'],
} as const satisfies Partial<Record<Key, readonly Period[]>>
export const SUMMED_KEYS = Object.keys(SUMMED) as (keyof typeof SUMMED)[]

/**
 * Where the categories sum to less than all ideas, or to more where they cannot.
 * @param shared ideas with several categories; null = not known
 */
export function* sumFaults(
  keys: typeof SUMMED_KEYS,
  all: Quantities,
  sums: Quantities,
  shared: number | null,
): Generator<string> {
  for (const key of keys) {
    // What is wrong with a window is not said of its parts again.
    const isDoubted = SUMMED[key].some((period) =>
      NESTED.some((field) => all.of('counts').value(inWindow(field, period)) === ODD),
    )
    if (isDoubted) continue
    const faults = [...sumsOf(key, all, sums, shared)].sort()
    const [first] = faults
    if (first === undefined) continue
    yield andMore(first, faults.length - 1, 'number')
    if (key === 'counts') return
  }
}

function* sumsOf(key: Key, all: Quantities, sums: Quantities, shared: number | null): Generator<string> {
  const { shape, labels } = sums.of(key)
  const fields = key === 'counts' ? SUMMED_COUNTS : shape.fields.filter((field) => !field.startsWith('unknown'))
  for (const label of labels)
    for (const field of fields) {
      const [summed, whole] = [sums.of(key).value(field, label), all.of(key).value(field, label)]
      const more = summed - whole
      if (!Number.isFinite(more) || more === 0 || (more > 0 && shared !== 0 && whole > 0)) continue
      const why =
        more < 0 ? 'every idea is in one at least' : shared === 0 ? 'no idea is in two' : 'all ideas have none'
      yield `${field}${shape.row?.(label) ?? ''}: the categories sum to ${count(Math.abs(more))} ${more < 0 ? 'less' : 'more'} than all ideas, but ${why}`
    }
}
