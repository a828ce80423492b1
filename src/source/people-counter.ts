// Owns counting distinct people per bucket and window from their cells, a person at a time. Knows no SQL.
import type { PeopleCounts, PeopleFacts } from '../contract/facts.ts'
import { BOUNDED_PERIODS, EDGES_MS, PERIODS, type Bucket } from '../contract/windows.ts'
import type { Cells } from './cells.ts'

const VOTED = 1
const COMMENTED = 2
const SUBMITTED = 4

type Tally = { -readonly [K in keyof PeopleCounts]: PeopleCounts[K] }

/** Where the runs of bits of people.sql begin. Each has a cell before the first edge, and a last one without a date. */
export class PersonBits {
  readonly cells: number
  readonly bits: number

  constructor(edges: number) {
    this.cells = edges + 2
    this.bits = 3 * this.cells
  }

  get undated(): number {
    return this.cells - 1
  }

  /** The values that people.sql asks for. */
  get values(): Readonly<Record<string, string>> {
    return {
      nothing: `B'${'0'.repeat(this.bits)}'`,
      undated: String(this.undated),
      votes: '0',
      comments: String(this.cells),
      ideas: String(2 * this.cells),
    }
  }
}

const ONE = 0x31

/** Memory: a few numbers per bucket; people are looked at one by one and forgotten. */
export class PeopleCounter {
  readonly #layout: PersonBits
  readonly #kinds: Uint8Array
  /** Per period: the bucket of each cell (-1 outside), and the counts of each bucket. */
  readonly #periods: readonly { readonly bucketOf: Int32Array; readonly counts: readonly Tally[] }[]
  readonly #fromCell: readonly number[]
  readonly #inWindow: number[] = BOUNDED_PERIODS.map(() => 0)
  readonly #before: number[] = BOUNDED_PERIODS.map(() => 0)
  #all = 0

  constructor(layout: PersonBits, cells: Cells, buckets: readonly (readonly Bucket[])[], asOfMs: number) {
    this.#layout = layout
    this.#kinds = new Uint8Array(layout.cells)
    this.#fromCell = EDGES_MS.map((edgeMs) => cells.at(asOfMs - edgeMs))
    this.#periods = buckets.map((list) => ({
      bucketOf: cells.bucketOfCell(list, layout.cells),
      counts: list.map(() => ({ active: 0, authors: 0, voters: 0, commenters: 0 })),
    }))
  }

  /** Counts one person: `layout.bits` characters `0` or `1`, from `start` on. */
  add(text: Buffer, start: number): void {
    const { cells } = this.#layout
    const kinds = this.#kinds
    for (let cell = 0; cell < cells; cell++)
      kinds[cell] =
        (text[start + cell] === ONE ? VOTED : 0) |
        (text[start + cells + cell] === ONE ? COMMENTED : 0) |
        (text[start + 2 * cells + cell] === ONE ? SUBMITTED : 0)
    this.#all += 1
    this.#addToWindows()
    for (const period of this.#periods) addToBuckets(kinds, period.bucketOf, period.counts)
  }

  active(): PeopleFacts['active'] {
    return { inWindow: this.#inWindow, before: this.#before, all: this.#all }
  }

  /** The counts of a bucket of a period, by its place in bucketsOf(period). */
  counts(period: (typeof PERIODS)[number], bucket: number): PeopleCounts {
    const found = this.#periods[PERIODS.indexOf(period)]?.counts[bucket]
    if (found === undefined) throw new RangeError(`no bucket ${bucket} in ${period}`)
    return found
  }

  #addToWindows(): void {
    const { undated } = this.#layout
    for (let i = 0; i < BOUNDED_PERIODS.length; i++) {
      const from = this.#fromCell[2 * i] ?? undated
      if (someCell(this.#kinds, from, undated)) this.#inWindow[i] = (this.#inWindow[i] ?? 0) + 1
      if (someCell(this.#kinds, this.#fromCell[2 * i + 1] ?? from, from)) this.#before[i] = (this.#before[i] ?? 0) + 1
    }
  }
}

function someCell(kinds: Uint8Array, from: number, to: number): boolean {
  for (let cell = from; cell < to; cell++) if (kinds[cell] !== 0) return true
  return false
}

// Cells and buckets ascend together, so a bucket is complete when the next one begins.
function addToBuckets(kinds: Uint8Array, bucketOf: Int32Array, counts: readonly Tally[]): void {
  let bucket = -1
  let seen = 0
  for (let cell = 0; cell < kinds.length; cell++) {
    const kind = kinds[cell] ?? 0
    if (kind === 0) continue
    const next = bucketOf[cell] ?? -1
    if (next !== bucket) {
      addOne(counts[bucket], seen)
      bucket = next
      seen = 0
    }
    seen |= kind
  }
  addOne(counts[bucket], seen)
}

function addOne(counts: Tally | undefined, kinds: number): void {
  if (counts === undefined) return
  counts.active += 1
  if ((kinds & VOTED) !== 0) counts.voters += 1
  if ((kinds & COMMENTED) !== 0) counts.commenters += 1
  if ((kinds & SUBMITTED) !== 0) counts.authors += 1
}
