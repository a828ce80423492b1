// Owns what the table of the most important numbers states.
import type { ExportRow } from '../../../contract/kinds/tables.ts'
import type { Period } from '../../../contract/windows.ts'
import { recordOf } from '../../../model/record-of.ts'
import { isPublished } from '../../quantities/numbers.ts'
import { inWindow, previous } from '../../quantities/relations.ts'
import type { PeopleMode } from '../../../contract/people.ts'
import { PREVIOUS } from './categories.ts'
import { fewRows } from '../../quantities/rules.ts'
import { stateTotals, type Totals } from './stats.ts'

const CALLED_ALIKE = ['activeUsers', 'ideas', 'votes', 'comments', 'launchedIdeas', 'activeCategories'] as const
/** Metrics that are counted in each window, and what they count. */
const COUNTED: Totals = { newUsers: 'users', ...recordOf(CALLED_ALIKE, (metric) => metric) }
/** Metrics that are totals in each window. */
const TOTALS: Totals = {
  totalUsers: 'users',
  totalIdeas: 'ideas',
  totalVotes: 'votes',
  totalComments: 'comments',
  totalLaunchedIdeas: 'launchedIdeas',
}
const OF_PEOPLE: ReadonlySet<unknown> = new Set(['newUsers', 'activeUsers', 'totalUsers'])

export const overviewChecks = fewRows((rows, into, path, { period }) => {
  into.notPublished(path, wrongCells(rows, period, into.all.people))
  const byMetric = new Map(rows.map((row) => [row['metric'], row]))
  for (const [key, metric] of Object.entries(COUNTED))
    into.all.count(inWindow(metric, period), `${key} of ${path}`, byMetric.get(key)?.['value'])
  if (period !== 'all')
    for (const [metric] of PREVIOUS)
      into.all.count(previous(metric, period), `${metric} of ${path}`, byMetric.get(metric)?.['previousValue'])
  stateTotals(into, TOTALS, path, Object.fromEntries(rows.map((row) => [row['metric'], row['value']])))
})

/** The values are compared with other documents. */
function wrongCells(rows: readonly ExportRow[], period: Period, mode: PeopleMode): string[] {
  return rows.flatMap(({ metric, value, previousValue, changePercent, yearAgoValue = null }) => {
    if (!OF_PEOPLE.has(metric)) return []
    const isRight = period === 'all' ? previousValue === null : isPublished(previousValue, mode)
    if (!isRight) return [`previousValue of ${String(metric)} is ${String(previousValue)}`]
    if (yearAgoValue !== null && !isPublished(yearAgoValue, mode))
      return [`yearAgoValue of ${String(metric)} is ${String(yearAgoValue)}`]
    const isKnown = value !== null && previousValue !== null
    return isKnown || changePercent === null ? [] : [`changePercent of ${String(metric)} is ${String(changePercent)}`]
  })
}
