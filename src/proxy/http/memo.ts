// Owns a bounded memory of results by text. Knows no value.

/** When full it forgets everything: honest clients ask for the same few things, which are soon known again. */
export class Memo<V> {
  readonly #known = new Map<string, V>()
  readonly #max: number
  readonly #maxKey: number

  /** @param max entries; @param maxKey characters of a key, above which nothing is remembered */
  constructor(max: number, maxKey: number) {
    this.#max = max
    this.#maxKey = maxKey
  }

  get(key: string): V | undefined {
    return this.#known.get(key)
  }

  set(key: string, value: V): void {
    if (key.length > this.#maxKey) return
    if (this.#known.size >= this.#max) this.#known.clear()
    this.#known.set(key, value)
  }

  clear(): void {
    this.#known.clear()
  }
}
