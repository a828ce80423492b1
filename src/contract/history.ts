// Owns which rows of the history export a period has, and how they are marked. Pure; knows no release.
import type { HistoryRow } from './kinds/history.ts'
import { formatTimestamp, type Timestamp } from './timestamp.ts'
import { windowOf, type Period } from './windows.ts'

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
