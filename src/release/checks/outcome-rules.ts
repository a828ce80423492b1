// Owns the rules inside one document of outcomes. Pure: a document in, a sentence out. Knows no other document.
import { compareCodePoints } from '../../contract/code-point-order.ts'
import { LATEST_CLOCK_MS } from '../../contract/day-slices.ts'
import type { Cohort, Launched, OutcomesDocument, StatusRow } from '../../contract/documents.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { EARLIEST_DATE_MS, monthAfter, monthStartOf } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import type { NESTED } from './quantities.ts'
import { isCount } from '../format/is-count.ts'
import { countFault, fieldsOf, listOf, shown, type Fields, type Stated } from './stated.ts'

export type Outcomes = Pick<OutcomesDocument, 'statuses' | 'launched' | 'cohorts'>

const DAY_MS = 86_400_000
const AGES = [30, 90, 365] as const
/** The fields of a cohort: those that are always known, then by AGES. */
export const COHORT_COUNTS = ['ideas', 'votedIdeas', 'discussedIdeas', 'launchedIdeas'] as const
export const COHORT_AGES = ['launchedWithin30Days', 'launchedWithin90Days', 'launchedWithin365Days'] as const
export const STATUS_COUNTS = ['ideas', 'votes', 'comments'] as const

/** Reads outcomes. Those of 20,000 categories have cohorts of the same months, whose names are made once. */
export class OutcomesReader {
  /** From the last month backwards. */
  readonly #months: Month[] = []
  #asOfMs = Number.NaN

