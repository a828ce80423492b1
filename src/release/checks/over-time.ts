// Owns what a timeline, outcomes and the file of a category state of their set of ideas, and what is wrong with them as such:
// their rows and their order, shares and ages. Knows no other document.
import { compareCodePoints } from '../../model/code-point-order.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { monthAfter, ownInterval, PERIODS, windowOf, type Period } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import type { Buckets, Calendar, Span } from './calendar.ts'
import { cohortInto, countsInto, fieldsOf, listOf, numberOf, shown, sumOf, totalsInto, type Fields } from './numbers.ts'
import {
  COHORT_AGES,
  cohortName,
  cohortsIn,
  DATED,
  inWindow,
  LAUNCHED_VOTES,
  MONTHS,
  NESTED,
  OPEN,
  STATUS_COUNTS,
  undated,
  UNKNOWN,
  until,
  WITHOUT,
  WITHOUT_LAUNCH,
  type Quantities,
} from './relations.ts'

const WIDTH = NESTED.length
/** What a bucket counts, its totals, and the totals before it. */
const counted = new Float64Array(WIDTH)
const totals = new Float64Array(WIDTH)
const before = new Float64Array(WIDTH)

/** @returns why it is no timeline; null = what it states is in the quantities */
export function timelineInto(
  into: Quantities,
  where: string,
  document: Fields,
  span: Span,
  calendar: Calendar,
): string | null {
  const { period, interval } = span
  const rows = listOf(document['buckets'])
  if (document['count'] !== rows.length)
    return `${where}: its count is ${shown(document['count'])} of ${count(rows.length)} buckets`
  const buckets = calendar.bucketsOf(rows, 'bucket', span, document['to'])
  if (typeof buckets === 'string') return `${where}: ${buckets}`
  const stated = into.statement('counts', where)
  countsInto(before, 0, fieldsOf(document['undated']))
  for (const [f, field] of NESTED.entries()) stated.set(undated(field), before[f] ?? 0)
  totals.set(before)
  const sums = bucketsInto(into, where, rows, span, buckets)
  for (const [f, field] of NESTED.entries()) {
    if (period !== 'all') stated.set(inWindow(field, period), sums[f] ?? 0)
    into.statement('counts', `the totals of ${where}`).set(inWindow(field, 'all'), totals[f] ?? 0)
  }
  if (period !== 'all') return null
  stated.set(MONTHS, new Set(buckets.labels.map(monthOf)).size)
  if (interval === 'month') createdInto(into, where, rows, document)
  return null
}

function monthOf(label: string): string {
  return `${label.slice(0, 7)}-01T00:00:00.000Z`
}

/** A count is also the total less the one before. @returns the sums of the counts */
function bucketsInto(
  into: Quantities,
  where: string,
  rows: readonly Fields[],
  { period, interval }: Span,
  { names, labels }: Buckets,
): Float64Array {
  const ofCounts = into.statement(interval, where)
  const ofTotals = into.statement(interval, `the totals of ${where}`)
  const ofDays = interval === 'day' && period === 'all' ? into.statement('month', `the days of ${where}`) : null
  const sums = new Float64Array(WIDTH)
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? {}
    countsInto(counted, 0, row)
    totalsInto(totals, 0, row)
    const at = ofCounts.at(names[i] ?? '')
    ofCounts.values.set(counted, at)
    ofDays?.add(monthOf(labels[i] ?? ''), counted)
    for (let f = 0; f < WIDTH; f += 1) sums[f] = (sums[f] ?? 0) + (counted[f] ?? 0)
    if (i === 0) beginInto(into, `the totals of ${where}`, period)
    else {
      ofTotals.at(names[i] ?? '')
      for (let f = 0; f < WIDTH; f += 1) ofTotals.values[at + f] = less(totals, before, f)
    }
    before.set(totals)
  }
  return sums
}

function less(one: Float64Array, other: Float64Array, i: number): number {
  return (one[i] ?? 0) - (other[i] ?? 0)
}

/** Before the buckets of `all` there is only what has no date. */
function beginInto(into: Quantities, where: string, period: Period): void {
  const stated = into.statement('counts', where)
  for (const [f, field] of NESTED.entries())
    stated.set(period === 'all' ? undated(field) : until(field, period), less(totals, counted, f))
}

/** The ideas of a cohort were created in its month; those of no month have no date. */
function createdInto(into: Quantities, where: string, rows: readonly Fields[], document: Fields): void {
  const created = into.statement('cohort', where)
  for (const { bucket, ideas } of rows) created.set('ideas', numberOf(ideas), shown(bucket))
  created.set('ideas', numberOf(fieldsOf(document['undated'])['ideas']), 'null')
}

