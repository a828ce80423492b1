// Owns what happened when, as documents and as a table: what a timeline states of its set of ideas, and what is wrong with
// it as such. Knows no other document.
import { ownInterval, PERIODS } from '../../../contract/windows.ts'
import { count } from '../../../process/printable.ts'
import type { Span } from '../../../model/time-cells.ts'
import type { Calendar } from '../../quantities/calendar.ts'
import {
  countsOf,
  Fault,
  membersOf,
  less,
  objectsOf,
  numberOf,
  plus,
  shown,
  type Members,
  type Stated,
} from '../../quantities/numbers.ts'
import { addRow, rowsOf, type Sums } from '../../quantities/quantity.ts'
import { inWindow, NESTED, undated, type Metric, type Quantities } from '../../quantities/relations.ts'
import type { Stating, StatingMember } from '../../quantities/rules.ts'
import { rowsByCategory, rowsOfAll, type SeriesKind } from './series.ts'

export const stateTimeline: Stating<'timeline'> = (into, path, document, span) =>
  into.alone(path, (alone) => timelineInto(alone, path, document, span, into.calendar))

export const stateCategoryTimelines: StatingMember = (into, file, calendar) => {
  const members = membersOf(file['timelines'])
  for (const period of PERIODS) {
    const span = { period, interval: ownInterval(period) }
    timelineInto(into, `timelines.${period}`, membersOf(members[period]), span, calendar)
  }
}

/** A count is also the total less the one before. */
function timelineInto(into: Quantities, where: string, document: Members, span: Span, calendar: Calendar): void {
  const { period, interval } = span
  const rows = objectsOf(document['buckets'])
  if (document['count'] !== rows.length)
    throw new Fault(`${where}: its count is ${shown(document['count'])} of ${count(rows.length)} buckets`)
  calendar.expectZone(where, document)
  const { names, labels } = calendar.bucketsOf(where, rows, 'bucket', span, document['to'])
  const [counts, totals, inTotals] = [rows.map(countsOf), rows.map(totalsOf), `the totals of ${where}`]
  const withoutDate = countsOf(membersOf(document['undated']))
  const sums = NESTED.map((_, i) => counts.reduce<Stated>((sum, row) => plus(sum, row[i]), 0))
  setEach(into, undated, where, withoutDate)
  if (period !== 'all') setEach(into, (field) => inWindow(field, period), where, sums)
  // Before the buckets of all time there is only what has no date.
  else setEach(into, undated, inTotals, lessEach(totals[0], counts[0]))
  setEach(into, (field) => inWindow(field, 'all'), inTotals, totals.at(-1) ?? withoutDate)
  // What has no date stands beside the months.
  const named = interval === 'month' ? [...names, 'null'] : names
  const ofNames = interval === 'month' ? [...counts, withoutDate] : counts
  into.of[interval].state(where, rowsOf(named, ofNames))
  const added = totals.map((total, i) => (i === 0 ? [] : lessEach(total, totals[i - 1])))
  into.of[interval].state(inTotals, rowsOf(names, added))
  if (interval === 'day' && period === 'all') {
    const months: Sums = new Map()
    for (const [i, day] of labels.entries()) addRow(months, `${day.slice(0, 'YYYY-MM'.length)}-01`, counts[i] ?? [])
    into.of.month.state(`the days of ${where}`, months)
  }
  // The ideas of a cohort were created in its month.
  if (interval !== 'month') return
  const created = ofNames.map((row) => row.slice(0, 1))
  into.of.cohort.state(where, rowsOf(named, created))
}

/** In the order of NESTED. */
function totalsOf({ totalIdeas, totalVotes, totalComments, totalLaunchedIdeas }: Members): Stated[] {
  return [numberOf(totalIdeas), numberOf(totalVotes), numberOf(totalComments), numberOf(totalLaunchedIdeas)]
}

function lessEach(ones: readonly Stated[] = [], others: readonly Stated[] = []): Stated[] {
  return ones.map((one, i) => less(one, others[i]))
}

function setEach(into: Quantities, nameOf: (field: Metric) => string, where: string, numbers: readonly Stated[]): void {
  for (const [i, field] of NESTED.entries()) into.set(nameOf(field), where, numbers[i])
}

const SERIES: SeriesKind = {
  column: 'bucket',
  numbersOf: countsOf,
  of: ({ period, interval }) => ({ quantity: interval, span: { period, interval } }),
}

export const timelineChecks = rowsOfAll(SERIES)

export const timelineByCategoryChecks = rowsByCategory(SERIES, (into, path, period, byCategory) =>
  // A category without a row counts nothing.
  into.all.of[`categories in ${period}`].state(path, byCategory, true),
)
