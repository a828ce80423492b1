// Owns what is counted of accounts, from the rows of section users. Knows no query and no activity.
import type { DaySlices } from '../../model/day-slices.ts'
import { CellTally, TimeCells } from '../../model/time-cells.ts'
import type { PeopleTime } from '../../contract/people.ts'
import { EDGES_MS, FUTURE, UNDATED, type WindowedCounts } from '../../contract/windows.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { ACCOUNT } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

export class Accounts {
  readonly #cells: TimeCells
  /** All, also those since the instant of the numbers of people. */
  readonly tally: CellTally
  readonly #asOfMs: number
  #future = 0
  #withoutId = 0

  constructor(slices: DaySlices, { asOfMs }: PeopleTime) {
    this.#cells = new TimeCells(slices, 'days')
    this.tally = new CellTally(this.#cells)
    this.#asOfMs = asOfMs
  }

  read(rows: CopiedRows): void {
    for (let row = 0; row < rows.count; row++) {
      const ms = rows.millis(row, ACCOUNT.createdAt)
      // They cannot be told apart.
      if (rows.isTrue(row, ACCOUNT.hasNoId)) this.#withoutId += 1
      else if (ms >= this.slices.asOfMs) this.#future += 1
      else this.tally.addAt(ms)
    }
  }

  get slices(): DaySlices {
    return this.#cells.slices
  }

  noteIn(skipped: SkippedRowTally): void {
    skipped.add('users', FUTURE, this.#future)
    skipped.add('users', UNDATED, this.tally.undated, 'fault')
    skipped.add('users', 'id is NULL', this.#withoutId, 'fault')
  }

  /** The month of the first one that is counted, epoch ms; null = none has a date. */
  get firstMonthMs(): number | null {
    const { oldest } = this.tally
    const { slices } = this
    return oldest < this.#cells.since(this.#asOfMs)
      ? null
      : slices.zone.startOf('month', slices.startMs(slices.length - 1 - oldest))
  }

  /** Created since the instant of the numbers of people. */
  get later(): number {
    return this.tally.within(this.#asOfMs, this.slices.asOfMs)
  }

  get counts(): WindowedCounts {
    const since = EDGES_MS.map((edgeMs) => this.tally.within(this.#asOfMs - edgeMs, this.#asOfMs))
    return { total: this.before(this.#asOfMs), since }
  }

  /** Created before an instant, or without a date. */
  before(ms: number): number {
    return this.tally.total - this.tally.within(ms, this.slices.asOfMs)
  }
}
