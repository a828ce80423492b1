// Owns what the files of all categories sum to, and the rule for sums over categories: every idea is in one at least. Memory
// does not grow with the number of categories.
import { PERIODS, type Period } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import { COHORT_AGES, COHORT_COUNTS, cohortName, STATUS_COUNTS, statusName, type Outcomes } from './outcome-rules.ts'
import { NESTED } from './quantities.ts'
import { CohortSums } from './row-sums.ts'
import type { CategorySet } from './set-rules.ts'
import { differing, firstOf, type Fields } from './stated.ts'
import type { Counted, Timeline } from './timeline-rules.ts'

/**
 * What is wrong with a sum over categories; null = nothing.
 * @param shared ideas with several categories; null = not known
 */
export function sumFault(what: string, summed: number, all: number, shared: number | null): string | null {
  const more = summed - all
  if (more === 0 || (more > 0 && shared !== 0 && all > 0)) return null
  const why = more < 0 ? 'every idea is in one at least' : shared === 0 ? 'no idea is in two' : 'all ideas have none'
  return `${what}: the categories sum to ${count(Math.abs(more))} ${more < 0 ? 'less' : 'more'} than all ideas, but ${why}`
}

const LAUNCHED = ['ideas', 'votes', 'dated'] as const

export class CategorySums {
  files = 0
  readonly cohorts: CohortSums = new CohortSums()
  readonly #counted = new Map<Period, Counted>()
  readonly #undated = new Float64Array(NESTED.length)
  readonly #statuses = new Map<string | null, number[]>()
  readonly #launched = LAUNCHED.map(() => 0)

  /** @returns whether its buckets are those of the files before it: if not, it is not counted */
  add({ timelines, outcomes }: CategorySet): boolean {
    for (const period of PERIODS) {
      const { labels } = timelines[period]
      const known = this.#counted.get(period)
      if (known === undefined)
        this.#counted.set(period, { labels, counts: new Float64Array(timelines[period].counts.length) })
      else if (known.labels !== labels) return false
    }
    this.files += 1
    for (const period of PERIODS) addTo(this.#counted.get(period)?.counts ?? [], timelines[period].counts)
    addTo(this.#undated, timelines.all.undated)
    addTo(
      this.#launched,
      LAUNCHED.map((key) => outcomes.launched[key]),
    )
    for (const row of outcomes.statuses) {
      const sums = this.#statuses.get(row.status) ?? STATUS_COUNTS.map(() => 0)
      this.#statuses.set(row.status, sums)
      addTo(
        sums,
        STATUS_COUNTS.map((key) => row[key]),
      )
    }
    for (const cohort of outcomes.cohorts) this.cohorts.add(cohort as unknown as Fields)
    return true
  }

  counted(period: Period): Counted | null {
    return this.#counted.get(period) ?? null
  }

  *undatedFaults({ undated }: Timeline, shared: number | null): Generator<string> {
    for (const [f, field] of NESTED.entries())
      yield* existing(sumFault(`undated ${field}`, this.#undated[f] ?? 0, undated[f] ?? 0, shared))
  }

  /** @param all the outcomes of all ideas */
  *outcomeFaults(all: Outcomes, shared: number | null): Generator<string> {
    const statuses = new Map(all.statuses.map((row) => [row.status, STATUS_COUNTS.map((key) => row[key])]))
    yield* firstOf(keyedFaults(this.#statuses, statuses, STATUS_COUNTS, statusName, shared), 'number')
    for (const [i, key] of LAUNCHED.entries())
      yield* existing(sumFault(`launched.${key}`, this.#launched[i] ?? 0, all.launched[key], shared))
    const months = new Map(all.cohorts.map((row) => [row.month, COHORT_COUNTS.map((key) => row[key])]))
    yield* firstOf(keyedFaults(this.cohorts.byMonth, months, COHORT_COUNTS, cohortName, shared), 'number')
    yield* firstOf(this.#agesFaults(all, shared), 'number')
  }

  /** Where all ideas do not know it, some category may; what all know and some do not is too few. */
  *#agesFaults({ cohorts }: Outcomes, shared: number | null): Generator<string> {
    for (const cohort of cohorts)
      for (const [i, key] of COHORT_AGES.entries()) {
        const all = cohort[key]
        if (all === null) continue
        const summed = this.cohorts.byMonth.get(cohort.month)?.[COHORT_COUNTS.length + i] ?? 0
        yield* existing(sumFault(`${key} of ${cohortName(cohort.month)}`, summed, all, shared))
      }
  }
}

function* keyedFaults(
  summed: ReadonlyMap<string | null, ArrayLike<number>>,
  all: ReadonlyMap<string | null, ArrayLike<number>>,
  fields: readonly string[],
  nameOf: (key: string | null) => string,
  shared: number | null,
): Generator<string> {
  for (const key of new Set([...all.keys(), ...summed.keys()]))
    for (const [i, field] of fields.entries())
      yield* existing(sumFault(`${field} of ${nameOf(key)}`, summed.get(key)?.[i] ?? 0, all.get(key)?.[i] ?? 0, shared))
}

/** The sums of a bucket over the categories, and what all ideas have there. */
export function* overBuckets(name: string, summed: Counted, all: Counted, shared: number | null): Generator<string> {
  if (summed.counts.length !== all.counts.length) return
  for (const [f, field] of NESTED.entries())
    for (const [i, label] of all.labels.entries()) {
      const at = i * NESTED.length + f
      const what = `${field} in bucket ${label} of ${name}`
      yield* existing(sumFault(what, summed.counts[at] ?? 0, all.counts[at] ?? 0, shared))
    }
}

/** The cohorts that two kinds of documents sum over categories. */
export function* cohortDifferences(
  months: readonly (string | null)[],
  one: { readonly where: string; readonly sums: CohortSums },
  other: { readonly where: string; readonly sums: CohortSums },
): Generator<string> {
  const fields = [...COHORT_COUNTS, ...COHORT_AGES, ...COHORT_AGES.map((key) => `unknown ${key}`)]
  for (const month of months)
    for (const [i, field] of fields.entries()) {
      const stated = [one, other].map(({ where, sums }) => ({ where, value: sums.byMonth.get(month)?.[i] ?? 0 }))
      yield* existing(differing(`${field} of ${cohortName(month)} summed over the categories`, stated))
    }
}

function existing(sentence: string | null): readonly string[] {
  return sentence === null ? [] : [sentence]
}

function addTo(sums: Float64Array | number[], more: ArrayLike<number>): void {
  for (let i = 0; i < sums.length; i += 1) sums[i] = (sums[i] ?? 0) + (more[i] ?? 0)
}
