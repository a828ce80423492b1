// Owns counting by time: how finely a set of ideas is counted, and the counts of one kind of row. Knows no document.
import type { DaySlices } from '../contract/day-slices.ts'
import type { IdeaFacts } from '../contract/facts.ts'
import { bucketsOf, EARLIEST_DATE_MS } from '../contract/windows.ts'

/**
 * Runs of slices that are counted together, numbered from dataAsOf backwards, so that a set of ideas needs no more cells than
 * its own past is long. `days`: every slice is a cell. `months`: before the buckets of 90d, all of a month is one.
 */
export class TimeCells {
  readonly slices: DaySlices
  readonly #cellOf: Uint16Array

  constructor(slices: DaySlices, detail: 'days' | 'months') {
    this.slices = slices
    this.#cellOf = new Uint16Array(slices.length)
    const daysFromMs = detail === 'days' ? 0 : (bucketsOf('90d', slices.asOfMs, null)[0]?.startMs ?? 0)
    let cell = 0
    for (let slice = slices.length - 1; slice >= 0; slice--) {
      this.#cellOf[slice] = cell
      const startMs = slices.startMs(slice)
      if (startMs >= daysFromMs || isMonthStart(startMs)) cell += 1
    }
  }

  #of(slice: number): number {
    return this.#cellOf[slice] ?? 0
  }

  /** The cells of an idea's rows; those without a date are missing. */
  placesOf({ createdAtMs, launchedAtMs, votes, comments }: IdeaFacts): Places {
    return {
      created: createdAtMs < EARLIEST_DATE_MS ? null : this.#of(this.slices.at(createdAtMs)),
      launched: launchedAtMs === null ? null : this.#of(this.slices.at(launchedAtMs)),
      votes: this.#ofAll(votes.slices),
      comments: this.#ofAll(comments.slices),
    }
  }

  #ofAll(slices: readonly number[]): readonly number[] {
    return slices.map((slice) => this.#of(slice))
  }

  /** How many cells end after an instant at which one begins: none for dataAsOf. */
  since(ms: number): number {
    const slice = this.slices.at(ms)
    return slice === this.slices.length ? 0 : this.#of(slice) + 1
  }
}

/** The cells of one idea, made once for all the sets that it is in. */
export interface Places {
  readonly created: number | null
  readonly launched: number | null
  readonly votes: readonly number[]
  readonly comments: readonly number[]
}

function isMonthStart(ms: number): boolean {
  const date = new Date(ms)
  return date.getUTCDate() === 1 && ms % 86_400_000 === 0
}

const NO_CELL: readonly number[] = []

/** Rows of one kind: how many there are, and in which cells those with a date are. */
export class CellTally {
  total = 0
  #dated = 0
  #counts: Uint32Array = new Uint32Array(0)

  get undated(): number {
    return this.total - this.#dated
  }

  /** Counts a row of a cell; null = it has no date. */
  add(cell: number | null): void {
    this.addAll(1, cell === null ? NO_CELL : [cell])
  }

  /** Counts rows of which those with a date are in these cells: the inner loop of a build, millions of times. */
  addAll(total: number, cells: readonly number[]): void {
    this.total += total
    this.#dated += cells.length
    let counts = this.#counts
    for (const cell of cells) {
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

  #grow(cell: number): Uint32Array {
    const grown = new Uint32Array(2 ** Math.ceil(Math.log2(Math.max(8, cell + 1))))
    grown.set(this.#counts)
    return (this.#counts = grown)
  }
}
