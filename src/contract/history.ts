// Owns which rows of the history export a period has, and how they are marked. Pure; knows no release.
import type { HistoryRow } from './kinds/history.ts'
import { UTC, type TimeZone } from './time-zone.ts'
import { windowOf, type Period } from './windows.ts'

/** A reader sees in it where the mapping or its parameters changed. */
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
