// Owns the table of the totals as earlier releases published them: its rows, which of them a period has, and how they are marked.
import { whole, day, people, text, time, TOTAL_COMMENTS, TOTAL_IDEAS, TOTAL_VOTES, type ObjectOf } from './shape.ts'
import { UTC, type TimeZone } from '../time-zone.ts'
import { windowOf, type Period } from '../windows.ts'

const columns = {
  date: day('Day of dataAsOf, in the time zone of its release.'),
  dataAsOf: time('The instant that the totals describe: that of the last release of the day.'),
  mapping: text('A mark of what was counted: where it changes, the numbers before and after cannot be compared.', {
    pattern: '^[0-9a-f]{8}$',
    description: 'The beginning of the sha256 of mapping and parameters: another one counts something else.',
  }),
  totalUsers: people('All accounts.'),
  totalIdeas: TOTAL_IDEAS,
  totalVotes: TOTAL_VOTES,
  totalComments: TOTAL_COMMENTS,
  launchedIdeas: whole('All launched ideas.', 'ideas'),
  activeCategories: whole('Categories with at least one idea.', 'categories'),
}
/** The totals as the last release of one day published them. */
export type HistoryRow = ObjectOf<typeof columns>

export const history = {
  title: 'History',
  rows: 'One row for each day with a release: the totals as the last release of that day published them.',
  lists: 'other',
  columns,
} as const

/** The mark by which a reader sees where the mapping or its parameters changed. */
export function mappingMark(sha256: string): string {
  return sha256.slice(0, 8)
}

/** The rows whose day touches the window; that of dataAsOf always does, also at midnight. */
export function historyIn<Row extends Pick<HistoryRow, 'date'>>(
  rows: readonly Row[],
  period: Period,
  asOfMs: number,
  zone: TimeZone = UTC,
): Row[] {
  const { fromMs } = windowOf(period, asOfMs)
  if (fromMs === null) return [...rows]
  const first = zone.dayOf(fromMs)
  return rows.filter(({ date }) => date >= first)
}
