// Owns who did what when: three bits a person for each cell of time, and how many people were active in each bucket. Knows no query and no person but by a hash.
import type { ActiveUserCounts } from '../../model/facts.ts'
import type { MonthlyRows } from '../../model/rows-by-month.ts'
import type { DaySlices } from '../../model/day-slices.ts'
import { NO_SLICE, SKIPPED, TimeCells } from '../../model/time-cells.ts'
import type { PeopleTime } from '../../contract/people.ts'
import { bucketsOf, EARLIEST_DATE_MS, windowEdges, type Bucket } from '../../contract/windows.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { grown, KeyTable } from './key-table.ts'

/** What makes a person active. */
export const VOTED = 0
export const COMMENTED = 1
export const SUBMITTED = 2
export type Activity = typeof VOTED | typeof COMMENTED | typeof SUBMITTED

const CELLS_OF_WORD = 10
/** In place of the number of a person. */
const NOBODY = -1

/** Memory: 4 bytes a person for each ten cells of the past (some 250 cells in ten years), and 24 of the key. */
export class ActivePeople {
  readonly #cells: TimeCells
  /** Later activity is not counted yet. */
  readonly #end: number
  readonly #table = new KeyTable(2)
  /** Of each person as many words as the oldest cell needs. */
  #words = 8
  #bits = new Uint32Array(8 * 1024)

  /** @param midnightsMs further ones to which people are counted by month */
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

  /** How many people did something at all; and in the buckets of some lists, each ascending. */
  counts(lists: readonly (readonly TimeRange[])[]): {
    readonly all: number
    readonly buckets: readonly (readonly ActiveUserCounts[])[]
  } {
    const count = new ActivityCount(this.#cells, lists)
    for (let person = 0; person < this.#table.count; person++) {
      const from = person * this.#words
      for (let word = 0; word < this.#words; word++) {
        let rest = this.#bits[from + word] ?? 0
        for (let cell = word * CELLS_OF_WORD; rest !== 0; cell++, rest >>>= 3)
          if ((rest & 7) !== 0) count.add(cell, rest & 7)
      }
      count.endPerson()
    }
    return { all: this.#table.count, buckets: count.buckets }
  }

  /** How many were active in each month, for the gate; of the last one up to a midnight at which a cell begins. */
  byMonth(beforeMs: number): MonthlyRows {
    const { zone } = this.#cells.slices
    const months = bucketsOf('all', beforeMs, EARLIEST_DATE_MS, 'month', zone)
    const [counts = []] = this.counts([months]).buckets
    const rows = months.map(({ startMs }, i) => [zone.monthOf(startMs), counts[i]?.active ?? 0] as const)
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

type TimeRange = Pick<Bucket, 'fromMs' | 'toMs'>
type Tally = { -readonly [K in keyof ActiveUserCounts]: ActiveUserCounts[K] }

/** Counts one person after the other, the newest cell of each first. */
class ActivityCount {
  /** In the order of the lists that were given. */
  readonly buckets: Tally[][]
  /** Of each list the bucket of each cell; -1 outside. */
  readonly #bucketOf: readonly Int32Array[]
  /** Of the person at hand: by list the bucket that is counted, and what was done in it. */
  readonly #bucket: Int32Array
  readonly #kinds: Uint8Array

  constructor(cells: TimeCells, lists: readonly (readonly TimeRange[])[]) {
    this.buckets = lists.map((list) => list.map(() => ({ active: 0, authors: 0, voters: 0, commenters: 0 })))
    const all = (cells.of[0] ?? 0) + 1
    this.#bucketOf = lists.map((list) => {
      const found = new Int32Array(all).fill(-1)
      for (const [i, { fromMs, toMs }] of list.entries()) found.fill(i, cells.since(toMs), cells.since(fromMs))
      return found
    })
    this.#bucket = new Int32Array(lists.length).fill(-1)
    this.#kinds = new Uint8Array(lists.length)
  }

  add(cell: number, kinds: number): void {
    for (let list = 0; list < this.#bucketOf.length; list++) {
      const bucket = this.#bucketOf[list]?.[cell] ?? -1
      if (bucket !== this.#bucket[list]) this.#endBucket(list, bucket)
      this.#kinds[list] = (this.#kinds[list] ?? 0) | kinds
    }
  }

  endPerson(): void {
    for (let list = 0; list < this.#bucketOf.length; list++) this.#endBucket(list, -1)
  }

  /** Cells and buckets descend together, so a bucket is complete when the next one begins. */
  #endBucket(list: number, next: number): void {
    const tally = this.buckets[list]?.[this.#bucket[list] ?? -1]
    const kinds = this.#kinds[list] ?? 0
    if (tally !== undefined) {
      tally.active += 1
      if ((kinds & (1 << VOTED)) !== 0) tally.voters += 1
      if ((kinds & (1 << COMMENTED)) !== 0) tally.commenters += 1
      if ((kinds & (1 << SUBMITTED)) !== 0) tally.authors += 1
    }
    this.#bucket[list] = next
    this.#kinds[list] = 0
  }
}
