// Owns cooperative scheduling: long work is a generator that yields, so that the event loop can run between two yields.
// Knows no work.

/** Yields where it may pause; returns the result. */
export type Yielding<T> = Generator<undefined, T>

/** A pause costs about 10 µs; a request that arrives meanwhile waits at most this long. */
const SLICE_MS = 3

/** Pauses after each slice. Work shorter than a slice runs without a pause. */
export async function runYielding<T>(work: Yielding<T>, sliceMs: number = SLICE_MS): Promise<T> {
  for (;;) {
    const endMs = performance.now() + sliceMs
    do {
      const { done, value } = work.next()
      if (done === true) return value
    } while (performance.now() < endMs)
    await new Promise(setImmediate)
  }
}
