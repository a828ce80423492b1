// Owns what happened when, as documents and as a table: what a timeline states of its set of ideas, and what is wrong with
// it as such. Knows no other document.
import { snapshotPath } from '../../../contract/snapshot-paths.ts'
import { ownInterval, PERIODS, type Period } from '../../../contract/windows.ts'
import { count } from '../../../process/printable.ts'
import type { Span } from '../../../model/time-cells.ts'
import type { Buckets, Calendar } from '../../quantities/calendar.ts'
import { countsOf, fieldsOf, listOf, numberOf, shown, type Fields } from '../../quantities/numbers.ts'
import type { Shape, Where } from '../../quantities/quantity.ts'
import { columnOf, inWindow, NESTED, periodOf, undated, type Quantities } from '../../quantities/relations.ts'
import type { Stating, StatingMember } from '../../quantities/rules.ts'
import { rowsOverTime } from './series.ts'

function buckets(...partOf: Period[]): Shape {
  return { fields: NESTED, name: (field, label) => `${field} in bucket ${label}`, partOf }
}

export const timelineQuantities: Readonly<Record<string, Shape>> = {
  hour: buckets('24h'),
  day: buckets('7d', '30d', '90d'),
  month: buckets('all'),
}

export const timeline: Stating<'timeline'> = (into, path, document, span) =>
  into.alone(path, (alone) => timelineInto(alone, path, document, span, into.calendar))

/** @returns why it is no timeline; null = what it states is in the quantities */
function timelineInto(
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
  const found = calendar.zoneFault(document) ?? calendar.bucketsOf(rows, 'bucket', span, document['to'])
  if (typeof found === 'string') return `${where}: ${found}`
  const withoutDate = countsOf(fieldsOf(document['undated']))
  const { sums, last } = bucketsInto(into, where, rows, span, found, withoutDate)
  for (const [f, field] of NESTED.entries()) {
    into.set(undated(field), where, withoutDate[f] ?? 0)
    if (period !== 'all') into.set(inWindow(field, period), where, sums[f] ?? 0)
    into.set(inWindow(field, 'all'), `the totals of ${where}`, last[f] ?? 0)
  }
  if (interval !== 'month') return null
  // The ideas of a cohort were created in its month; those of no month have no date.
  const created = into.statement('cohort', where)
  for (const { bucket, ideas } of rows) created.put(shown(bucket), [numberOf(ideas)])
  created.put('null', withoutDate.slice(0, 1))
  return null
}

/**
 * A count is also the total less the one before.
 * @returns the sums of the counts, and the last totals
 */
function bucketsInto(
  into: Quantities,
  where: string,
  rows: readonly Fields[],
  { period, interval }: Span,
  { zone, names, labels }: Buckets,
  withoutDate: readonly number[],
): { readonly sums: readonly number[]; readonly last: readonly number[] } {
  const ofCounts = into.statement(interval, where)
  const ofTotals = into.statement(interval, `the totals of ${where}`)
  const ofDays = interval === 'day' && period === 'all' ? into.statement('month', `the days of ${where}`) : null
  const sums = NESTED.map(() => 0)
  let last: readonly number[] = withoutDate
  for (const [i, row] of rows.entries()) {
    const [counted, totals, name] = [countsOf(row), totalsOf(row), names[i] ?? '']
    ofCounts.put(name, counted)
    ofDays?.add(zone.timestamp(zone.startOf('month', Date.parse(labels[i] ?? ''))), counted)
    for (let f = 0; f < sums.length; f += 1) sums[f] = (sums[f] ?? 0) + (counted[f] ?? 0)
    if (i > 0) ofTotals.put(name, less(totals, last))
    else if (period === 'all')
      // Before the buckets there is only what has no date.
      for (const [f, before] of less(totals, counted).entries())
        into.set(undated(NESTED[f] ?? 'ideas'), `the totals of ${where}`, before)
    last = totals
  }
  return { sums, last }
}

/** In the order of NESTED. */
function totalsOf({ totalIdeas, totalVotes, totalComments, totalLaunchedIdeas }: Fields): number[] {
  return [numberOf(totalIdeas), numberOf(totalVotes), numberOf(totalComments), numberOf(totalLaunchedIdeas)]
}

function less(ones: readonly number[], others: readonly number[]): number[] {
  return ones.map((one, i) => one - (others[i] ?? 0))
}

export const timelinesOfCategory: StatingMember = (into, file, calendar) => {
  const members = fieldsOf(file['timelines'])
  for (const period of PERIODS) {
    const span = { period, interval: ownInterval(period) }
    const fault = timelineInto(into, `timelines.${period}`, fieldsOf(members[period]), span, calendar)
    if (fault !== null) return fault
  }
  return null
}

const IN_ROWS: Where = (_, field) =>
  snapshotPath({ endpoint: 'export', type: 'timeline', period: periodOf(field), format: 'json' })

export const timelineRows = rowsOverTime({
  column: 'bucket',
  numbersOf: countsOf,
  of: ({ period, interval }) => ({ quantity: interval, span: { period, interval } }),
  more(into, _, { period }, __, byCategory) {
    // The rows of `all` leave out what has no date.
    if (period === 'all') return
    const stated = into.all.statement('category', IN_ROWS)
    for (const [category, counts] of byCategory) stated.put(shown(category), counts, columnOf(period))
    // A category without a row counts nothing.
    stated.whole.set(columnOf(period), NESTED.length)
  },
})
