// Owns what became of a set of ideas: by status, of the launched ones, and by month of creation. Knows no I/O.
import { compareCodePoints } from '../model/code-point-order.ts'
import type { Cohort, Launched, OutcomesDocument, StatusRow } from '../contract/kinds/outcomes.ts'
import type { IdeaFacts } from '../model/facts.ts'
import { formatTimestamp } from '../contract/timestamp.ts'
import { DAY_MS, EARLIEST_DATE_MS } from '../contract/windows.ts'
import { percentage, ratio } from './ratio.ts'

/** The ages at which a cohort is looked at, in days. */
const AGES = [30, 90, 365] as const

interface CohortSums {
  readonly counts: Record<'ideas' | 'votedIdeas' | 'discussedIdeas' | 'launchedIdeas', number>
  launchedUndated: number
  /** Launched at most AGES[i] after creation. */
  within: [number, number, number]
}

/** Memory: a few numbers for each status and month, and one for each dated launch. */
export class OutcomeSums {
  readonly #statuses = new Map<string | null, Record<'ideas' | 'votes' | 'comments', number>>()
  /** By month, counted since the year 0; null = ideas without a date. */
  readonly #cohorts = new Map<number | null, CohortSums>()
  /** Milliseconds from creation to launch, never below 0. */
  readonly #ages: number[] = []
  #votes = 0
  #ideas = 0
  #launched = 0
  #launchedVotes = 0

  /** @param month that of its creation, as monthNumber() counts; null = it has no date */
  add(idea: IdeaFacts, month: number | null): void {
    this.#ideas += 1
    this.#votes += idea.votes.total
    const status = found(this.#statuses, idea.status, () => ({ ideas: 0, votes: 0, comments: 0 }))
    status.ideas += 1
    status.votes += idea.votes.total
    status.comments += idea.comments.total
    const cohort = found(this.#cohorts, month, noIdeas)
    cohort.counts.ideas += 1
    if (idea.votes.total > 0) cohort.counts.votedIdeas += 1
    if (idea.comments.total > 0) cohort.counts.discussedIdeas += 1
    if (idea.launched) this.#addLaunch(idea, cohort, month !== null)
  }

  #addLaunch({ createdAtMs, launchedAtMs, votes }: IdeaFacts, cohort: CohortSums, isDated: boolean): void {
    this.#launched += 1
    this.#launchedVotes += votes.total
    cohort.counts.launchedIdeas += 1
    if (launchedAtMs === null) cohort.launchedUndated += 1
    if (launchedAtMs === null || !isDated) return
    const ageMs = Math.max(0, launchedAtMs - createdAtMs)
    this.#ages.push(ageMs)
    for (const [i, days] of AGES.entries()) if (ageMs <= days * DAY_MS) cohort.within[i] = (cohort.within[i] ?? 0) + 1
  }

  /** The answer without what ends it. */
  document(category: string | null, asOfMs: number): Omit<OutcomesDocument, 'dataAsOf'> {
    return { category, statuses: this.#statusRows(), launched: this.#launchedNumbers(), cohorts: this.cohorts(asOfMs) }
  }

  /** From the month of the first dated idea on, empty months too; last the ideas without a date, where there are some. */
  cohorts(asOfMs: number): Cohort[] {
    const months = [...this.#cohorts.keys()].filter((month) => month !== null)
    const rows: Cohort[] = []
    if (months.length > 0)
      for (let month = Math.min(...months); monthStart(month) < asOfMs; month += 1)
        rows.push(cohortOf(month, this.#cohorts.get(month) ?? noIdeas(), asOfMs))
    const undated = this.#cohorts.get(null)
    return undated === undefined ? rows : [...rows, cohortOf(null, undated, asOfMs)]
  }

  #statusRows(): StatusRow[] {
    return [...this.#statuses]
      .map(([status, sums]) => ({ status, ...sums, shareOfIdeas: percentage(sums.ideas, this.#ideas) }))
      .sort((a, b) => {
        if (a.status === null || b.status === null) return Number(a.status === null) - Number(b.status === null)
        return b.ideas - a.ideas || compareCodePoints(a.status, b.status)
      })
  }

  #launchedNumbers(): Launched {
    const ages = Float64Array.from(this.#ages).sort()
    return {
      ideas: this.#launched,
      votes: this.#launchedVotes,
      shareOfVotes: percentage(this.#launchedVotes, this.#votes),
      dated: ages.length,
      medianDays: percentileDays(ages, 5),
      p90Days: percentileDays(ages, 9),
    }
  }
}

function noIdeas(): CohortSums {
  const counts = { ideas: 0, votedIdeas: 0, discussedIdeas: 0, launchedIdeas: 0 }
  return { counts, launchedUndated: 0, within: [0, 0, 0] }
}

/** A number that is not known is null: until the whole month is so old, and where some launch has no date. */
function cohortOf(month: number | null, sums: CohortSums, asOfMs: number): Cohort {
  const within = AGES.map((days, i) => {
    const isKnown = month !== null && sums.launchedUndated === 0 && asOfMs >= monthStart(month + 1) + days * DAY_MS
    return isKnown ? (sums.within[i] ?? 0) : null
  })
  return {
    month: month === null ? null : formatTimestamp(monthStart(month)),
    ...sums.counts,
    launchedWithin30Days: within[0] ?? null,
    launchedWithin90Days: within[1] ?? null,
    launchedWithin365Days: within[2] ?? null,
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
  return ratio(10 * low + (high - low) * rest, 10 * DAY_MS)
}

/** Months since the year 0: small integers, of which a Map finds the value without making an object. */
export function monthNumber({ createdAtMs }: IdeaFacts): number | null {
  if (createdAtMs < EARLIEST_DATE_MS) return null
  const date = new Date(createdAtMs)
  return 12 * date.getUTCFullYear() + date.getUTCMonth()
}

function monthStart(month: number): number {
  return Date.UTC(Math.floor(month / 12), month % 12)
}

function found<K, V>(map: Map<K, V>, key: K, make: () => V): V {
  let value = map.get(key)
  if (value === undefined) map.set(key, (value = make()))
  return value
}
