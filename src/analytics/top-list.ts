// Owns a bounded best-of list. Knows nothing of what it ranks.

/**
 * Keeps the `size` best of all added, in O(log size) each and no memory beyond them: a binary heap with the worst kept
 * entry at its root, where a newcomer is compared first (most lose there).
 */
export class TopList<T> {
  #heap: T[] = []
  readonly #size: number
  readonly #compare: (a: T, b: T) => number

  /** @param compare negative when `a` ranks before `b`; must be a total order */
  constructor(size: number, compare: (a: T, b: T) => number) {
    this.#size = size
    this.#compare = compare
  }

  /** The entry that the next better one pushes out; null while there is room. Only what ranks before it needs adding. */
  get worst(): T | null {
    return this.#heap.length < this.#size ? null : (this.#heap[0] ?? null)
  }

  add(entry: T): void {
    const heap = this.#heap
    if (heap.length < this.#size) {
      heap.push(entry)
      this.#up(heap.length - 1)
    } else if (this.#worse(heap[0], entry)) {
      heap[0] = entry
      this.#down()
    }
  }

  /** Best first; the list is empty afterwards. */
  takeRanked(): T[] {
    const entries = this.#heap.sort(this.#compare)
    this.#heap = []
    return entries
  }

  #worse(a: T | undefined, b: T | undefined): boolean {
    return a !== undefined && b !== undefined && this.#compare(a, b) > 0
  }

  #swap(i: number, j: number): void {
    const heap = this.#heap as (T | undefined)[]
    ;[heap[i], heap[j]] = [heap[j], heap[i]]
  }

  #up(from: number): void {
    for (let i = from; i > 0;) {
      const parent = (i - 1) >> 1
      if (!this.#worse(this.#heap[i], this.#heap[parent])) return
      this.#swap(i, parent)
      i = parent
    }
  }

  #down(): void {
    for (let i = 0; ;) {
      let worst = i
      for (let child = 2 * i + 1; child <= 2 * i + 2; child++)
        if (this.#worse(this.#heap[child], this.#heap[worst])) worst = child
      if (worst === i) return
      this.#swap(i, worst)
      i = worst
    }
  }
}
