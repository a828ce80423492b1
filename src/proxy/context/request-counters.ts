// Owns the counters of answers, streams and cut connections. Knows no metric by name, no client, and of a path only its
// endpoint.
import type { Route } from '../http/route.ts'
import type { StreamEnd } from '../answer/write-answer.ts'

/** The value of the label `endpoint`. */
export type CountedEndpoint = Route['endpoint'] | 'unreadable'

export function requestCounters() {
  const answers = new Map<CountedEndpoint, Map<number, number>>()
  const streams: Record<StreamEnd, number> = { whole: 0, left: 0, failed: 0 }
  return {
    streams,
    /** Connections cut before their clients had all answers: too many pipelined requests; too slow a reader; too many of them. */
    cuts: { pipelined: 0, slow: 0, crowded: 0 },
    answered(endpoint: CountedEndpoint, status: number): void {
      const counts = answers.get(endpoint) ?? new Map<number, number>()
      answers.set(endpoint, counts.set(status, (counts.get(status) ?? 0) + 1))
    },
    /** The answers that were given at least once. */
    get answers() {
      return [...answers].flatMap(([endpoint, counts]) =>
        Array.from(counts, ([status, count]) => ({ endpoint, status, count })),
      )
    },
  }
}
