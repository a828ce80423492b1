// Owns how the history goes on from release to release. Pure; knows neither how rows are kept nor which release they
// come from.
import { mappingMark, type HistoryRow } from '../contract/kinds/history.ts'
import type { StatsDocument } from '../contract/kinds/stats.ts'
import { publishedCount, type PeopleMode, type PublishedCount } from '../contract/people.ts'
import { UTC, type TimeZone } from '../contract/time-zone.ts'
import { formatTimestamp } from '../contract/timestamp.ts'

/** The rows that were published before, and what this one's says of its mapping. */
export interface History {
  readonly earlier: readonly HistoryRow[]
  readonly mappingSha256: string
}

/** @param users as the manifest has them: those of stats are a number in every mode */
export function historyRow(
  { stats }: StatsDocument,
  users: PublishedCount,
  asOfMs: number,
  mappingSha256: string,
  zone: TimeZone = UTC,
): HistoryRow {
  const dataAsOf = formatTimestamp(asOfMs)
  return { date: zone.dayOf(asOfMs), dataAsOf, mapping: mappingMark(mappingSha256), ...stats, totalUsers: users }
}

/** The rows of an earlier release as one of this mode may show them: what was not published comes back in no mode. */
export function publishAgain(rows: readonly HistoryRow[], mode: PeopleMode): readonly HistoryRow[] {
  return rows.map((row) => ({ ...row, totalUsers: publishedCount(row.totalUsers, mode) }))
}

/**
 * The earlier rows as they are, and a new last one in place of that of its day. Rows of later days, published while a
 * clock was ahead, are left out: nothing in a release is later than it.
 */
export function withRow(earlier: readonly HistoryRow[], own: HistoryRow): HistoryRow[] {
  return [...earlier.filter(({ date }) => date < own.date), own]
}
