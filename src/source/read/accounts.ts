// Owns what is counted of accounts, from the rows of section users. Knows no query and no activity.
import type { DaySlices } from '../../model/day-slices.ts'
import { CellTally, TimeCells } from '../../model/time-cells.ts'
import type { PeopleTime } from '../../contract/people.ts'
import { EARLIEST_DATE_MS, EARLY, EDGES_MS, FUTURE, UNDATED, type WindowedCounts } from '../../contract/windows.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { ACCOUNT } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

export class Accounts {
  readonly slices: DaySlices
  /** All accounts, also those created since the instant of the numbers of people. */
  readonly tally: CellTally
  readonly #asOfMs: number

  constructor(slices: DaySlices, { asOfMs }: PeopleTime) {
    this.slices = slices
    this.tally = new CellTally(new TimeCells(slices, 'days'))
    this.#asOfMs = asOfMs
  }

  read(rows: CopiedRows, skipped: SkippedRowTally): void {
    for (let row = 0; row < rows.count; row++) {
      const ms = rows.millis(row, ACCOUNT.createdAt)
      // Accounts without an id cannot be told apart.
      if (rows.isTrue(row, ACCOUNT.hasNoId)) skipped.add('users', 'id is NULL', 1, 'fault')
      else if (ms >= this.slices.asOfMs) skipped.add('users', FUTURE)
      else {
        if (ms < EARLIEST_DATE_MS) skipped.add('users', EARLY, 1, 'fault')
        else if (Number.isNaN(ms)) skipped.add('users', UNDATED)
        this.tally.addAt(ms)
      }
    }
  }

  /** When the day of the first account that is counted begins, epoch ms; Infinity = none has a date. */
  get oldestMs(): number {
    const { oldestMs } = this.tally
    return oldestMs < this.#asOfMs ? oldestMs : Number.POSITIVE_INFINITY
  }

  /** How many accounts were created since the instant of the numbers of people. */
  get later(): number {
    return this.tally.within(this.#asOfMs, this.slices.asOfMs)
  }

  get counts(): WindowedCounts {
    const since = EDGES_MS.map((edgeMs) => this.tally.within(this.#asOfMs - edgeMs, this.#asOfMs))
    return { total: this.before(this.#asOfMs), since }
  }

  /** How many accounts were created before an instant, or have no date. */
  before(ms: number): number {
    return this.tally.total - this.tally.within(ms, this.slices.asOfMs)
  }
}
