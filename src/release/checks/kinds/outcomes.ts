// Owns what became of the ideas, as a document and as a table: what it states of its set of ideas, and what is wrong with it
// as such: its months and years. Knows no other document.
import { PERIODS, windowOf, type Period } from '../../../contract/windows.ts'
import type { TimeZone } from '../../../contract/time-zone.ts'
import type { Calendar } from '../../quantities/calendar.ts'
import { fieldsOf, listOf, numberOf, shown, sumOf, type Fields } from '../../quantities/numbers.ts'
import type { Shape, Stated } from '../../quantities/quantity.ts'
import { inWindow, type Quantities } from '../../quantities/relations.ts'
import type { Stating, StatingMember } from '../../quantities/rules.ts'
import { rowsOverTime } from './series.ts'

const STATUS_COUNTS = ['ideas', 'votes', 'comments'] as const
const COHORT_COUNTS = ['ideas', 'votedIdeas', 'discussedIdeas', 'launchedIdeas'] as const
const COHORT_AGES = ['launchedWithin30Days', 'launchedWithin90Days', 'launchedWithin365Days'] as const
/** What was built before 1.0.0 may have none. */
const COHORT_KNOWN = ['launchedUndated', 'knownWithin365Days'] as const

export const LAUNCHED_VOTES = 'votes of launched ideas'
/** Of the launched ideas, those that have a month of creation and no date of launch. */
const WITHOUT_LAUNCH = 'launched ideas of months less launched.dated'
function cohortsIn(period: Period): string {
  return `cohorts of ${period}`
}

export const outcomesQuantities: Readonly<Record<string, Shape>> = {
  status: {
    fields: STATUS_COUNTS,
    name: (field, label) => `${field} of ${label === 'null' ? 'the status null' : `status ${label}`}`,
    partOf: ['all'],
    listed: STATUS_COUNTS.length,
  },
  cohort: {
    fields: [...COHORT_COUNTS, ...COHORT_AGES, ...COHORT_KNOWN],
    name: (field, label) => `${field} of ${cohortName(label)}`,
    partOf: ['all'],
    listed: COHORT_COUNTS.length,
  },
}

function cohortName(month: unknown): string {
  return month === null || month === 'null' ? 'the cohort without a month' : `the cohort of ${shown(month)}`
}

export const outcomes: Stating<'outcomes'> = (into, path, document) =>
  into.alone(path, (alone) => {
    const fault = outcomesInto(alone, path, document, document['dataAsOf'], into.calendar)
    // Categories have no export of their own to compare it with.
    if (fault !== null) return fault
    for (const period of PERIODS) {
      const touching = cohortsTouching(listOf(document['cohorts']), period, document['dataAsOf'], into.calendar.zone)
      alone.set(cohortsIn(period), path, touching)
    }
    return null
  })

export const outcomesOfCategory: StatingMember = (into, file, calendar) =>
  outcomesInto(into, 'outcomes', fieldsOf(file['outcomes']), file['dataAsOf'], calendar)

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
  const found =
    calendar.zoneFault(document) ?? calendar.bucketsOf(dated, 'month', { period: 'all', interval: 'month' }, dataAsOf)
  if (typeof found === 'string') return `${where}: cohorts: ${found}`
  const fault = yearsFault(document, dated, calendar.zone)
  if (fault !== null) return `${where}: ${fault}`
  const [ofStatuses, ofCohorts] = [into.statement('status', where), into.statement('cohort', where)]
  for (const row of statuses) {
    const counts = STATUS_COUNTS.map((field) => numberOf(row[field]))
    ofStatuses.put(JSON.stringify(row['status']), counts)
  }
  for (const row of cohorts) ofCohorts.put(String(row['month']), cohortNumbers(row))
  // Without a row a status or a cohort has no idea.
  ofStatuses.whole.set(0, STATUS_COUNTS.length)
  ofCohorts.whole.set(0, COHORT_COUNTS.length)
  for (const field of STATUS_COUNTS)
    into.set(inWindow(field, 'all'), `the statuses of ${where}`, sumOf(statuses, field))
  for (const field of ['ideas', 'launchedIdeas'] as const)
    into.set(inWindow(field, 'all'), `the cohorts of ${where}`, sumOf(cohorts, field))
  into.set(inWindow('launchedIdeas', 'all'), `launched.ideas of ${where}`, numberOf(launched['ideas']))
  const without = numberOf(launched['ideas']) - numberOf(launched['dated'])
  const withoutMonth = cohorts.filter(({ month }) => month === null)
  into.set(LAUNCHED_VOTES, where, numberOf(launched['votes']))
  into.set(WITHOUT_LAUNCH, where, without - sumOf(withoutMonth, 'launchedIdeas'))
  into.set(WITHOUT_LAUNCH, `launchedUndated of ${where}`, sumOf(dated, 'launchedUndated'))
  return null
}

/** Each is named: there are many rows. */
function cohortNumbers(row: Fields): Stated[] {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas } = row
  const { launchedWithin30Days: in30, launchedWithin90Days: in90, launchedWithin365Days: in365 } = row
  const counts = [numberOf(ideas), numberOf(votedIdeas), numberOf(discussedIdeas), numberOf(launchedIdeas)]
  const known = COHORT_KNOWN.map((field) => row[field])
  return [...counts, ...[in30, in90, in365, ...known].map((value) => (value === null ? null : numberOf(value)))]
}

/** How many of the cohorts of `all` the export of a period has. */
function cohortsTouching(cohorts: readonly Fields[], period: Period, dataAsOf: unknown, zone: TimeZone): number {
  const { fromMs } = windowOf(period, Date.parse(shown(dataAsOf)))
  if (fromMs === null) return cohorts.length
  return cohorts.filter(({ month }) => month !== null && zone.after('month', Date.parse(shown(month))) > fromMs).length
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
    if (!isOfMonths(row, months)) return `the year ${year} has other numbers than its cohorts`
  }
  return null
}

function isOfMonths(row: Fields, months: readonly Fields[]): boolean {
  const first = fieldsOf(row['firstYear'])
  const old = months.filter((cohort) => cohort['knownWithin365Days'] !== null)
  const least = [sumOf(old, 'ideas'), sumOf(old, 'knownWithin365Days'), sumOf(old, 'launchedUndated')]
  const all = [sumOf(months, 'ideas'), sumOf(months, 'launchedIdeas'), sumOf(months, 'launchedUndated')]
  const most = old.length === months.length ? least : all
  const [ideas, launched] = [numberOf(row['ideas']), numberOf(row['launchedIdeas'])]
  const inFirst = FIRST_YEAR.map((field) => numberOf(first[field]))
  const isWithin = inFirst.every((value, n) => value >= (least[n] ?? 0) && value <= (most[n] ?? 0))
  return isWithin && ideas === all[0] && launched === all[1]
}

/** The months that touch the period; what has no date is in `all` only. */
export const outcomesRows = rowsOverTime({
  column: 'month',
  numbersOf: cohortNumbers,
  of: () => ({ quantity: 'cohort', span: { period: 'all', interval: 'month' } }),
  more: (into, path, { period }, all) => into.all.count(cohortsIn(period), path, all.length),
})
