// Owns chance in the demo: one small seeded generator. Knows nothing of what is drawn; never for anything secret.

/** The next number of a stream, uniform in [0, 1). */
export type Random = () => number

/**
 * Mulberry32 by Tommy Ettinger (2017, public domain): a Weyl sequence through an xorshift-multiply mixer. 32 bits of
 * state are plenty for the million draws of a demo, and integer arithmetic gives the same stream on every machine.
 * Each concern takes its own `stream`, so that another clock moves the dates but not the titles.
 */
export function randomStream(seed: number, stream: string): Random {
  let state = seed | 0
  for (const letter of stream) state = Math.imul(state ^ (letter.codePointAt(0) ?? 0), 0x01000193)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

export function pick<T>(random: Random, from: readonly T[]): T {
  const picked = from[Math.floor(random() * from.length)]
  if (picked === undefined) throw new RangeError('pick: nothing to pick from')
  return picked
}

/** Draws indices in proportion to their weights: sums once, a binary search per draw. */
export class WeightedDraw {
  readonly #sums: Float64Array

  constructor(weights: readonly number[]) {
    let sum = 0
    this.#sums = Float64Array.from(weights, (weight) => (sum += weight))
  }

  /** The weight of the first `count` together. */
  weightOf(count: number): number {
    return this.#sums[count - 1] ?? 0
  }

  /** One of the first `count` indices, which must weigh something together. */
  draw(random: Random, count: number = this.#sums.length): number {
    const target = random() * this.weightOf(count)
    return partition(count, (i) => (this.#sums[i] ?? 0) <= target)
  }
}

/** How many of `0..count-1` pass a test that holds up to some point and never after it. */
export function partition(count: number, passes: (i: number) => boolean): number {
  let low = 0
  let high = count
  while (low < high) {
    const middle = (low + high) >>> 1
    if (passes(middle)) low = middle + 1
    else high = middle
  }
  return low
}
