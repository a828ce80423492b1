// Owns the counters of answers, streams and cut connections. Knows no metric by name, no client, and of a path only its
// endpoint.
import type { Route } from '../http/route.ts'
import type { StreamEnd } from '../answer/write-answer.ts'

/** The value of the label `endpoint`. */
export type CountedEndpoint = Route['endpoint'] | 'unreadable'

export class RequestCounters {
  readonly #answers = new Map<CountedEndpoint, Map<number, number>>()
  readonly streams: Record<StreamEnd, number> = { whole: 0, left: 0, failed: 0 }
  /** Connections cut before their clients had all answers: too many pipelined requests; too slow a reader; too many of them. */
  readonly cuts = { pipelined: 0, slow: 0, crowded: 0 }

  answered(endpoint: CountedEndpoint, status: number): void {
    const counts = this.#answers.get(endpoint) ?? new Map<number, number>()
    this.#answers.set(endpoint, counts.set(status, (counts.get(status) ?? 0) + 1))
  }

  /** The answers that were given at least once. */
  get answers(): readonly { endpoint: CountedEndpoint; status: number; count: number }[] {
    return [...this.#answers].flatMap(([endpoint, counts]) =>
      [...counts].map(([status, count]) => ({ endpoint, status, count })),
    )
  }
}
