// Owns how a point in time is written. Pure; knows no document.

/** ISO 8601 UTC with milliseconds and `Z`: always 24 characters, but for years outside 0 to 9999. */
export type Timestamp = string

/** @throws RangeError for what is no time */
export function formatTimestamp(timeMs: number): Timestamp {
  return new Date(timeMs).toISOString()
}
