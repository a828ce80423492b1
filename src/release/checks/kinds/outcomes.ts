// Owns what became of the ideas, as a document and as a table: what it states of its set of ideas, and what is wrong with its
// months. Knows no other document.
import { PERIODS, type Period } from '../../../contract/windows.ts'
import type { Calendar } from '../../quantities/calendar.ts'
import { membersOf, objectsOf, numberOf, shown, sumOf, type Members, type Stated } from '../../quantities/numbers.ts'
import { rowsOf } from '../../quantities/quantity.ts'
import { inWindow, type Metric, type Quantities } from '../../quantities/relations.ts'
import type { Stating, StatingMember } from '../../quantities/rules.ts'
import { rowsByCategory, rowsOfAll, type SeriesKind } from './series.ts'

export const LAUNCHED_VOTES = 'votes of launched ideas'
function cohortsIn(period: Period): string {
  return `cohorts of ${period}`
}

export const stateOutcomes: Stating<'outcomes'> = (into, path, document) =>
  into.alone(path, (alone) => {
    outcomesInto(alone, path, document, document['dataAsOf'], into.calendar)
    for (const period of PERIODS) {
      const { labels } = into.calendar.window(path, 'month', { period, interval: 'month' }, document['dataAsOf'])
      // What has no month is in `all` only.
      const isOf = ({ month }: Members): boolean => period === 'all' || labels.includes(shown(month))
      alone.set(cohortsIn(period), path, objectsOf(document['cohorts']).filter(isOf).length)
    }
  })

export const stateCategoryOutcomes: StatingMember = (into, file, calendar) =>
  outcomesInto(into, 'outcomes', membersOf(file['outcomes']), file['dataAsOf'], calendar)

function outcomesInto(into: Quantities, where: string, document: Members, dataAsOf: unknown, calendar: Calendar): void {
  const [statuses, cohorts] = [objectsOf(document['statuses']), objectsOf(document['cohorts'])]
  const dated = cohorts.at(-1)?.['month'] === null ? cohorts.slice(0, -1) : cohorts
  calendar.expectZone(`${where}: cohorts`, document)
  calendar.bucketsOf(`${where}: cohorts`, dated, 'month', { period: 'all', interval: 'month' }, dataAsOf)
  // Without a row a status or a cohort has no idea.
  const [ofStatuses, ofMonths] = [statuses.map(statusNumbers), cohorts.map(cohortNumbers)]
  into.of.status.state(
    where,
    rowsOf(
      statuses.map(({ status }) => JSON.stringify(status)),
      ofStatuses,
    ),
    true,
  )
  into.of.cohort.state(
    where,
    rowsOf(
      cohorts.map(({ month }) => String(month)),
      ofMonths,
    ),
    true,
  )
  const setSum = (field: Metric, rows: readonly Members[], of: string): void =>
    into.set(inWindow(field, 'all'), `the ${of} of ${where}`, sumOf(rows, field))
  for (const field of ['ideas', 'votes', 'comments'] as const) setSum(field, statuses, 'statuses')
  for (const field of ['ideas', 'launchedIdeas'] as const) setSum(field, cohorts, 'cohorts')
  const { ideas, votes } = membersOf(document['launched'])
  into.set(inWindow('launchedIdeas', 'all'), `launched.ideas of ${where}`, numberOf(ideas))
  into.set(LAUNCHED_VOTES, where, numberOf(votes))
}

function statusNumbers({ ideas, votes, comments }: Members): Stated[] {
  return [numberOf(ideas), numberOf(votes), numberOf(comments)]
}

/** In the order of the columns. Each is named: there are many rows. */
function cohortNumbers(row: Members): Stated[] {
  const { ideas, votedIdeas, discussedIdeas, launchedIdeas } = row
  const { launchedWithin30Days: in30, launchedWithin90Days: in90, launchedWithin365Days: in365 } = row
  const { knownWithin30Days: known30, knownWithin90Days: known90, knownWithin365Days: known365 } = row
  const later = [in30, in90, in365, row['launchedUndated'], known30, known90, known365]
  const counts = [ideas, votedIdeas, discussedIdeas, launchedIdeas].map(numberOf)
  return [...counts, ...later.map((value) => (value === null ? null : numberOf(value)))]
}

/** The months that touch the period, each as a whole; what has no date is in `all` only. */
const SERIES: SeriesKind = {
  column: 'month',
  numbersOf: cohortNumbers,
  of: () => ({ quantity: 'cohort', span: { period: 'all', interval: 'month' } }),
}

export const outcomesChecks = rowsOfAll(SERIES, (into, path, period, rows) =>
  into.all.count(cohortsIn(period), path, rows),
)

export const outcomesByCategoryChecks = rowsByCategory(SERIES)
