// Owns how the history goes on from release to release. Pure; knows neither how rows are kept nor which release they
// come from.
import type { StatsDocument } from '../contract/documents.ts'
import { mappingMark, utcDay, type HistoryRow } from '../contract/history.ts'
import { formatTimestamp } from '../contract/timestamp.ts'

/** The row of a release, of the totals that it publishes. */
export function historyRow({ stats }: StatsDocument, asOfMs: number, mappingSha256: string): HistoryRow {
  const dataAsOf = formatTimestamp(asOfMs)
  const { totalUsers, totalIdeas, totalVotes, totalComments, launchedIdeas, activeCategories } = stats
  return {
    date: utcDay(dataAsOf),
    dataAsOf,
    mapping: mappingMark(mappingSha256),
    totalUsers,
    totalIdeas,
    totalVotes,
    totalComments,
    launchedIdeas,
    activeCategories,
  }
}

/**
 * The earlier rows as they are, and a new last one in place of that of its day. Rows of later days, published while a
 * clock was ahead, are left out: nothing in a release is later than it.
 */
export function withRow(earlier: readonly HistoryRow[], own: HistoryRow): HistoryRow[] {
  return [...earlier.filter(({ date }) => date < own.date), own]
}
