// Owns work that several ask for at once, such as reading one file: it is done once. Knows no work and keeps no result.

export class SharedWork<T> {
  readonly #underWay = new Map<string, Promise<T>>()

  /** Joins what is under way for this key, or begins. */
  of(key: string, work: () => Promise<T>): Promise<T> {
    let underWay = this.#underWay.get(key)
    if (underWay === undefined) {
      underWay = work().finally(() => this.#underWay.delete(key))
      this.#underWay.set(key, underWay)
    }
    return underWay
  }
}
