// Owns who did what when: three bits a person for each cell of time, and how many people were active in each window and
// bucket. Knows no query and no person but by a hash.
import type { ActiveUserCounts, UserFacts } from '../../model/facts.ts'
import type { DaySlices } from '../../model/day-slices.ts'
import { NO_SLICE, SKIPPED, TimeCells } from '../../model/time-cells.ts'
import type { PeopleTime } from '../../contract/people.ts'
import { BOUNDED_PERIODS, windowEdges, windowOf, yearAgo, type Bucket } from '../../contract/windows.ts'
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
  readonly #asOfMs: number
  readonly #table = new KeyTable(2)
  /** Of each person as many words as the oldest cell needs. */
  #words = 8
  #bits = new Uint32Array(8 * 1024)

  constructor(slices: DaySlices, { asOfMs }: PeopleTime) {
    this.#cells = new TimeCells(slices, 'months', [asOfMs, ...windowEdges(asOfMs)])
    this.#end = slices.at(asOfMs)
    this.#asOfMs = asOfMs
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

  /** @param buckets some lists of them, each ascending */
  counts(buckets: readonly (readonly Bucket[])[]): ActiveCounts {
    const count = new ActivityCount(this.#cells, this.#asOfMs, buckets)
    for (let person = 0; person < this.#table.count; person++) {
      const from = person * this.#words
      for (let word = 0; word < this.#words; word++) {
        let rest = this.#bits[from + word] ?? 0
        for (let cell = word * CELLS_OF_WORD; rest !== 0; cell++, rest >>>= 3)
          if ((rest & 7) !== 0) count.add(cell, rest & 7)
      }
      count.endPerson()
    }
    const windows = (kind: number): number[] => BOUNDED_PERIODS.map((_, i) => count.inWindow[3 * i + kind] ?? 0)
    return {
      active: { inWindow: windows(0), before: windows(1), all: this.#table.count },
      yearAgo: windows(2),
      buckets: count.buckets,
    }
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

interface ActiveCounts {
  readonly active: UserFacts['active']
  /** Of the window of a year ago of each of BOUNDED_PERIODS. */
  readonly yearAgo: readonly number[]
  /** In the order of the lists that were given. */
  readonly buckets: readonly (readonly ActiveUserCounts[])[]
}

type Tally = { -readonly [K in keyof ActiveUserCounts]: ActiveUserCounts[K] }

/** Counts one person after the other, the newest cell of each first. */
class ActivityCount {
  readonly buckets: Tally[][]
  /** Of each bounded period three: its window, the one before, and that of a year ago. */
  readonly inWindow: Uint32Array
  /** Of each period the bucket of each cell; -1 outside. */
  readonly #bucketOf: readonly Int32Array[]
  /** The cells of each window. */
  readonly #windows: readonly (readonly [newest: number, end: number])[]
  /** Of the person at hand: by period the bucket that is counted, and what was done in it. */
  readonly #bucket: Int32Array
  readonly #kinds: Uint8Array
  readonly #isIn: Uint8Array

  constructor(cells: TimeCells, asOfMs: number, buckets: readonly (readonly Bucket[])[]) {
    this.buckets = buckets.map((list) => list.map(() => ({ active: 0, authors: 0, voters: 0, commenters: 0 })))
    const all = (cells.of[0] ?? 0) + 1
    this.#bucketOf = buckets.map((list) => {
      const found = new Int32Array(all).fill(-1)
      for (const [i, { fromMs, toMs }] of list.entries()) found.fill(i, cells.since(toMs), cells.since(fromMs))
      return found
    })
    this.#windows = BOUNDED_PERIODS.flatMap((period) => {
      const { fromMs } = windowOf(period, asOfMs)
      const before = windowOf(period, fromMs ?? 0)
      return [{ fromMs, toMs: asOfMs }, before, yearAgo(period, asOfMs) ?? before].map(
        (window) => [cells.since(window.toMs), cells.since(window.fromMs ?? 0)] as const,
      )
    })
    this.inWindow = new Uint32Array(this.#windows.length)
    this.#bucket = new Int32Array(buckets.length).fill(-1)
    this.#kinds = new Uint8Array(buckets.length)
    this.#isIn = new Uint8Array(this.#windows.length)
  }

  add(cell: number, kinds: number): void {
    for (let i = 0; i < this.#windows.length; i++) {
      const [newest = 0, end = 0] = this.#windows[i] ?? []
      if (cell >= newest && cell < end) this.#isIn[i] = 1
    }
    for (let period = 0; period < this.#bucketOf.length; period++) {
      const bucket = this.#bucketOf[period]?.[cell] ?? -1
      if (bucket !== this.#bucket[period]) this.#endBucket(period, bucket)
      this.#kinds[period] = (this.#kinds[period] ?? 0) | kinds
    }
  }

  endPerson(): void {
    for (let i = 0; i < this.#isIn.length; i++) this.inWindow[i] = (this.inWindow[i] ?? 0) + (this.#isIn[i] ?? 0)
    this.#isIn.fill(0)
    for (let period = 0; period < this.#bucketOf.length; period++) this.#endBucket(period, -1)
  }

  /** Cells and buckets descend together, so a bucket is complete when the next one begins. */
  #endBucket(period: number, next: number): void {
    const tally = this.buckets[period]?.[this.#bucket[period] ?? -1]
    const kinds = this.#kinds[period] ?? 0
    if (tally !== undefined) {
      tally.active += 1
      if ((kinds & (1 << VOTED)) !== 0) tally.voters += 1
      if ((kinds & (1 << COMMENTED)) !== 0) tally.commenters += 1
      if ((kinds & (1 << SUBMITTED)) !== 0) tally.authors += 1
    }
    this.#bucket[period] = next
    this.#kinds[period] = 0
  }
}
