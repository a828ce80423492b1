// Owns the 429 answer to a client over its limit: made once for each number of seconds until the reset. Knows no client.
import { rateLimitExceeded } from '../../contract/problems.ts'
import { problemAnswer, type Answer } from './answer.ts'
import { CORS } from './api-headers.ts'
import { retryAfterSeconds } from '../limit/rate-limit.ts'

/** 0.6 MiB. Few clients are over their limit at a time, and a flood of 429 must be cheap. */
const REMEMBERED = 1000

export type TooManyRequests = (resetInMs: number) => Answer

export function tooManyRequests(limit: number, windowMs: number): TooManyRequests {
  const remembered = new Map<number, Answer>()
  return (resetInMs) => {
    const seconds = retryAfterSeconds(resetInMs)
    const known = remembered.get(seconds)
    if (known !== undefined) return known
    const problem = rateLimitExceeded(limit, windowMs, seconds)
    const answer = problemAnswer(problem, [...CORS, 'Retry-After', String(seconds)])
    if (remembered.size >= REMEMBERED) remembered.clear()
    remembered.set(seconds, answer)
    return answer
  }
}
