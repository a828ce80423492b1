// Owns what became of a set of ideas: by status, of the launched ones, and by month of creation. Knows no I/O.
import { compareCodePoints } from '../model/code-point-order.ts'
import type {
  Cohort,
  FirstYear,
  Launched,
  OutcomesDocument,
  OutcomeYear,
  StatusRow,
} from '../contract/kinds/outcomes.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { found } from '../model/found.ts'
import type { TimeZone } from '../contract/time-zone.ts'
import { DAY_MS, YEAR_MS } from '../contract/windows.ts'
import type { DaySlices } from '../model/day-slices.ts'
import { percentage, quotient } from './ratio.ts'

/** There is one object for each month: categories and months may make hundreds of thousands. */
class CohortSums {
  ideas = 0
  votedIdeas = 0
  discussedIdeas = 0
  launchedIdeas = 0
  launchedUndated = 0
  /** Ideas launched at most so many days after creation. */
  within30 = 0
  within90 = 0
  within365 = 0
  /** The counts of the ideas that have had a year, as FirstYear says. */
  oldIdeas = 0
  oldLaunched = 0
  oldUndated = 0
}

class StatusSums {
  ideas = 0
  votes = 0
  comments = 0
  notLaunched = 0
  yearOld = 0
  /** Milliseconds from creation to dataAsOf of those that are not launched and have a date. */
  readonly ages: number[] = []
}

/** Memory: a few numbers for each status and month, and one for each idea that has a date and no launch, and for each dated launch. */
export class OutcomeSums {
  readonly #statuses = new Map<string | null, StatusSums>()
  /** Sums by month, counted since the year 0; null = ideas without a date. */
  readonly #cohorts = new Map<number | null, CohortSums>()
  /** Milliseconds from creation to launch, never below 0, by year of creation. */
  readonly #ages = new Map<number, number[]>()
  #launchedVotes = 0
  readonly #slices: DaySlices

  constructor(slices: DaySlices) {
    this.#slices = slices
  }

