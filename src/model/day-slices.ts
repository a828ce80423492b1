// Owns the numbers of the time slices of votes and comments: days of a time zone, cut further where a bucket, a window or a
// comparison of the recent past begins. Pure arithmetic on epoch milliseconds; knows no database.
import { UTC, type TimeZone } from '../contract/time-zone.ts'
import { bucketsOf, DAY_MS, EARLIEST_DATE_MS, windowEdges } from '../contract/windows.ts'

/** Slices are numbered in 16 bits (time-cells.ts), which are enough for all days and cuts until then. */
export const LATEST_CLOCK_MS: number = Date.UTC(2160, 0, 1)

/**
 * Ascending slices from 1990-01-01 UTC to dataAsOf: days, which also end at the edges of windows, at the hours of the last 24,
 * and at the cuts. So every bucket, window and cut is a run of slices.
 */
export class DaySlices {
  readonly asOfMs: number
  readonly zone: TimeZone
  readonly #edgesMs: Float64Array
  /** The slice that contains the beginning of each UTC day. */
  readonly #firstOf: Uint16Array
  /** The month of each slice, counted since the year 0: a Map finds the value of such small integers without making an object. */
  readonly months: Uint16Array

  /** @param cutsMs further instants at which a slice begins; those outside [1990-01-01, dataAsOf) cut nothing */
  constructor(asOfMs: number, cutsMs: readonly number[] = [], zone: TimeZone = UTC) {
    this.asOfMs = asOfMs
    this.zone = zone
    const hours = bucketsOf('24h', asOfMs, null, 'hour', zone).map(({ fromMs }) => fromMs)
    const cuts = [EARLIEST_DATE_MS, ...windowEdges(asOfMs), ...hours, ...cutsMs]
    const edges = cuts.filter((ms) => ms >= EARLIEST_DATE_MS && ms < asOfMs)
    for (let ms = zone.after('day', EARLIEST_DATE_MS); ms < asOfMs; ms = zone.after('day', ms)) edges.push(ms)
    this.#edgesMs = new Float64Array(edges).sort().filter((ms, i, sorted) => ms !== sorted[i - 1])
    this.#firstOf = new Uint16Array(dayOf(asOfMs) + 1)
    for (let slice = 0, day = 0; day < this.#firstOf.length; day++) {
      while (this.startMs(slice + 1) <= EARLIEST_DATE_MS + day * DAY_MS && slice + 1 < this.length) slice += 1
      this.#firstOf[day] = slice
    }
    let [month, endMs] = [0, 0]
    this.months = new Uint16Array(this.#edgesMs).map((_, slice) => {
      if (this.startMs(slice) < endMs) return month
      const startMs = zone.startOf('month', this.startMs(slice))
      endMs = zone.after('month', startMs)
      const [year, ofYear] = zone.dayOf(startMs).split('-').map(Number) as [number, number]
      return (month = 12 * year + ofYear - 1)
    })
  }

  get length(): number {
    return this.#edgesMs.length
  }

  /** The slice that contains an instant: the first one for what is before 1990, `length` for dataAsOf and later. */
  at(ms: number): number {
    if (ms >= this.asOfMs) return this.length
    let slice = this.#firstOf[dayOf(ms)] ?? 0
    while ((this.#edgesMs[slice + 1] ?? this.asOfMs) <= ms) slice += 1
    return slice
  }

  /** Where a slice begins; dataAsOf for `length`. */
  startMs(slice: number): number {
    return this.#edgesMs[slice] ?? this.asOfMs
  }

  /** The month of an instant; null = it is before 1990, so none. */
  monthAt(ms: number): number | null {
    return ms >= EARLIEST_DATE_MS ? (this.months[this.at(ms)] ?? null) : null
  }
}

function dayOf(ms: number): number {
  return Math.floor((ms - EARLIEST_DATE_MS) / DAY_MS)
}
