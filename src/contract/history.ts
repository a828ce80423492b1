// Owns what a row of the history export is, and which of them a period has. Pure; knows no release.
import type { PublishedCount } from './people.ts'
import { formatTimestamp, type Timestamp } from './timestamp.ts'
import { windowOf, type Period } from './windows.ts'

/** The totals as the last release of one UTC day published them. */
export interface HistoryRow {
  /** UTC day of `dataAsOf`, `YYYY-MM-DD`. */
  readonly date: string
  readonly dataAsOf: Timestamp
  /** See mappingMark. */
  readonly mapping: string
  /** A number of people. */
  readonly totalUsers: PublishedCount
  readonly totalIdeas: number
  readonly totalVotes: number
  readonly totalComments: number
  readonly launchedIdeas: number
  readonly activeCategories: number
}

/** A reader sees in it where the mapping or its parameters changed. */
export function mappingMark(sha256: string): string {
  return sha256.slice(0, 8)
}

export function utcDay(time: Timestamp): string {
  return time.slice(0, 'YYYY-MM-DD'.length)
}

/** The rows whose day touches the window; that of dataAsOf always does, also at midnight. */
export function historyIn<Row extends Pick<HistoryRow, 'date'>>(
  rows: readonly Row[],
  period: Period,
  asOfMs: number,
): Row[] {
  const { fromMs } = windowOf(period, asOfMs)
  if (fromMs === null) return [...rows]
  const first = utcDay(formatTimestamp(fromMs))
  return rows.filter(({ date }) => date >= first)
}
