// Owns the first pass over the ideas: which of them count, who submitted them, and the first dates. Knows no query.
import type { DaySlices } from '../../model/day-slices.ts'
import { NO_SLICE, SKIPPED } from '../../model/time-cells.ts'
import { EARLIEST_DATE_MS, FUTURE, UNDATED } from '../../contract/windows.ts'
import { SUBMITTED, type ActivePeople } from './active-people.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { COUNTS, FUTURE_IDEA, LEFT_OUT, type KnownIdeas } from './known-ideas.ts'
import { FIRST_YEAR_MS, IDEA, LONGEST } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

export class IdeaKeys {
  readonly #ideas: KnownIdeas
  readonly #slices: DaySlices
  readonly #skipped: SkippedRowTally
  readonly #people: ActivePeople | null
  /** Some idea is returned twice. */
  isTwice = false
  /** Of the ideas that count and have a date, and of their dated launches, epoch ms. */
  earliestMs = Number.POSITIVE_INFINITY
  earliestLaunchMs = Number.POSITIVE_INFINITY

  constructor(ideas: KnownIdeas, slices: DaySlices, skipped: SkippedRowTally, people: ActivePeople | null) {
    this.#ideas = ideas
    this.#slices = slices
    this.#skipped = skipped
    this.#people = people
  }

  read(rows: CopiedRows, first: number): void {
    const { asOfMs } = this.#slices
    const slices = new Int32Array(rows.count).fill(SKIPPED)
    for (let row = 0; row < rows.count; row++) {
      const createdAtMs = rows.millis(row, first + IDEA.createdAt)
      const why = unpublishable(rows.isNull(row, 0), rows.isTrue(row, first + IDEA.isLong), createdAtMs)
      const state = why !== null ? LEFT_OUT : createdAtMs >= asOfMs ? FUTURE_IDEA : COUNTS
      if (!this.#ideas.add(rows, row, state) && !rows.isNull(row, 0)) this.isTwice = true
      if (why !== null) this.#skipped.add('ideas', why, 1, 'fault')
      else if (state === FUTURE_IDEA) this.#skipped.add('ideas', FUTURE, 1)
      else slices[row] = this.#note(rows, row, first, createdAtMs)
    }
    this.#people?.add(rows, SUBMITTED, slices)
  }

  /** When it was, or NO_SLICE. */
  #note(rows: CopiedRows, row: number, first: number, createdAtMs: number): number {
    const isDated = createdAtMs >= EARLIEST_DATE_MS
    if (isDated) this.earliestMs = Math.min(this.earliestMs, createdAtMs)
    else this.#skipped.add('ideas', UNDATED, 1, 'fault')
    const launchMs = rows.millis(row, first + IDEA.launchedAt)
    if (launchMs >= EARLIEST_DATE_MS && launchMs < this.#slices.asOfMs)
      this.earliestLaunchMs = Math.min(this.earliestLaunchMs, launchMs)
    return isDated ? this.#slices.at(createdAtMs) : NO_SLICE
  }
}

/** Why an idea cannot be published at all; null = it can. */
function unpublishable(hasNoId: boolean, isLong: boolean, createdAtMs: number): string | null {
  if (hasNoId) return 'id is NULL'
  if (isLong) return `id over ${LONGEST}`
  return createdAtMs >= FIRST_YEAR_MS ? null : 'created_at is NULL, or before the year 1'
}
