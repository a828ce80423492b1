// Owns what became of the ideas, as a document and as a table: what it states of its set of ideas, and what is wrong with it
// as such: rows and their order, shares and ages. Knows no other document.
import { compareCodePoints } from '../../../model/code-point-order.ts'
import { PERIODS, windowOf, type Period } from '../../../contract/windows.ts'
import { count } from '../../../process/printable.ts'
import type { TimeZone } from '../../../contract/time-zone.ts'
import type { Calendar } from '../../quantities/calendar.ts'
import { fieldsOf, listOf, numberOf, shown, sumOf, type Fields } from '../../quantities/numbers.ts'
import { UNKNOWN } from '../../quantities/quantity.ts'
import { inWindow, undated, type Quantities, type Relations } from '../../quantities/relations.ts'
import type { Stating, StatingMember } from '../../quantities/rules.ts'
import { rowsOverTime } from './series.ts'

const STATUS_COUNTS = ['ideas', 'votes', 'comments'] as const
const COHORT_COUNTS = ['ideas', 'votedIdeas', 'discussedIdeas', 'launchedIdeas'] as const
const COHORT_AGES = ['launchedWithin30Days', 'launchedWithin90Days', 'launchedWithin365Days'] as const
/** What was built before 1.0.0 may have none. */
const COHORT_KNOWN = ['launchedUndated', 'knownWithin365Days'] as const

/** What is known of launched ideas: their votes, and how many have a date of launch and of creation. */
const LAUNCHED_VOTES = 'votes of launched ideas'
const DATED = 'launched.dated'
/** Those of which one has none; of those the ones that have a date themselves. */
const WITHOUT = 'launched ideas less launched.dated'
const WITHOUT_LAUNCH = 'launched ideas of months less launched.dated'
function cohortsIn(period: Period): string {
  return `cohorts of ${period}`
}

export const outcomesRelations: Relations = {
  quantities: {
    status: {
      fields: STATUS_COUNTS,
      name: (field, label) => `${field} of ${label === 'null' ? 'the status null' : `status ${label}`}`,
      partOf: ['all'],
      listed: STATUS_COUNTS.length,
    },
    cohort: {
      fields: [...COHORT_COUNTS, ...COHORT_AGES, ...COHORT_KNOWN],
      name: (field, label) => `${field} of ${cohortName(label)}`,
      grow: [
        [...COHORT_AGES, 'knownWithin365Days', 'launchedIdeas', 'ideas'],
        ['launchedUndated', 'launchedIdeas'],
        ['votedIdeas', 'ideas'],
        ['discussedIdeas', 'ideas'],
      ],
      partOf: ['all'],
      listed: COHORT_COUNTS.length,
    },
  },
  grow: [
    [LAUNCHED_VOTES, inWindow('votes', 'all')],
    [WITHOUT_LAUNCH, undated('launchedIdeas'), WITHOUT],
  ],
}

function cohortName(month: unknown): string {
  return month === null || month === 'null' ? 'the cohort without a month' : `the cohort of ${shown(month)}`
}

export const outcomes: Stating<'outcomes'> = (into, path, document) =>
  into.alone(path, (alone) => {
    const fault = outcomesInto(alone, path, document, document['dataAsOf'], into.calendar)
    // Categories have no export of their own to compare it with.
    if (fault === null)
      for (const period of PERIODS)
        alone.set(
          cohortsIn(period),
          path,
          cohortsTouching(listOf(document['cohorts']), period, document['dataAsOf'], into.calendar.zone),
        )
    return fault
  })

export const outcomesOfCategory: StatingMember = (into, file, category, calendar) => {
  const member = fieldsOf(file['outcomes'])
  if (member['category'] !== category) return `outcomes: its category is ${shown(member['category'])}`
  return outcomesInto(into, 'outcomes', member, file['dataAsOf'], calendar)
}

/** @returns why they are no outcomes; null = what they state is in the quantities */
function outcomesInto(
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
  const months =
    calendar.zoneFault(document) ?? calendar.bucketsOf(dated, 'month', { period: 'all', interval: 'month' }, dataAsOf)
  if (typeof months === 'string') return `${where}: cohorts: ${months}`
  const fault =
    statusesFault(statuses) ??
    launchedFault(launched, sumOf(statuses, 'votes')) ??
    cohortsFault(cohorts, months.ages) ??
    (document['years'] === undefined ? null : yearsFault(document, dated, calendar.zone))
  if (fault !== null) return `${where}: ${fault}`
  const [ofStatuses, ofCohorts] = [into.statement('status', where), into.statement('cohort', where)]
  for (const row of statuses)
    ofStatuses.put(
      JSON.stringify(row['status']),
      STATUS_COUNTS.map((field) => numberOf(row[field])),
    )
  for (const row of cohorts) ofCohorts.put(String(row['month']), cohortNumbers(row))
  // Without a row a status or a cohort has no idea.
  ofStatuses.hasAllRows(0, STATUS_COUNTS.length)
  ofCohorts.hasAllRows(0, COHORT_COUNTS.length)
  for (const field of STATUS_COUNTS)
    into.set(inWindow(field, 'all'), `the statuses of ${where}`, sumOf(statuses, field))
  for (const field of ['ideas', 'launchedIdeas'] as const)
    into.set(inWindow(field, 'all'), `the cohorts of ${where}`, sumOf(cohorts, field))
  into.set(inWindow('launchedIdeas', 'all'), `launched.ideas of ${where}`, numberOf(launched['ideas']))
  const without = numberOf(launched['ideas']) - numberOf(launched['dated'])
  const withoutMonth = cohorts.filter(({ month }) => month === null)
  into.set(LAUNCHED_VOTES, where, numberOf(launched['votes']))
  into.set(DATED, where, numberOf(launched['dated']))
  into.set(WITHOUT, where, without)
  into.set(WITHOUT_LAUNCH, where, without - sumOf(withoutMonth, 'launchedIdeas'))
  if (document['years'] !== undefined)
    into.set(WITHOUT_LAUNCH, `launchedUndated of ${where}`, sumOf(dated, 'launchedUndated'))
  return null
}

