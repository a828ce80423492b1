// Owns how a point in time is written. Pure but for a memo; knows no document.

/** ISO 8601 UTC with milliseconds and `Z`: always 24 characters, but for years outside 0 to 9999. */
export type Timestamp = string

export const DAY_MS = 86_400_000
/** How many dates are kept: a platform of 27 years has as many days. */
const DAYS_KEPT = 10_000

const dates = new Map<number, string>()
const minutes = texts(24 * 60, 60_000, 'hh:mm:')
const seconds = texts(60, 1000, 'ss.')
const milliseconds = texts(1000, 1, 'sssZ')

/**
 * Gives what Date.toISOString gives, in a third to half of its time, with less garbage: a release of 2,000 categories
 * writes a million of them.
 * @throws RangeError for what is no time
 */
export function formatTimestamp(timeMs: number): Timestamp {
  const whole = Math.trunc(timeMs)
  const day = Math.floor(whole / DAY_MS)
  const ofDay = whole - day * DAY_MS
  const minute = Math.floor(ofDay / 60_000)
  const ofMinute = ofDay - minute * 60_000
  const second = Math.floor(ofMinute / 1000)
  return dateOf(day) + minutes[minute] + seconds[second] + milliseconds[ofMinute - second * 1000]
}

/** Whether a value is a timestamp of 24 characters, as it is written here; the last time of all is longer, and no day is after it. */
export function isTimestamp(value: unknown): value is Timestamp {
  const timeMs = typeof value === 'string' && value.length === 24 ? Date.parse(value) : Number.NaN
  return !Number.isNaN(timeMs) && new Date(timeMs).toISOString() === value
}

/** The beginning of a timestamp, up to its `T`. */
function dateOf(day: number): string {
  const known = dates.get(day)
  if (known !== undefined) return known
  const date = new Date(day * DAY_MS).toISOString().slice(0, -'00:00:00.000Z'.length)
  if (dates.size === DAYS_KEPT) dates.clear()
  dates.set(day, date)
  return date
}

/** Every text of a part of a timestamp, as Date.toISOString writes it. */
function texts(length: number, stepMs: number, part: string): readonly string[] {
  const from = 'YYYY-MM-DDThh:mm:ss.sssZ'.indexOf(part)
  return Array.from({ length }, (_, i) => new Date(i * stepMs).toISOString().slice(from, from + part.length))
}
