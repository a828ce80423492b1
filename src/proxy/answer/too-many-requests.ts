// Owns the 429 answer to a client over its limit: made once for each number of seconds until the reset. Knows no client.
import { rateLimitExceeded } from '../../contract/problems.ts'
import { problemAnswer, type Answer } from './answer.ts'
import { CORS } from './api-headers.ts'
import { retryAfterSeconds } from '../limit/rate-limit.ts'

/** 0.6 MiB. Few clients are over their limit at a time, and a flood of 429 must be cheap. */
const REMEMBERED = 1000

export class TooManyRequests {
  readonly #limit: number
  readonly #windowMs: number
  readonly #known = new Map<number, Answer>()

  constructor(limit: number, windowMs: number) {
    this.#limit = limit
    this.#windowMs = windowMs
  }

  of(resetInMs: number): Answer {
    const seconds = retryAfterSeconds(resetInMs)
    const known = this.#known.get(seconds)
    if (known !== undefined) return known
    const problem = rateLimitExceeded(this.#limit, this.#windowMs, seconds)
    const answer = problemAnswer(problem, [...CORS, 'Retry-After', String(seconds)])
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    this.#known.set(seconds, answer)
    return answer
  }
}