  /** @param month the month of its creation, as the slices count; null = it has no date */
  add(idea: IdeaFacts, month: number | null): void {
    const status = found(this.#statuses, idea.status, () => new StatusSums())
    status.ideas += 1
    status.votes += idea.votes.total
    status.comments += idea.comments.total
    const cohort = found(this.#cohorts, month, () => new CohortSums())
    cohort.ideas += 1
    if (idea.votes.total > 0) cohort.votedIdeas += 1
    if (idea.comments.total > 0) cohort.discussedIdeas += 1
    const ageMs = this.#slices.asOfMs - idea.createdAtMs
    const isOld = month !== null && ageMs >= YEAR_MS
    if (isOld) cohort.oldIdeas += 1
    if (idea.launched) return this.#addLaunch(idea, cohort, month, isOld)
    status.notLaunched += 1
    if (isOld) status.yearOld += 1
    if (month !== null) status.ages.push(ageMs)
  }

  #addLaunch(
    { createdAtMs, launchedAtMs, votes }: IdeaFacts,
    cohort: CohortSums,
    month: number | null,
    isOld: boolean,
  ): void {
    this.#launchedVotes += votes.total
    cohort.launchedIdeas += 1
    if (launchedAtMs === null) {
      cohort.launchedUndated += 1
      if (isOld) cohort.oldUndated += 1
      return
    }
    if (month === null) return
    const ageMs = Math.max(0, launchedAtMs - createdAtMs)
    found(this.#ages, yearOf(month), (): number[] => []).push(ageMs)
    if (ageMs <= 30 * DAY_MS) cohort.within30 += 1
    if (ageMs <= 90 * DAY_MS) cohort.within90 += 1
    if (ageMs > YEAR_MS) return
    cohort.within365 += 1
    if (isOld) cohort.oldLaunched += 1
  }

  /** The answer, without the keys that end it. */
  document(category: string | null): Omit<OutcomesDocument, 'dataAsOf'> {
    return {
      category,
      ...this.#slices.zone.named,
      statuses: this.#statusRows(),
      launched: this.#launchedNumbers(),
      cohorts: this.cohorts(),
      firstYear: firstYearOf([...this.#cohorts.values()]),
      years: this.#years(),
    }
  }

  /** The rows from the month of the first dated idea on, empty months too; last the ideas without a date, where there are some. */
  cohorts(): Cohort[] {
    const months = [...this.#cohorts.keys()].filter((month) => month !== null)
    const { asOfMs, zone } = this.#slices
    const rows: Cohort[] = []
    if (months.length > 0)
      for (let month = Math.min(...months); monthStart(month, zone) < asOfMs; month += 1)
        rows.push(cohortOf(month, this.#cohorts.get(month) ?? new CohortSums(), this.#slices))
    const undated = this.#cohorts.get(null)
    return undated === undefined ? rows : [...rows, cohortOf(null, undated, this.#slices)]
  }

  #statusRows(): StatusRow[] {
    const all = sumOf([...this.#statuses.values()], 'ideas')
    return [...this.#statuses]
      .map(([status, { notLaunched, yearOld, ages, ...sums }]) => {
        const medianMs = Float64Array.from(ages).sort()[Math.floor((ages.length - 1) / 2)]
        const medianAgeDays = medianMs === undefined ? null : Math.ceil(medianMs / DAY_MS)
        const shareOfIdeas = percentage(sums.ideas, all)
        return { status, ...sums, shareOfIdeas, notLaunched: { ideas: notLaunched, yearOld, medianAgeDays } }
      })
      .sort((a, b) => {
        if (a.status === null || b.status === null) return Number(a.status === null) - Number(b.status === null)
        return b.ideas - a.ideas || compareCodePoints(a.status, b.status)
      })
  }

  /** The rows from the year of the first dated idea on, empty years too. */
  #years(): OutcomeYear[] {
    const { asOfMs, zone } = this.#slices
    const byYear = new Map<number, CohortSums[]>()
    for (const [month, sums] of this.#cohorts)
      if (month !== null) found(byYear, yearOf(month), (): CohortSums[] => []).push(sums)
    const rows: OutcomeYear[] = []
    if (byYear.size > 0)
      for (let year = Math.min(...byYear.keys()); monthStart(12 * year, zone) < asOfMs; year += 1) {
        const months = byYear.get(year) ?? []
        const isOver = asOfMs >= monthStart(12 * (year + 1), zone) + YEAR_MS
        const ages = this.#ages.get(year)?.filter((ageMs) => isOver && ageMs <= YEAR_MS) ?? []
        rows.push({
          year: zone.label('year', monthStart(12 * year, zone)),
          ideas: sumOf(months, 'ideas'),
          launchedIdeas: sumOf(months, 'launchedIdeas'),
          firstYear: firstYearOf(months),
          medianDays: percentileDays(Float64Array.from(ages).sort(), 5),
        })
      }
    return rows
  }

  #launchedNumbers(): Launched {
    const ages = Float64Array.from([...this.#ages.values()].flat()).sort()
    return {
      ideas: sumOf([...this.#cohorts.values()], 'launchedIdeas'),
      votes: this.#launchedVotes,
      shareOfVotes: percentage(this.#launchedVotes, sumOf([...this.#statuses.values()], 'votes')),
      dated: ages.length,
      medianDays: percentileDays(ages, 5),
      p90Days: percentileDays(ages, 9),
    }
  }
}

function sumOf<Key extends string>(all: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return all.reduce((sum, one) => sum + one[key], 0)
}

function firstYearOf(months: readonly CohortSums[]): FirstYear {
  const [ideas, launched] = [sumOf(months, 'oldIdeas'), sumOf(months, 'oldLaunched')]
  return { ideas, launched, launchedUndated: sumOf(months, 'oldUndated'), share: percentage(launched, ideas) }
}

/** Null = not known: until the whole month is so old, and, in the first three numbers, where some launch has no date. */
function cohortOf(month: number | null, sums: CohortSums, { asOfMs, zone }: DaySlices): Cohort {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas, launchedUndated, within30, within90, within365 } = sums
  const isOver = (days: number): boolean => month !== null && asOfMs >= monthStart(month + 1, zone) + days * DAY_MS
  const known = (days: number, within: number): number | null => (launchedUndated === 0 && isOver(days) ? within : null)
  return {
    month: month === null ? null : zone.label('month', monthStart(month, zone)),
    ideas,
    votedIdeas,
    discussedIdeas,
    launchedIdeas,
    launchedWithin30Days: known(30, within30),
    launchedWithin90Days: known(90, within90),
    launchedWithin365Days: known(365, within365),
    launchedUndated,
    knownWithin30Days: isOver(30) ? within30 : null,
    knownWithin90Days: isOver(90) ? within90 : null,
    knownWithin365Days: isOver(365) ? within365 : null,
  }
}

/**
 * The percentile of ascending milliseconds in days, as PostgreSQL's percentile_cont interpolates, exact in integers; null
 * of none.
 * @param tenths 5 = the median
 */
export function percentileDays(ascending: Float64Array, tenths: number): number | null {
  const last = ascending.length - 1
  if (last < 0) return null
  const at = Math.floor((last * tenths) / 10)
  const rest = (last * tenths) % 10
  const low = ascending[at] ?? 0
  const high = ascending[at + 1] ?? low
  return quotient(10 * low + (high - low) * rest, 10 * DAY_MS)
}

function yearOf(month: number): number {
  return Math.floor(month / 12)
}

function monthStart(month: number, zone: TimeZone): number {
  return zone.instantOf(Date.UTC(yearOf(month), month % 12))
}
