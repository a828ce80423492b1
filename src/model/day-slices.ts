// Owns the numbers of the time slices of votes and comments: UTC days, cut further where a bucket, a window or a comparison
// of the recent past begins. Pure arithmetic on epoch milliseconds; knows no database.
import { bucketsOf, DAY_MS, EARLIEST_DATE_MS, EDGES_MS } from '../contract/windows.ts'

/** The day on which slice 0 begins, counted from 1970-01-01. */
export const FIRST_DAY: number = EARLIEST_DATE_MS / DAY_MS

/** Slices are numbered in 16 bits (time-cells.ts); days and cuts together stay below until then. */
export const LATEST_CLOCK_MS: number = Date.UTC(2160, 0, 1)

/**
 * Ascending slices from 1990-01-01 to dataAsOf. Until `fineFromMs` each is a UTC day; from there on they also end at the
 * edges of windows, at the hours of the last 24, and at the cuts. So every bucket, window and cut is a run of slices.
 */
export class DaySlices {
  readonly asOfMs: number
  /** A midnight. */
  readonly fineFromMs: number
  /** Where each fine slice begins, ascending; the first is `fineFromMs`. */
  readonly fineEdgesMs: readonly number[]
  /** The number of the slice that begins at `fineFromMs`. */
  readonly firstFine: number

  /** @param cutsMs further instants at which a slice begins; those outside [1990-01-01, dataAsOf) cut nothing */
  constructor(asOfMs: number, cutsMs: readonly number[] = []) {
    this.asOfMs = asOfMs
    const hours = bucketsOf('24h', asOfMs, null).map(({ fromMs }) => fromMs)
    const cuts = [...EDGES_MS.map((edgeMs) => asOfMs - edgeMs), ...hours, ...cutsMs]
    const inside = cuts.filter((ms) => ms >= EARLIEST_DATE_MS && ms < asOfMs)
    const first = dayOf(Math.min(...inside))
    const midnights = Array.from({ length: dayOf(asOfMs) - first + 1 }, (_, i) => (first + i) * DAY_MS)
    const edges = new Set([...midnights, ...inside])
    edges.delete(asOfMs)
    this.fineFromMs = first * DAY_MS
    this.fineEdgesMs = [...edges].sort((a, b) => a - b)
    this.firstFine = first - FIRST_DAY
  }

  get length(): number {
    return this.firstFine + this.fineEdgesMs.length
  }

  /** The slice that contains an instant, which must not be before 1990; `length` for dataAsOf and later. */
  at(ms: number): number {
    if (ms >= this.asOfMs) return this.length
    if (ms < this.fineFromMs) return dayOf(ms) - FIRST_DAY
    let [low, high] = [0, this.fineEdgesMs.length]
    while (high - low > 1) {
      const middle = (low + high) >> 1
      if ((this.fineEdgesMs[middle] ?? 0) <= ms) low = middle
      else high = middle
    }
    return this.firstFine + low
  }

  /** Where a slice begins; dataAsOf for `length`. */
  startMs(slice: number): number {
    if (slice < this.firstFine) return (FIRST_DAY + slice) * DAY_MS
    return this.fineEdgesMs[slice - this.firstFine] ?? this.asOfMs
  }
}

function dayOf(ms: number): number {
  return Math.floor(ms / DAY_MS)
}