  /** @returns the document as what it is, or a sentence where it contradicts itself */
  read(document: Fields, dataAsOf: unknown): Outcomes | string {
    const asOfMs = Date.parse(shown(dataAsOf))
    if (!(asOfMs > EARLIEST_DATE_MS && asOfMs < LATEST_CLOCK_MS)) return `its dataAsOf is ${shown(dataAsOf)}`
    if (asOfMs !== this.#asOfMs) this.#months.length = 0
    this.#asOfMs = asOfMs
    const outcomes = {
      statuses: listOf(document['statuses']),
      launched: fieldsOf(document['launched']),
      cohorts: listOf(document['cohorts']),
    }
    const fault = countsFault(outcomes)
    if (fault !== null) return fault
    const counted = outcomes as unknown as Outcomes
    const { statuses, launched, cohorts } = counted
    const months = this.#monthsOf(cohorts)
    if (months === null) return 'its cohorts begin before 1990'
    return (
      statusesFault(statuses) ??
      launchedFault(launched, statuses) ??
      cohortsFault(cohorts, months) ??
      unknownFault(cohorts, months, launched) ??
      counted
    )
  }

  /** The months that cohorts must be of: the last one is that of dataAsOf, if not that of ideas without a date. */
  #monthsOf(cohorts: readonly Cohort[]): Months | null {
    const dated = cohorts.at(-1)?.month === null ? cohorts.length - 1 : cohorts.length
    while (this.#months.length < dated) {
      const startMs = monthStartOf((this.#months.at(-1)?.startMs ?? this.#asOfMs) - 1)
      if (startMs < EARLIEST_DATE_MS) return null
      this.#months.push({ startMs, label: formatTimestamp(startMs), reached: agesReached(startMs, this.#asOfMs) })
    }
    return (i) => (i < dated ? this.#months[dated - 1 - i] : NO_MONTH)
  }
}

/** By the index of a cohort. */
type Months = (i: number) => Month | undefined

interface Month {
  readonly startMs: number
  readonly label: string | null
  /** How many of AGES the whole month has. */
  readonly reached: number
}
const NO_MONTH: Month = { startMs: Number.NaN, label: null, reached: 0 }

function agesReached(startMs: number, asOfMs: number): number {
  const endMs = monthAfter(startMs)
  return AGES.filter((days) => asOfMs >= endMs + days * DAY_MS).length
}

interface Unread {
  readonly statuses: readonly Fields[]
  readonly launched: Fields
  readonly cohorts: readonly Fields[]
}

function countsFault({ statuses, launched, cohorts }: Unread): string | null {
  for (const row of statuses) {
    const { status } = row
    const fault = countFault(row, STATUS_COUNTS, () => statusName(status))
    if (fault !== null) return fault
    if (status !== null && typeof status !== 'string') return `${statusName(status)} is no text`
  }
  for (const row of cohorts) {
    const fault = cohortCountFault(row, () => cohortName(row['month']))
    if (fault !== null) return fault
  }
  return countFault(launched, ['ideas', 'votes', 'dated'], () => 'launched')
}

/** Each field is named: there are as many cohorts as categories and months, and a computed key takes several times as long. */
export function cohortCountFault(row: Fields, where: () => string): string | null {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas } = row
  const { launchedWithin30Days: in30, launchedWithin90Days: in90, launchedWithin365Days: in365 } = row
  const isCounted = isCount(ideas) && isCount(votedIdeas) && isCount(discussedIdeas) && isCount(launchedIdeas)
  if (isCounted && isCountOrNull(in30) && isCountOrNull(in90) && isCountOrNull(in365)) return null
  return countFault(row, [...COHORT_COUNTS, ...COHORT_AGES.filter((key) => row[key] !== null)], where)
}

function isCountOrNull(value: unknown): boolean {
  return value === null || isCount(value)
}

export function statusName(status: unknown): string {
  return status === null ? 'the status null' : `status ${JSON.stringify(status)}`
}

export function cohortName(month: unknown): string {
  return month === null ? 'the cohort without a month' : `the cohort of ${shown(month)}`
}

function statusesFault(statuses: readonly StatusRow[]): string | null {
  const ideas = sumOf(statuses, 'ideas')
  const listed = new Set<string | null>()
  for (const [i, row] of statuses.entries()) {
    const name = statusName(row.status)
    const before = statuses[i - 1]
    if (row.ideas === 0) return `${name} has no idea`
    if (listed.size === listed.add(row.status).size) return `${name} is listed twice`
    if (before !== undefined && !isBefore(before, row))
      return `${name} does not come after ${statusName(before.status)}`
    const fault = shareFault(row.shareOfIdeas, row.ideas, ideas)
    if (fault !== null) return `shareOfIdeas of ${name}: ${fault}`
  }
  return null
}

/** Ideas descending, then the name; last those without one. */
function isBefore(one: StatusRow, other: StatusRow): boolean {
  if (one.status === null || other.status === null) return one.status !== null
  return one.ideas > other.ideas || (one.ideas === other.ideas && compareCodePoints(one.status, other.status) < 0)
}

function launchedFault(launched: Launched, statuses: readonly StatusRow[]): string | null {
  const { ideas, votes, shareOfVotes, dated, medianDays, p90Days } = launched
  const allVotes = sumOf(statuses, 'votes')
  if (votes > allVotes)
    return `launched.votes are ${count(votes)}, more than the ${count(allVotes)} votes of all statuses`
  const fault = shareFault(shareOfVotes, votes, allVotes)
  if (fault !== null) return `launched.shareOfVotes: ${fault}`
  if (dated > ideas) return `launched.dated are ${count(dated)} of ${count(ideas)} ideas`
  const days = [medianDays, p90Days]
  if (dated === 0 && days.every((one) => one === null)) return null
  if (dated > 0 && medianDays !== null && p90Days !== null && medianDays >= 0 && medianDays <= p90Days) return null
  return `launched.medianDays and p90Days are ${days.map(String).join(' and ')} of ${count(dated)} dated launches`
}

/** In percent, with two decimals; of nothing it is 0. */
function shareFault(share: unknown, part: number, whole: number): string | null {
  const exact = whole === 0 ? 0 : (part * 100) / whole
  // A decimal is a little off its binary form, and so is the quotient.
  const isNear = typeof share === 'number' && Math.abs(share - exact) <= 0.005 + 1e-9
  if (isNear && Math.round(share * 100) / 100 === share) return null
  return `${shown(share)} is not ${count(part)} of ${count(whole)} in percent`
}

/** From the month of the first idea to that of dataAsOf; then those without a date. */
function cohortsFault(cohorts: readonly Cohort[], months: Months): string | null {
  for (const [i, cohort] of cohorts.entries()) {
    const { label = null, reached = 0 } = months(i) ?? {}
    if (cohort.month !== label)
      return `cohort ${count(i + 1)} is of ${shown(cohort.month)}, not of ${label ?? 'no month'}`
    if (cohort.ideas === 0 && (i === 0 || label === null)) return `${cohortName(label)} has no idea`
    const fault = cohortFault(cohort, reached)
    if (fault !== null) return `${cohortName(label)}: ${fault}`
  }
  return null
}

/** @param reached how many of AGES it has */
function cohortFault(cohort: Cohort, reached: number): string | null {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas } = cohort
  if (votedIdeas > ideas) return `its votedIdeas are ${count(votedIdeas)} of ${count(ideas)} ideas`
  if (discussedIdeas > ideas) return `its discussedIdeas are ${count(discussedIdeas)} of ${count(ideas)} ideas`
  const { launchedWithin30Days: in30, launchedWithin90Days: in90, launchedWithin365Days: in365 } = cohort
  // None is known also where an idea is launched without a date.
  const known = in30 === null && launchedIdeas > 0 ? 0 : reached
  if ((in30 !== null) !== known > 0 || (in90 !== null) !== known > 1 || (in365 !== null) !== known > 2)
    return `its launches within 30, 90 and 365 days are ${[in30, in90, in365].map(String).join(', ')}, but ${reached} of them can be known`
  if (areAscending(in30 ?? 0, in90 ?? in30 ?? 0, in365 ?? in90 ?? in30 ?? 0, launchedIdeas, ideas)) return null
  return `its launches within 30, 90 and 365 days, at any time, and its ideas do not ascend: ${[in30, in90, in365, launchedIdeas, ideas].map(String).join(', ')}`
}

function areAscending(a: number, b: number, c: number, d: number, e: number): boolean {
  return a <= b && b <= c && c <= d && d <= e
}

/** A launch without a date is of a cohort whose launches within N days are not known, or of one that is too young. */
function unknownFault(cohorts: readonly Cohort[], months: Months, { ideas, dated }: Launched): string | null {
  let undated = ideas - dated
  let [unknown, open] = [0, 0]
  for (const [i, cohort] of cohorts.entries()) {
    if (cohort.month === null) undated -= cohort.launchedIdeas
    if (cohort.month === null || cohort.launchedWithin30Days !== null) continue
    open += cohort.launchedIdeas
    if ((months(i)?.reached ?? 0) > 0) unknown += 1
  }
  return unknown <= undated && undated <= open
    ? null
    : `launched.dated are ${count(dated)} of ${count(ideas)} ideas, but ${count(unknown)} cohorts have a launch without a date`
}

/** What must be the totals of its ideas. */
export function outcomeTotals({
  statuses,
  launched,
  cohorts,
}: Outcomes): (Stated & { readonly field: (typeof NESTED)[number] })[] {
  return [
    ...STATUS_COUNTS.map((field) => ({ field, where: `${field} of statuses`, value: sumOf(statuses, field) })),
    { field: 'ideas', where: 'ideas of cohorts', value: sumOf(cohorts, 'ideas') },
    { field: 'launchedIdeas', where: 'launched.ideas', value: launched.ideas },
    { field: 'launchedIdeas', where: 'launchedIdeas of cohorts', value: sumOf(cohorts, 'launchedIdeas') },
  ]
}

function sumOf<Key extends string>(rows: readonly Readonly<Record<Key, number>>[], key: Key): number {
  return rows.reduce((sum, row) => sum + row[key], 0)
}
