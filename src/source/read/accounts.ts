// Owns what is counted of accounts, from the rows of section users. Knows no query and no activity.
import type { DaySlices } from '../../model/day-slices.ts'
import type { MonthlyRows } from '../../model/rows-by-month.ts'
import { CellTally, TimeCells } from '../../model/time-cells.ts'
import type { PeopleTime } from '../../contract/people.ts'
import { EDGES_MS, FUTURE, UNDATED, type WindowedCounts } from '../../contract/windows.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { ACCOUNT } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

export class Accounts {
  readonly #cells: TimeCells
  readonly #tally: CellTally
  readonly #asOfMs: number
  /** How many cells are later than the instant of the numbers of people. */
  readonly #later: number
  #future = 0
  #withoutId = 0

  constructor(slices: DaySlices, { asOfMs }: PeopleTime) {
    this.#cells = new TimeCells(slices, 'days')
    this.#tally = new CellTally(this.#cells)
    this.#asOfMs = asOfMs
    this.#later = this.#cells.since(asOfMs)
  }

  read(rows: CopiedRows): void {
    for (let row = 0; row < rows.count; row++) {
      const ms = rows.millis(row, ACCOUNT.createdAt)
      // They cannot be told apart.
      if (rows.isTrue(row, ACCOUNT.hasNoId)) this.#withoutId += 1
      else if (ms >= this.#cells.slices.asOfMs) this.#future += 1
      else this.#tally.addAt(ms)
    }
  }

  get slices(): DaySlices {
    return this.#cells.slices
  }

  noteIn(skipped: SkippedRowTally): void {
    skipped.add('users', FUTURE, this.#future)
    skipped.add('users', UNDATED, this.#tally.undated, 'fault')
    skipped.add('users', 'id is NULL', this.#withoutId, 'fault')
  }

  /** The month of the first one that is counted, epoch ms; null = none has a date. */
  get firstMonthMs(): number | null {
    const { oldest } = this.#tally
    const { slices } = this.#cells
    return oldest < this.#later ? null : slices.zone.startOf('month', slices.startMs(slices.length - 1 - oldest))
  }

  /** Created since the instant of the numbers of people. */
  get later(): number {
    return this.#tally.between(this.#later, 0)
  }

  get counts(): WindowedCounts {
    const since = EDGES_MS.map((edgeMs) => this.between(this.#asOfMs - edgeMs, this.#asOfMs))
    return { total: this.#tally.total - this.later, since }
  }

  /** Created in `[fromMs, toMs)`, of which each is an instant at which a slice begins. */
  between(fromMs: number, toMs: number): number {
    return this.#tally.between(this.#cells.since(fromMs), this.#cells.since(toMs))
  }

  /** Created before an instant, or without a date. */
  before(ms: number): number {
    return this.#tally.total - this.#tally.between(this.#cells.since(ms), 0)
  }

  /** @param ms a cut of the read */
  monthsBefore(ms: number): MonthlyRows {
    return this.#tally.monthsBefore(ms)
  }
}