/** Each is named: there are many rows. */
function cohortNumbers(row: Fields): number[] {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas } = row
  const { launchedWithin30Days: in30, launchedWithin90Days: in90, launchedWithin365Days: in365 } = row
  const counts = [numberOf(ideas), numberOf(votedIdeas), numberOf(discussedIdeas), numberOf(launchedIdeas)]
  const known = COHORT_KNOWN.map((field) => row[field])
  return [...counts, ...[in30, in90, in365, ...known].map(ageNumber)]
}

function ageNumber(value: unknown): number {
  return value === null || value === undefined ? UNKNOWN : numberOf(value)
}

/** How many of the cohorts of `all` the export of a period has. */
function cohortsTouching(cohorts: readonly Fields[], period: Period, dataAsOf: unknown, zone: TimeZone): number {
  const { fromMs } = windowOf(period, Date.parse(shown(dataAsOf)))
  if (fromMs === null) return cohorts.length
  return cohorts.filter(({ month }) => month !== null && zone.after('month', Date.parse(shown(month))) > fromMs).length
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
    const { launchedUndated, knownWithin365Days: inYear, launchedWithin365Days } = cohort
    if (inYear === undefined) continue
    if (
      (inYear === null) !== reached < COHORT_AGES.length ||
      launchedWithin365Days !== (launchedUndated === 0 ? inYear : null)
    )
      return `${cohortName(month)}: its knownWithin365Days is ${shown(inYear)} beside launchedWithin365Days ${shown(launchedWithin365Days)} and launchedUndated ${shown(launchedUndated)}`
  }
  return null
}

const FIRST_YEAR = ['ideas', 'launched', 'launchedUndated'] as const

/** Each year has what its months have; of the first year, what the months that are old enough have, and no more than all. */
function yearsFault(document: Fields, dated: readonly Fields[], zone: TimeZone): string | null {
  const years = listOf(document['years'])
  const whole = fieldsOf(document['firstYear'])
  const yearOf = (month: unknown): string => shown(month).slice(0, 4)
  const startOf = (month: unknown): string => zone.timestamp(zone.startOf('year', Date.parse(shown(month))))
  const expected = [...new Set(dated.map(({ month }) => startOf(month)))]
  if (years.map(({ year }) => shown(year)).join() !== expected.join())
    return `its years are ${years.map(({ year }) => shown(year)).join()}, but those of its cohorts ${expected.join()}`
  const firsts = years.map(({ firstYear }) => fieldsOf(firstYear))
  for (const field of FIRST_YEAR)
    if (sumOf(firsts, field) !== numberOf(whole[field])) return `firstYear.${field} is not the sum of its years`
  for (const row of years) {
    const year = yearOf(row['year'])
    const months = dated.filter(({ month }) => yearOf(month) === year)
    const fault = yearFault(row, months)
    if (fault !== null) return `the year ${year}${fault}`
  }
  const fault = shareFault(whole['share'], numberOf(whole['launched']), numberOf(whole['ideas']))
  return fault === null ? null : `firstYear.share: ${fault}`
}

function yearFault(row: Fields, months: readonly Fields[]): string | null {
  const first = fieldsOf(row['firstYear'])
  const old = months.filter((cohort) => cohort['knownWithin365Days'] !== null)
  const isOver = old.length === months.length
  const least = [sumOf(old, 'ideas'), sumOf(old, 'knownWithin365Days'), sumOf(old, 'launchedUndated')]
  const all = [sumOf(months, 'ideas'), sumOf(months, 'launchedIdeas'), sumOf(months, 'launchedUndated')]
  const most = isOver ? least : all
  const [ideas, launched] = [numberOf(row['ideas']), numberOf(row['launchedIdeas'])]
  const inFirst = FIRST_YEAR.map((field) => numberOf(first[field]))
  const isWrong = inFirst.some((value, n) => !(value >= (least[n] ?? 0) && value <= (most[n] ?? 0)))
  if (isWrong || ideas !== all[0] || launched !== all[1]) return ' has other numbers than its cohorts'
  const { medianDays: median } = row
  const isKnown = isOver && numberOf(first['launched']) > 0
  if (isKnown ? !(typeof median === 'number' && median >= 0 && median <= 365) : median !== null)
    return `: medianDays is ${shown(median)}`
  const fault = shareFault(first['share'], numberOf(first['launched']), numberOf(first['ideas']))
  return fault === null ? null : `: share: ${fault}`
}

/** The months that touch the period; what has no date is in `all` only. */
export const outcomesRows = rowsOverTime({
  column: 'month',
  numbersOf: cohortNumbers,
  of: () => ({ quantity: 'cohort', span: { period: 'all', interval: 'month' } }),
  more: (into, path, { period }, all) => into.all.count(cohortsIn(period), path, all.length),
})
