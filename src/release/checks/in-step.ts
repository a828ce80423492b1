// Owns reading two sources of batches in parallel, element by element, so that neither is collected. Knows no content.

/** Gives the elements of batches one at a time. */
class Batches<T, End> {
  /** What the source returned. */
  end: End | null = null
  taken = 0
  #source: AsyncIterator<readonly T[], End> | null
  readonly #onBatch: (batch: readonly T[]) => void
  #batch: readonly T[] = []
  #at = 0

  constructor(source: AsyncIterator<readonly T[], End> | null, onBatch: (batch: readonly T[]) => void = () => {}) {
    this.#source = source
    this.#onBatch = onBatch
  }

  /** How many can be taken now; 0 = there are no more. */
  async ready(): Promise<number> {
    while (this.#source !== null && this.#at === this.#batch.length) {
      const { done, value } = await this.#source.next()
      if (done === true) {
        this.end = value
        this.#source = null
      } else {
        this.#onBatch(value)
        this.#batch = value
        this.#at = 0
      }
    }
    return this.#batch.length - this.#at
  }

  take(): T {
    this.taken += 1
    return this.#batch[this.#at++] as T
  }
}

export interface InStepEvents<L, R> {
  /** Each batch of the left, before its elements are paired. */
  readonly batch: (batch: readonly L[]) => void
  /** The first of the right: it has no counterpart. */
  readonly header: (first: R) => void
  /** `n` counts from 1. */
  readonly pair: (n: number, left: L, right: R) => void
}

/**
 * Reads both to their end.
 * @returns what the sources returned, and how many the right one had without its first
 */
export async function inStep<L, R, LeftEnd, RightEnd>(
  left: AsyncIterator<readonly L[], LeftEnd> | null,
  right: AsyncIterator<readonly R[], RightEnd> | null,
  on: InStepEvents<L, R>,
): Promise<{ readonly left: LeftEnd | null; readonly right: RightEnd | null; readonly rows: number }> {
  const lefts = new Batches(left, on.batch)
  const rights = new Batches(right)
  if ((await rights.ready()) > 0) on.header(rights.take())
  for (;;) {
    const both = Math.min(await lefts.ready(), await rights.ready())
    if (both === 0) break
    for (let i = 0; i < both; i += 1) on.pair(lefts.taken + 1, lefts.take(), rights.take())
  }
  // One of them may have more: the rest is counted, and its return value is needed.
  for (const rest of [lefts, rights]) while ((await rest.ready()) > 0) rest.take()
  return { left: lefts.end, right: rights.end, rows: rights.taken - 1 }
}