/** @returns why they are no outcomes; null = what they state is in the quantities */
export function outcomesInto(
  into: Quantities,
  where: string,
  document: Fields,
  dataAsOf: unknown,
  calendar: Calendar,
): string | null {
  const statuses = listOf(document['statuses'])
  const launched = fieldsOf(document['launched'])
  const cohorts = listOf(document['cohorts'])
  const dated = cohorts.at(-1)?.['month'] === null ? cohorts.slice(0, -1) : cohorts
  const months = calendar.bucketsOf(dated, 'month', { period: 'all', interval: 'month' }, dataAsOf)
  if (typeof months === 'string') return `${where}: cohorts: ${months}`
  const fault =
    statusesFault(statuses) ?? launchedFault(launched, sumOf(statuses, 'votes')) ?? cohortsFault(cohorts, months.ages)
  if (fault !== null) return `${where}: ${fault}`
  const ofStatuses = into.statement('status', where)
  for (const row of statuses)
    for (const field of STATUS_COUNTS) ofStatuses.set(field, numberOf(row[field]), JSON.stringify(row['status']))
  const ofCohorts = into.statement('cohort', where)
  for (const row of cohorts) {
    const at = ofCohorts.at(String(row['month']))
    cohortInto(ofCohorts.values, at, row)
  }
  const total = (place: string, field: (typeof NESTED)[number], value: number): void =>
    into.statement('counts', place).set(inWindow(field, 'all'), value)
  for (const field of STATUS_COUNTS) total(`the statuses of ${where}`, field, sumOf(statuses, field))
  for (const field of ['ideas', 'launchedIdeas'] as const)
    total(`the cohorts of ${where}`, field, sumOf(cohorts, field))
  total(`launched.ideas of ${where}`, 'launchedIdeas', numberOf(launched['ideas']))
  launchesInto(into, where, launched, cohorts, months.ages)
  // Categories have no export of their own to compare it with.
  if (document['category'] === null)
    for (const period of PERIODS)
      into.statement('counts', where).set(cohortsIn(period), cohortsTouching(cohorts, period, shown(dataAsOf)))
  return null
}

/** A launch without a date is of a cohort whose launches within N days are not known, or of one that is too young. */
function launchesInto(
  into: Quantities,
  where: string,
  launched: Fields,
  cohorts: readonly Fields[],
  ages: readonly number[],
): void {
  const open = cohorts.filter(({ month, launchedWithin30Days }) => month !== null && launchedWithin30Days === null)
  const unknown = cohorts.filter((cohort, i) => open.includes(cohort) && (ages[i] ?? 0) > 0)
  const ofUndated = sumOf(
    cohorts.filter(({ month }) => month === null),
    'launchedIdeas',
  )
  const without = numberOf(launched['ideas']) - numberOf(launched['dated'])
  const stated = into.statement('counts', where)
  stated.set(LAUNCHED_VOTES, numberOf(launched['votes']))
  stated.set(DATED, numberOf(launched['dated']))
  stated.set(WITHOUT, without)
  stated.set(WITHOUT_LAUNCH, without - ofUndated)
  stated.set(UNKNOWN, unknown.length)
  stated.set(OPEN, sumOf(open, 'launchedIdeas'))
}

/** How many of the cohorts of `all` the export of a period has. */
function cohortsTouching(cohorts: readonly Fields[], period: Period, dataAsOf: string): number {
  const { fromMs } = windowOf(period, Date.parse(dataAsOf))
  if (fromMs === null) return cohorts.length
  return cohorts.filter(({ month }) => month !== null && monthAfter(Date.parse(shown(month))) > fromMs).length
}

/** Ideas descending, then the name; last those without one. */
function statusesFault(statuses: readonly Fields[]): string | null {
  const all = sumOf(statuses, 'ideas')
  const listed = new Set<unknown>()
  for (const [i, { status, ideas, shareOfIdeas }] of statuses.entries()) {
    const name = status === null ? 'the status null' : `status ${JSON.stringify(status)}`
    if (status !== null && typeof status !== 'string') return `${name} is no text`
    if (ideas === 0) return `${name} has no idea`
    if (listed.size === listed.add(status).size) return `${name} is listed twice`
    const last = statuses[i - 1]
    if (last !== undefined && !isBefore(last, status, numberOf(ideas)))
      return `${name} does not come after ${last['status'] === null ? 'the status null' : `status ${JSON.stringify(last['status'])}`}`
    const fault = shareFault(shareOfIdeas, numberOf(ideas), all)
    if (fault !== null) return `shareOfIdeas of ${name}: ${fault}`
  }
  return null
}

