// Owns who did what when: three bits a person for each cell of time, and how many people were active in each bucket. Knows no query and no person but by a hash.
import type { ActiveUserCounts } from '../../model/facts.ts'
import type { MonthlyRows } from '../../model/rows-by-month.ts'
import type { DaySlices } from '../../model/day-slices.ts'
import { NO_SLICE, SKIPPED, TimeCells } from '../../model/time-cells.ts'
import type { PeopleTime } from '../../contract/people.ts'
import { bucketsOf, EARLIEST_DATE_MS, windowEdges, type Bucket } from '../../contract/windows.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { grown, KeyTable } from './key-table.ts'

export const VOTED = 0
export const COMMENTED = 1
export const SUBMITTED = 2
export type Activity = typeof VOTED | typeof COMMENTED | typeof SUBMITTED

const CELLS_OF_WORD = 10
/** Stands in place of the number of a person. */
const NOBODY = -1

/** Memory: 4 bytes a person for each ten cells of the past (some 250 cells in ten years), and 24 of the key. */
export class ActivePeople {
  readonly #cells: TimeCells
  /** The slice of the instant of the numbers of people: later activity is not counted yet. */
  readonly #end: number
  readonly #table = new KeyTable(2)
  /** Each person has as many words as the oldest cell needs. */
  #words = 8
  #bits = new Uint32Array(8 * 1024)

  /** @param midnightsMs further midnights, up to which people are counted by month */
  constructor(slices: DaySlices, { asOfMs }: PeopleTime, midnightsMs: readonly number[] = []) {
    this.#cells = new TimeCells(slices, 'months', [asOfMs, ...windowEdges(asOfMs), ...midnightsMs])
    this.#end = slices.at(asOfMs)
  }

  /** @param slices when each row was, NO_SLICE, or SKIPPED */
  add(rows: CopiedRows, kind: Activity, slices: Int32Array): void {
    const key = rows.fields - 1
    const people = new Int32Array(rows.count).fill(NOBODY)
    for (let row = 0; row < rows.count; row++) {
      const slice = slices[row] ?? SKIPPED
      if (slice !== SKIPPED && slice < this.#end && !rows.isNull(row, key))
        people[row] = this.#table.add(rows.int32(row, key), rows.int32(row, key, 4))
    }
    for (let row = 0; row < rows.count; row++) this.#mark(people[row] ?? NOBODY, kind, slices[row] ?? SKIPPED)
  }

  #mark(person: number, kind: Activity, slice: number): void {
    if (person === NOBODY || slice === NO_SLICE) return
    const cell = this.#cells.of[slice] ?? 0
    const word = Math.floor(cell / CELLS_OF_WORD)
    if (word >= this.#words) this.#widen(word + 1)
    const at = person * this.#words + word
    if (at >= this.#bits.length) this.#bits = grown(this.#bits, 2 * at)
    this.#bits[at] = (this.#bits[at] ?? 0) | (1 << (3 * (cell % CELLS_OF_WORD) + kind))
  }

  /** How many people did something at any time. */
  get all(): number {
    return this.#table.count
  }

  /** How many people were active in each of some ranges; each person counts once in a range. */
  counts<R extends TimeRange>(ranges: readonly R[]): ReadonlyMap<R, ActiveUserCounts> {
    const cells = this.#cells
    /** For each cell, the tallies of the ranges that it is in. */
    const talliesOf = Array.from({ length: (cells.of[0] ?? 0) + 1 }, (): RangeTally[] => [])
    const tallies = ranges.map((range) => {
      const tally = { range, latest: NOBODY, done: 0, counts: { active: 0, authors: 0, voters: 0, commenters: 0 } }
      for (const found of talliesOf.slice(cells.since(range.toMs), cells.since(range.fromMs))) found.push(tally)
      return tally
    })
    for (let person = 0; person < this.#table.count; person++) {
      const from = person * this.#words
      for (let word = 0; word < this.#words; word++) {
        let rest = this.#bits[from + word] ?? 0
        for (let cell = word * CELLS_OF_WORD; rest !== 0; cell++, rest >>>= 3)
          if ((rest & 7) !== 0) for (const tally of talliesOf[cell] ?? []) count(tally, person, rest & 7)
      }
    }
    return new Map(tallies.map(({ range, counts }) => [range, counts]))
  }

  /** How many people were active in each month, for the gate; the last month ends at a midnight at which a cell begins. */
  byMonth(beforeMs: number): MonthlyRows {
    const { zone } = this.#cells.slices
    const months = bucketsOf('all', beforeMs, EARLIEST_DATE_MS, 'month', zone)
    const rows = [...this.counts(months)].map(([{ startMs }, { active }]) => [zone.monthOf(startMs), active] as const)
    return { undated: 0, months: Object.fromEntries(rows.filter(([, people]) => people > 0)) }
  }

  #widen(needed: number): void {
    const words = Math.max(needed, this.#words + 4)
    const people = Math.max(this.#table.count, this.#bits.length / this.#words)
    const wider = new Uint32Array(people * words)
    for (let person = 0; person < this.#table.count; person++)
      wider.set(this.#bits.subarray(person * this.#words, (person + 1) * this.#words), person * words)
    this.#bits = wider
    this.#words = words
  }
}

export type TimeRange = Pick<Bucket, 'fromMs' | 'toMs'>

/** Counts the people of a range, one after the other. */
interface RangeTally {
  /** The latest person, and what they have done in the range so far. */
  latest: number
  done: number
  readonly counts: { -readonly [K in keyof ActiveUserCounts]: ActiveUserCounts[K] }
}

function count(tally: RangeTally, person: number, kinds: number): void {
  const { counts } = tally
  if (tally.latest !== person) {
    tally.latest = person
    tally.done = 0
    counts.active += 1
  }
  const first = kinds & ~tally.done
  tally.done |= kinds
  if ((first & (1 << VOTED)) !== 0) counts.voters += 1
  if ((first & (1 << COMMENTED)) !== 0) counts.commenters += 1
  if ((first & (1 << SUBMITTED)) !== 0) counts.authors += 1
}
