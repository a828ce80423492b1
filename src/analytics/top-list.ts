// Owns a bounded best-of list. Knows nothing of what it ranks.

/**
 * Keeps the `size` best of all added, in order; equal ones in the order in which they came. A newcomer is compared with
 * the worst first, where most lose.
 */
export class TopList<T> {
  readonly #entries: T[] = []
  readonly #size: number
  readonly #compare: (a: T, b: T) => number

  /** @param compare negative when `a` ranks before `b` */
  constructor(size: number, compare: (a: T, b: T) => number) {
    this.#size = size
    this.#compare = compare
  }

  /** The entry that the next better one pushes out; null while there is room. Only an entry that ranks before it need be added. */
  get worst(): T | null {
    return this.#entries.length < this.#size ? null : (this.#entries.at(-1) ?? null)
  }

  /** Best first. */
  get ranked(): readonly T[] {
    return this.#entries
  }

  add(entry: T): void {
    const entries = this.#entries
    let [low, high] = [0, entries.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.#compare(entries[middle] as T, entry) <= 0) low = middle + 1
      else high = middle
    }
    if (low === this.#size) return
    entries.splice(low, 0, entry)
    if (entries.length > this.#size) entries.pop()
  }
}
