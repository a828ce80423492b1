// Owns counting active users per bucket and window from their time slices, one user at a time. Knows no SQL.
import type { ActiveUserCounts, UserFacts } from '../../model/facts.ts'
import { BOUNDED_PERIODS, EDGES_MS, PERIODS, type Bucket } from '../../contract/windows.ts'
import type { TimeSlices } from './time-slices.ts'

type Tally = { -readonly [K in keyof ActiveUserCounts]: ActiveUserCounts[K] }

/** The three bits of a slice. */
const [VOTED, COMMENTED, SUBMITTED] = [4, 2, 1] as const

/** Slices of a word of 48 bits: numbers of JavaScript hold 53 bits exactly, and a slice is an octal digit of the word. */
export const SLICES_OF_WORD = 16
const HIGHEST_DIGIT = 8 ** (SLICES_OF_WORD - 1)

/** How many slices and words a user has: one slice before the first edge, and a last one for what has no date. */
export class UserBits {
  readonly slices: number
  readonly words: number

  constructor(edges: number) {
    this.slices = edges + 2
    this.words = Math.ceil(this.slices / SLICES_OF_WORD)
  }

  get undated(): number {
    return this.slices - 1
  }
}

/** The words of one user, each 0 to 2^48 − 1, the first slice in the highest bits. */
export interface UserRow {
  number(word: number): number
}

/** Memory: a few numbers per bucket; users are counted one by one and forgotten. */
export class ActiveUsersCounter {
  readonly #bits: UserBits
  /** The slices in which the current user did something, ascending, and what: users are active in few. */
  readonly #slices: Int32Array
  readonly #kinds: Uint8Array
  #used = 0
  /** Per period: the bucket of each slice (-1 outside), and the counts of each bucket. */
  readonly #periods: readonly { readonly bucketOf: Int32Array; readonly counts: readonly Tally[] }[]
  readonly #fromSlice: readonly number[]
  readonly #inWindow: number[] = BOUNDED_PERIODS.map(() => 0)
  readonly #before: number[] = BOUNDED_PERIODS.map(() => 0)
  #all = 0

  constructor(bits: UserBits, slices: TimeSlices, buckets: readonly (readonly Bucket[])[], asOfMs: number) {
    this.#bits = bits
    this.#slices = new Int32Array(bits.slices)
    this.#kinds = new Uint8Array(bits.slices)
    this.#fromSlice = EDGES_MS.map((edgeMs) => slices.at(asOfMs - edgeMs))
    this.#periods = buckets.map((list) => ({
      bucketOf: slices.bucketOfSlice(list, bits.slices),
      counts: list.map(() => ({ active: 0, authors: 0, voters: 0, commenters: 0 })),
    }))
  }

  /** Counts one user. */
  add(row: UserRow): void {
    this.#read(row)
    this.#all += 1
    this.#addToWindows()
    for (const { bucketOf, counts } of this.#periods) this.#addToBuckets(bucketOf, counts)
  }

  #read(row: UserRow): void {
    this.#used = 0
    for (let word = 0; word < this.#bits.words; word++) {
      let rest = row.number(word)
      for (let i = 0, digit = HIGHEST_DIGIT; rest !== 0; i++, digit /= 8) {
        const kinds = Math.floor(rest / digit)
        if (kinds === 0) continue
        rest -= kinds * digit
        this.#slices[this.#used] = word * SLICES_OF_WORD + i
        this.#kinds[this.#used++] = kinds
      }
    }
  }

  active(): UserFacts['active'] {
    return { inWindow: this.#inWindow, before: this.#before, all: this.#all }
  }

  /** The counts of a bucket of a period, by its place in bucketsOf(period). */
  counts(period: (typeof PERIODS)[number], bucket: number): ActiveUserCounts {
    const found = this.#periods[PERIODS.indexOf(period)]?.counts[bucket]
    if (found === undefined) throw new RangeError(`no bucket ${bucket} in ${period}`)
    return found
  }

  #addToWindows(): void {
    const { undated } = this.#bits
    for (let i = 0; i < BOUNDED_PERIODS.length; i++) {
      const from = this.#fromSlice[2 * i] ?? undated
      if (this.#someSlice(from, undated)) this.#inWindow[i] = (this.#inWindow[i] ?? 0) + 1
      if (this.#someSlice(this.#fromSlice[2 * i + 1] ?? from, from)) this.#before[i] = (this.#before[i] ?? 0) + 1
    }
  }

  #someSlice(from: number, to: number): boolean {
    for (let i = 0; i < this.#used; i++) {
      const slice = this.#slices[i] ?? 0
      if (slice >= from) return slice < to
    }
    return false
  }

  // Slices and buckets ascend together, so a bucket is complete when the next one begins.
  #addToBuckets(bucketOf: Int32Array, counts: readonly Tally[]): void {
    let bucket = -1
    let seen = 0
    for (let i = 0; i < this.#used; i++) {
      const next = bucketOf[this.#slices[i] ?? 0] ?? -1
      if (next !== bucket) {
        addOne(counts[bucket], seen)
        bucket = next
        seen = 0
      }
      seen |= this.#kinds[i] ?? 0
    }
    addOne(counts[bucket], seen)
  }
}

function addOne(counts: Tally | undefined, kinds: number): void {
  if (counts === undefined) return
  counts.active += 1
  if ((kinds & VOTED) !== 0) counts.voters += 1
  if ((kinds & COMMENTED) !== 0) counts.commenters += 1
  if ((kinds & SUBMITTED) !== 0) counts.authors += 1
}
