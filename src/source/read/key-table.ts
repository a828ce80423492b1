// Owns numbering keys of 64 or 128 bits in the order in which they come: open addressing in typed arrays. Knows no meaning.
import { randomInt } from 'node:crypto'

/** A key that is not there. */
export const UNKNOWN = -1

/** Memory: 8 or 16 bytes a key, and 8 to 16 for its place. */
export class KeyTable {
  readonly #words: 2 | 4
  /** Each table has another seed, so that nobody who chooses ids can choose ids that collide. */
  readonly #seed = randomInt(2 ** 32)
  #keys: Int32Array
  /** The number of the key in each place, plus one; 0 = empty. */
  #places = new Int32Array(1024)
  count = 0

  constructor(words: 2 | 4) {
    this.#words = words
    this.#keys = new Int32Array(words * 512)
  }

  /** The number of a key, or UNKNOWN. A key of two words leaves the others 0. */
  find(a: number, b: number, c = 0, d = 0): number {
    return (this.#places[this.#placeOf(a, b, c, d)] ?? 0) - 1
  }

  /** The number of a key. One that is not there gets a new number: `count` as it was before. */
  add(a: number, b: number, c = 0, d = 0): number {
    const place = this.#placeOf(a, b, c, d)
    const found = this.#places[place] ?? 0
    if (found > 0) return found - 1
    const number = this.count++
    this.#places[place] = number + 1
    const at = number * this.#words
    if (at + this.#words > this.#keys.length) this.#keys = grown(this.#keys, 2 * this.#keys.length)
    this.#keys[at] = a
    this.#keys[at + 1] = b
    if (this.#words === 4) {
      this.#keys[at + 2] = c
      this.#keys[at + 3] = d
    }
    if (2 * this.count > this.#places.length) this.#rehash()
    return number
  }

  #placeOf(a: number, b: number, c: number, d: number): number {
    const keys = this.#keys
    const places = this.#places
    const last = places.length - 1
    // The finaliser of MurmurHash3 (Austin Appleby, public domain) after each word.
    let hash = mixed(mixed(this.#seed ^ a) ^ b)
    if (this.#words === 4) hash = mixed(mixed(hash ^ c) ^ d)
    for (let place = hash & last; ; place = (place + 1) & last) {
      const found = places[place] ?? 0
      if (found === 0) return place
      const at = (found - 1) * this.#words
      if (keys[at] !== a || keys[at + 1] !== b) continue
      if (this.#words === 2 || (keys[at + 2] === c && keys[at + 3] === d)) return place
    }
  }

  #rehash(): void {
    const keys = this.#keys
    this.#places = new Int32Array(2 * this.#places.length)
    for (let number = 0; number < this.count; number++) {
      const at = number * this.#words
      const [c, d] = this.#words === 4 ? [keys[at + 2] ?? 0, keys[at + 3] ?? 0] : [0, 0]
      this.#places[this.#placeOf(keys[at] ?? 0, keys[at + 1] ?? 0, c, d)] = number + 1
    }
  }
}

/** 32 bits that depend on each bit of a word. */
export function mixed(word: number): number {
  let hash = Math.imul(word ^ (word >>> 16), 0x85ebca6b)
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35)
  return hash ^ (hash >>> 16)
}

export function grown<T extends Int32Array | Uint32Array>(array: T, length: number): T {
  const longer = new (array.constructor as new (length: number) => T)(length)
  longer.set(array)
  return longer
}
