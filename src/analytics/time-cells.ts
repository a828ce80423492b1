// Owns counting by time: how finely a set of ideas is counted, and the counts of one kind of row. Knows no document.
import type { DaySlices } from '../model/day-slices.ts'
import { formatTimestamp, type Timestamp } from '../contract/timestamp.ts'
import { bucketsOf, type Interval, type Period } from '../contract/windows.ts'

/**
 * Runs of slices that are counted together, numbered from dataAsOf backwards, so that a set of ideas needs no more cells than
 * its own past is long. `days`: every slice is a cell. `months`: before the buckets of 90d, all of a month is one.
 */
export class TimeCells {
  readonly slices: DaySlices
  /** The cell of each slice. */
  readonly of: Uint16Array
  readonly #buckets = new Map<string, readonly CellBucket[]>()

  constructor(slices: DaySlices, detail: 'days' | 'months') {
    this.slices = slices
    this.of = new Uint16Array(slices.length)
    const daysFromMs = detail === 'days' ? 0 : (bucketsOf('90d', slices.asOfMs, null)[0]?.startMs ?? 0)
    let cell = 0
    for (let slice = slices.length - 1; slice >= 0; slice--) {
      this.of[slice] = cell
      const startMs = slices.startMs(slice)
      if (startMs >= daysFromMs || isMonthStart(startMs)) cell += 1
    }
  }

  /** How many cells end after an instant at which one begins: none for dataAsOf. */
  since(ms: number): number {
    const slice = this.slices.at(ms)
    return slice === this.slices.length ? 0 : (this.of[slice] ?? 0) + 1
  }

  /**
   * The buckets of a span, made once for all sets of ideas.
   * @param earliestMs where `all` begins for the whole site; null = nothing has a date
   */
  bucketsOf({ period, interval }: Span, earliestMs: number | null): readonly CellBucket[] {
    const key = `${period} ${interval} ${earliestMs}`
    let buckets = this.#buckets.get(key)
    if (buckets === undefined) {
      buckets = bucketsOf(period, this.slices.asOfMs, earliestMs, interval).map(({ startMs, fromMs, toMs }) => ({
        bucket: formatTimestamp(startMs),
        from: this.since(fromMs),
        to: this.since(toMs),
      }))
      this.#buckets.set(key, buckets)
    }
    return buckets
  }
}

export interface Span {
  readonly period: Period
  readonly interval: Interval
}

/** A bucket by its label, and how many cells end after its beginning and after its end. */
interface CellBucket {
  readonly bucket: Timestamp
  readonly from: number
  readonly to: number
}

function isMonthStart(ms: number): boolean {
  const date = new Date(ms)
  return date.getUTCDate() === 1 && ms % 86_400_000 === 0
}

const NO_SLICE: readonly number[] = []

/** Rows of one kind: how many there are, and in which cells those with a date are. */
export class CellTally {
  readonly #cells: TimeCells
  total = 0
  #dated = 0
  #counts: Uint32Array = new Uint32Array(0)

  constructor(cells: TimeCells) {
    this.#cells = cells
  }

  get undated(): number {
    return this.total - this.#dated
  }

  /** Counts one row; null = it has no date. */
  add(ms: number | null): void {
    this.addAll(1, ms === null ? NO_SLICE : [this.#cells.slices.at(ms)])
  }

  /** Counts rows of which those with a date are in these slices: the inner loop of a build, millions of times. */
  addAll(total: number, slices: readonly number[]): void {
    this.total += total
    this.#dated += slices.length
    const { of } = this.#cells
    let counts = this.#counts
    for (const slice of slices) {
      const cell = of[slice] ?? 0
      if (cell >= counts.length) counts = this.#grow(cell)
      counts[cell] = (counts[cell] ?? 0) + 1
    }
  }

  /** The sum of the newest cells but the first ones: of `to` up to `from`, as TimeCells.since() counts them. */
  between(from: number, to: number): number {
    let sum = 0
    const end = Math.min(from, this.#counts.length)
    for (let cell = to; cell < end; cell++) sum += this.#counts[cell] ?? 0
    return sum
  }

  /** The cell of the newest row with a date; -1 = none has one. */
  get newest(): number {
    return this.#counts.findIndex((count) => count > 0)
  }

  #grow(cell: number): Uint32Array {
    const grown = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, cell + 1))))
    grown.set(this.#counts)
    return (this.#counts = grown)
  }
}
