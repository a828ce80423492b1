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

/** @param from has at least one */
export function pick<T>(random: Random, from: readonly T[]): T {
  return from[Math.floor(random() * from.length)] as T
}
