// Owns counting the rows of ideas by UTC month for the gate. Pure: facts in, rows by month out; knows no release.
import type { DaySlices } from '../contract/day-slices.ts'
import type { EventCounts, IdeaFacts } from '../contract/facts.ts'
import type { MonthlyRows, RowsByMonth } from '../contract/rows-by-month.ts'
import { EARLIEST_DATE_MS } from '../contract/windows.ts'

/** One relation: rows by the slice of their dates. */
class SliceTally {
  readonly bySlice: Uint32Array
  undated = 0

  constructor(slices: number) {
    this.bySlice = new Uint32Array(slices)
  }

  addOne(slice: number): void {
    this.bySlice[slice] = (this.bySlice[slice] ?? 0) + 1
  }

  addEvents({ slices, total }: EventCounts): void {
    for (let i = 0; i < slices.length; i++) this.addOne(slices[i] ?? 0)
    this.undated += total - slices.length
  }
}

export class PastTally {
  readonly #slices: DaySlices
  readonly #ideas: SliceTally
  readonly #votes: SliceTally
  readonly #comments: SliceTally
  readonly #launches: SliceTally

  /** @param slices which begin at every cut that is asked for */
  constructor(slices: DaySlices) {
    this.#slices = slices
    const tally = (): SliceTally => new SliceTally(slices.length)
    this.#ideas = tally()
    this.#votes = tally()
    this.#comments = tally()
    this.#launches = tally()
  }

  add({ createdAtMs, launched, launchedAtMs, votes, comments }: IdeaFacts): void {
    this.#addDate(this.#ideas, createdAtMs)
    if (launched) this.#addDate(this.#launches, launchedAtMs)
    this.#votes.addEvents(votes)
    this.#comments.addEvents(comments)
  }

  #addDate(tally: SliceTally, dateMs: number | null): void {
    if (dateMs === null || dateMs < EARLIEST_DATE_MS) tally.undated += 1
    else tally.addOne(this.#slices.at(dateMs))
  }

  /** @param users the accounts dated before the same instant */
  before(beforeMs: number, users: MonthlyRows): RowsByMonth {
    const relations = {
      users,
      ideas: this.#months(this.#ideas, beforeMs),
      votes: this.#months(this.#votes, beforeMs),
      comments: this.#months(this.#comments, beforeMs),
      launchedIdeas: this.#months(this.#launches, beforeMs),
    }
    return { beforeMs, relations }
  }

  #months({ bySlice, undated }: SliceTally, beforeMs: number): MonthlyRows {
    const months: Record<string, number> = {}
    for (const [slice, rows] of bySlice.entries()) {
      const startMs = this.#slices.startMs(slice)
      if (startMs >= beforeMs) break
      if (rows === 0) continue
      const month = new Date(startMs).toISOString().slice(0, 7)
      months[month] = (months[month] ?? 0) + rows
    }
    return { undated, months }
  }
}
