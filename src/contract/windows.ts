// Owns the periods and their half-open windows. Pure arithmetic on epoch milliseconds; knows no database and no clock.
import { DAY_MS, formatTimestamp } from './timestamp.ts'
import { HOUR_MS, UTC, type CalendarUnit, type TimeZone } from './time-zone.ts'

export const PERIODS = ['24h', '7d', '30d', '90d', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** The periods that have a length: trending offers these only. */
export const BOUNDED_PERIODS = ['24h', '7d', '30d', '90d'] as const
export type BoundedPeriod = (typeof BOUNDED_PERIODS)[number]

export { DAY_MS, HOUR_MS }

const LENGTH_MS: Readonly<Record<BoundedPeriod, number>> = {
  '24h': DAY_MS,
  '7d': 7 * DAY_MS,
  '30d': 30 * DAY_MS,
  '90d': 90 * DAY_MS,
}

/**
 * What is dated earlier counts as undated: zero dates, epoch 0, the least value of some type. It is older than every
 * window and in no bucket, so that `all` cannot have more months than those since then.
 */
export const EARLIEST_DATE_MS: number = Date.UTC(1990, 0, 1)

/** The note of a manifest for rows that do not exist yet. */
export const FUTURE = 'dated at or after dataAsOf'

/** The note for rows without a date, or with none that can be; verify reads there how many accounts have none. */
export const UNDATED = 'undated: in totals and the period all only'
export const EARLY = 'dated before 1990-01-01: in totals and the period all only'

/** `[fromMs, toMs)`; `fromMs` null = everything before `toMs`. */
export function windowOf(period: Period, asOfMs: number): { readonly fromMs: number | null; readonly toMs: number } {
  return { fromMs: period === 'all' ? null : asOfMs - LENGTH_MS[period], toMs: asOfMs }
}

/** The same window as documents write it. */
export function writtenWindow(period: Period, asOfMs: number) {
  const { fromMs, toMs } = windowOf(period, asOfMs)
  return { from: fromMs === null ? null : formatTimestamp(fromMs), to: formatTimestamp(toMs) }
}

/**
 * How far before dataAsOf the counters of a fact begin, in milliseconds, ascending: for each bounded period its window
 * and, one place further, window and previous window together. Windows are nested, so rows since an edge are all that
 * any window or previous window needs.
 */
export const EDGES_MS: readonly number[] = BOUNDED_PERIODS.flatMap((period) => [
  LENGTH_MS[period],
  2 * LENGTH_MS[period],
])

export const YEAR_MS: number = 365 * DAY_MS

/** The window of equal length that ended 365 × 24 hours earlier; null for `all`, which has none. */
export function yearAgo(period: Period, asOfMs: number): { readonly fromMs: number; readonly toMs: number } | null {
  return period === 'all' ? null : { fromMs: asOfMs - YEAR_MS - LENGTH_MS[period], toMs: asOfMs - YEAR_MS }
}

/**
 * This year up to the last midnight, and the same days of last year; until the end of March the last twelve whole months, and the
 * twelve before, because a few weeks say little of a year.
 */
export function yearWindows(asOfMs: number, zone: TimeZone) {
  const [year, month, day] = zone.dayOf(asOfMs).split('-').map(Number) as [number, number, number]
  const start = (yearsAgo: number, ofMonth: number, ofDay: number): number =>
    zone.instantOf(Date.UTC(year - yearsAgo, ofMonth - 1, ofDay))
  const isYoung = month <= 3
  const [from, to] = isYoung ? [month, [month, 1] as const] : [1, [month, day] as const]
  const window = (ago: number) => ({ fromMs: start(ago + Number(isYoung), from, 1), toMs: start(ago, ...to) })
  return { now: window(0), before: window(1) }
}

/** Instants at which a window, the one before it or the one a year ago begins or ends. */
export function windowEdges(asOfMs: number): number[] {
  const ago = BOUNDED_PERIODS.map((period) => asOfMs - YEAR_MS - LENGTH_MS[period])
  return [...EDGES_MS.map((edgeMs) => asOfMs - edgeMs), asOfMs - YEAR_MS, ...ago]
}

/** The counts of one kind of row: `total` ever, `since[i]` = dated at or after `dataAsOf - EDGES_MS[i]`. */
export interface WindowedCounts {
  readonly total: number
  readonly since: readonly number[]
}

export function countIn(counts: WindowedCounts, period: Period): number {
  return period === 'all' ? counts.total : (counts.since[2 * BOUNDED_PERIODS.indexOf(period)] ?? 0)
}

/** Rows in the window of equal length just before; null for `all`, which has none. */
export function countBefore(counts: WindowedCounts, period: Period): number | null {
  if (period === 'all') return null
  const i = 2 * BOUNDED_PERIODS.indexOf(period)
  return (counts.since[i + 1] ?? 0) - (counts.since[i] ?? 0)
}

export const INTERVALS = ['hour', 'day', 'month'] as const
export type Interval = (typeof INTERVALS)[number]

/** What a period can be cut into. The first is its own: the users export has it, and so has an answer where a client names none. */
export const INTERVALS_OF: Readonly<Record<Period, readonly [own: Interval, ...more: Interval[]]>> = {
  '24h': ['hour'],
  '7d': ['day'],
  '30d': ['day'],
  '90d': ['day'],
  all: ['month', 'day'],
}

export function ownInterval(period: Period): Interval {
  return INTERVALS_OF[period][0]
}

/** A period and its buckets in the names of files: `30d`, and `all-by-day` where the interval is not the period's own. */
export function spanName(period: Period, interval: Interval): string {
  return interval === ownInterval(period) ? period : `${period}-by-${interval}`
}

/** One row of a timeline or of the users export: labelled `startMs`, counting `[fromMs, toMs)`, the part of it inside the window. */
export interface Bucket {
  readonly startMs: number
  readonly fromMs: number
  readonly toMs: number
}

/** The buckets of a period, ascending. For `all` they begin with the month of `earliestMs`; none when that is null. */
export function bucketsOf(
  period: Period,
  asOfMs: number,
  earliestMs: number | null,
  unit: CalendarUnit = ownInterval(period),
  zone: TimeZone = UTC,
): Bucket[] {
  const fromMs = windowOf(period, asOfMs).fromMs ?? earliestMs
  if (fromMs === null) return []
  const buckets: Bucket[] = []
  for (let startMs = zone.startOf(unit, fromMs); startMs < asOfMs;) {
    const endMs = zone.after(unit, startMs)
    buckets.push({ startMs, fromMs: Math.max(startMs, fromMs), toMs: Math.min(endMs, asOfMs) })
    startMs = endMs
  }
  return buckets
}
