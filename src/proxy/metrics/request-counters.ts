// Owns what is counted of every answer: plain numbers in memory, so that a request pays for one look-up and one addition
// whether or not anybody reads them. Knows no metric by name and no client; of a path it keeps one word out of nine.
import { ENDPOINTS, type EndpointName } from '../../contract/endpoints.ts'
import type { Route } from '../http/route.ts'
import type { StreamEnd } from '../answer/write-answer.ts'

/** The value of the label `endpoint`. */
export type CountedEndpoint = Route['endpoint'] | 'unreadable'

const ENDPOINT_NAMES: readonly EndpointName[] = Object.values(ENDPOINTS).map(({ name }) => name)
const COUNTED: readonly CountedEndpoint[] = [...ENDPOINT_NAMES, 'openapi', 'files', 'page', 'other', 'unreadable']

/** Statuses of answers: 200 to 599. */
const [FIRST_STATUS, STATUSES] = [200, 400]

export interface AnswerCount {
  readonly endpoint: CountedEndpoint
  readonly status: number
  readonly count: number
}

/** Why a connection was ended before its client had all answers: too many requests ahead; too slow a reader. */
export type CutCause = 'pipelined' | 'slow'

export class RequestCounters {
  // 29 KB. Numbers of 64 bits: whole up to 2^53.
  readonly #answers = Object.fromEntries(COUNTED.map((name) => [name, new Float64Array(STATUSES)])) as Record<
    CountedEndpoint,
    Float64Array
  >
  readonly #streams: Record<StreamEnd, number> = { whole: 0, left: 0, failed: 0 }
  readonly #cuts: Record<CutCause, number> = { pipelined: 0, slow: 0 }

  answered(endpoint: CountedEndpoint, status: number): void {
    const counts = this.#answers[endpoint]
    const place = status - FIRST_STATUS
    counts[place] = (counts[place] ?? 0) + 1
  }

  streamed(end: StreamEnd): void {
    this.#streams[end] += 1
  }

  cut(cause: CutCause): void {
    this.#cuts[cause] += 1
  }

  get cuts(): Readonly<Record<CutCause, number>> {
    return this.#cuts
  }

  /** Those that were given at least once. */
  get answers(): readonly AnswerCount[] {
    return COUNTED.flatMap((endpoint) =>
      [...this.#answers[endpoint]].flatMap((count, place) =>
        count === 0 ? [] : { endpoint, status: FIRST_STATUS + place, count },
      ),
    )
  }

  get streams(): Readonly<Record<StreamEnd, number>> {
    return this.#streams
  }
}
