// Owns counting by time: how finely a set of ideas is counted, and the counts of one kind of row. Knows no document.
import type { DaySlices } from './day-slices.ts'
import { found } from './found.ts'
import type { MonthlyRows } from './rows-by-month.ts'
import type { Label } from '../contract/time-zone.ts'
import { bucketsOf, EARLIEST_DATE_MS, windowOf, type Interval, type Period } from '../contract/windows.ts'

/**
 * Runs of slices that are counted together, numbered from dataAsOf backwards, so that a set of ideas needs no more cells than
 * its own past is long. `days`: every slice is a cell. `months`: before the buckets of 90d, all of a month is one.
 */
export class TimeCells {
  readonly slices: DaySlices
  readonly of: Uint16Array
  readonly #buckets = new Map<string, readonly CellBucket[]>()

  /** @param edgesMs further instants at which a cell begins; a slice must begin at each of them */
  constructor(slices: DaySlices, detail: 'days' | 'months', edgesMs: readonly number[] = []) {
    this.slices = slices
    this.of = new Uint16Array(slices.length)
    const edges = new Set(edgesMs)
    const { asOfMs, zone } = slices
    const daysFromMs = detail === 'days' ? 0 : (bucketsOf('90d', asOfMs, null, 'day', zone)[0]?.startMs ?? 0)
    let cell = 0
    for (let slice = slices.length - 1; slice >= 0; slice--) {
      this.of[slice] = cell
      const startMs = slices.startMs(slice)
      const isMonth = slices.months[slice] !== slices.months[slice - 1]
      if (startMs >= daysFromMs || isMonth || edges.has(startMs)) cell += 1
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
    const { asOfMs, zone } = this.slices
    return found(this.#buckets, key, () =>
      bucketsOf(period, asOfMs, earliestMs, interval, zone).map(({ startMs, fromMs, toMs }) => ({
        bucket: zone.label(interval, startMs),
        from: this.since(fromMs),
        to: this.since(toMs),
      })),
    )
  }
}

export interface Span {
  readonly period: Period
  readonly interval: Interval
}

/** A bucket by its label, and how many cells end after its beginning and after its end. */
interface CellBucket {
  readonly bucket: Label
  readonly from: number
  readonly to: number
}

/** The slice of a row that counts, but has no date. */
export const NO_SLICE = -1
/** The slice of a row that does not count. */
export const SKIPPED = -2

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

  /** Counts one row; null or NaN = it has no date. */
  addAt(ms: number | null): void {
    this.add(ms !== null && ms >= EARLIEST_DATE_MS ? this.#cells.slices.at(ms) : NO_SLICE)
  }

  /** Counts one row: the inner loop of a build, millions of times. */
  add(slice: number): void {
    this.total += 1
    if (slice === NO_SLICE) return
    this.#dated += 1
    const cell = this.#cells.of[slice] ?? 0
    if (cell >= this.#counts.length) this.#grow(cell)
    this.#counts[cell] = (this.#counts[cell] ?? 0) + 1
  }

  /** The sum of the cells from `to` up to `from`, which is excluded, as TimeCells.since() counts them. */
  between(from: number, to: number): number {
    let sum = 0
    const end = Math.min(from, this.#counts.length)
    for (let cell = to; cell < end; cell++) sum += this.#counts[cell] ?? 0
    return sum
  }

  /** How many rows are dated in `[fromMs, toMs)`; each of these is an instant at which a cell begins, or dataAsOf. */
  within(fromMs: number, toMs: number): number {
    return this.between(this.#cells.since(fromMs), this.#cells.since(toMs))
  }

  /**
   * The rows dated in the window of a period, and in that of equal length just before: null for `all`, which has none.
   * Each of these windows must begin where a cell does.
   */
  inWindow(period: Period): readonly [now: number, before: number | null] {
    const { asOfMs } = this.#cells.slices
    const { fromMs } = windowOf(period, asOfMs)
    if (fromMs === null) return [this.total, null]
    return [this.within(fromMs, asOfMs), this.within(2 * fromMs - asOfMs, fromMs)]
  }

  /** The cell of the newest row with a date; -1 = none has one. */
  get newest(): number {
    return this.#counts.findIndex((count) => count > 0)
  }

  /** The cell of the oldest row with a date; -1 = none has one. */
  get oldest(): number {
    return this.#counts.findLastIndex((count) => count > 0)
  }

  /** When the slice of the oldest row begins, epoch ms; Infinity = none has a date. Only where each slice is a cell. */
  get oldestMs(): number {
    const { slices } = this.#cells
    return this.oldest < 0 ? Number.POSITIVE_INFINITY : slices.startMs(slices.length - 1 - this.oldest)
  }

  /**
   * The rows by month, for the gate; only where each slice is a cell.
   * @param beforeMs a cut of the slices: rows dated before it are counted
   */
  monthsBefore(beforeMs: number): MonthlyRows {
    const { zone } = this.#cells.slices
    const months = bucketsOf('all', beforeMs, EARLIEST_DATE_MS, 'month', zone)
    const rows = months.map(({ startMs, fromMs, toMs }) => [zone.monthOf(startMs), this.within(fromMs, toMs)] as const)
    return { undated: this.undated, months: Object.fromEntries(rows.filter(([, count]) => count > 0)) }
  }

  #grow(cell: number): void {
    const longer = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, cell + 1))))
    longer.set(this.#counts)
    this.#counts = longer
  }
}

/** The votes and the comments on a set of ideas. */
export interface EventTallies {
  readonly votes: CellTally
  readonly comments: CellTally
}

/** What a read has counted of votes and comments, by the categories of their ideas. */
export interface CountedEvents {
  /** The cells of all ideas: each slice is a cell. */
  readonly cells: TimeCells
  readonly cellsOfCategories: TimeCells
  /** @param category a published name, or UNCATEGORIZED; null = all ideas */
  of(category: string | null): EventTallies
}