function isBefore(one: Fields, status: string | null, ideas: number): boolean {
  if (one['status'] === null || status === null) return one['status'] !== null
  const more = numberOf(one['ideas']) - ideas
  return more > 0 || (more === 0 && compareCodePoints(shown(one['status']), status) < 0)
}

function launchedFault(launched: Fields, allVotes: number): string | null {
  const { dated, medianDays, p90Days } = launched
  const fault = shareFault(launched['shareOfVotes'], numberOf(launched['votes']), allVotes)
  if (fault !== null) return `launched.shareOfVotes: ${fault}`
  const days = [medianDays, p90Days]
  const isNone = dated === 0 && days.every((one) => one === null)
  const isKnown = dated !== 0 && days.every((one) => typeof one === 'number' && one >= 0)
  if (isNone || (isKnown && Number(medianDays) <= Number(p90Days))) return null
  return `launched.medianDays and p90Days are ${days.map(String).join(' and ')} of ${shown(dated)} dated launches`
}

/** In percent, with two decimals; of nothing it is 0. Of what is no number nothing is said here. */
function shareFault(share: unknown, part: number, whole: number): string | null {
  const exact = whole === 0 ? 0 : (part * 100) / whole
  if (!Number.isFinite(part) || !Number.isFinite(whole) || part > whole) return null
  // A decimal is a little off its binary form, and so is the quotient.
  const isNear = typeof share === 'number' && Math.abs(share - exact) <= 0.005 + 1e-9
  if (isNear && Math.round(share * 100) / 100 === share) return null
  return `${shown(share)} is not ${count(part)} of ${count(whole)} in percent`
}

/** From the month of the first idea to that of dataAsOf; then those without a date. */
function cohortsFault(cohorts: readonly Fields[], ages: readonly number[]): string | null {
  for (const [i, cohort] of cohorts.entries()) {
    const { month, ideas, launchedIdeas } = cohort
    if (ideas === 0 && (i === 0 || month === null)) return `${cohortName(month)} has no idea`
    // None is known also where an idea is launched without a date.
    const reached = ages[i] ?? 0
    const known = cohort[COHORT_AGES[0]] === null && launchedIdeas !== 0 ? 0 : reached
    if (COHORT_AGES.some((age, n) => (cohort[age] !== null) !== known > n))
      return `${cohortName(month)}: its launches within 30, 90 and 365 days are ${COHORT_AGES.map((age) => shown(cohort[age])).join(', ')}, but ${reached} of them can be known`
  }
  return null
}

/** @returns why it is no file of a category; null = what it states is in the quantities */
export function categoryInto(into: Quantities, file: Fields, category: string, calendar: Calendar): string | null {
  const { dataAsOf } = file
  const members = fieldsOf(file['timelines'])
  if (Object.keys(members).join() !== PERIODS.join()) return `its timelines are ${Object.keys(members).join()}`
  for (const period of PERIODS) {
    const [member, where] = [fieldsOf(members[period]), `timelines.${period}`]
    const about = memberFault(member, period, category, dataAsOf)
    if (about !== null) return `${where}: ${about}`
    const fault = timelineInto(into, where, member, { period, interval: ownInterval(period) }, calendar)
    if (fault !== null) return fault
  }
  const outcomes = fieldsOf(file['outcomes'])
  if (outcomes['category'] !== category) return `outcomes: its category is ${shown(outcomes['category'])}`
  return outcomesInto(into, 'outcomes', outcomes, dataAsOf, calendar)
}

/** What a timeline repeats of the file and the member that it is. */
function memberFault(member: Fields, period: Period, category: string, dataAsOf: unknown): string | null {
  const asOfMs = Date.parse(shown(dataAsOf))
  if (Number.isNaN(asOfMs)) return `the file's dataAsOf is ${shown(dataAsOf)}`
  const { fromMs, toMs } = windowOf(period, asOfMs)
  const from = fromMs === null ? null : formatTimestamp(fromMs)
  const says = { period, interval: ownInterval(period), category, from, to: formatTimestamp(toMs) }
  for (const [key, expected] of Object.entries(says))
    if (member[key] !== expected) return `its ${key} is ${shown(member[key])}`
  return null
}
