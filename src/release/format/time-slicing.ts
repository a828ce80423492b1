// Owns work that is cut into steps: done at once, or in turns between which the event loop does other work. Knows no work.

/** Yields where it may be interrupted; its return value is the result. */
export type Steps<T> = Generator<undefined, T>

export function atOnce<T>(steps: Steps<T>): T {
  for (;;) {
    const { done, value } = steps.next()
    if (done === true) return value
  }
}

/** Short beside the milliseconds that a client far away waits anyway; long beside the 10 µs that a pause costs. */
const TURN_MS = 3

/** What is done within one turn is done without a pause. */
export async function inTurns<T>(steps: Steps<T>, turnMs: number = TURN_MS): Promise<T> {
  for (;;) {
    const endMs = performance.now() + turnMs
    do {
      const { done, value } = steps.next()
      if (done === true) return value
    } while (performance.now() < endMs)
    await new Promise(setImmediate)
  }
}
