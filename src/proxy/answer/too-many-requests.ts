// Owns the 429 answer to a client over its limit: made once for each number of seconds until the reset. Knows no client.
import { rateLimitExceeded } from '../../contract/problems.ts'
import { problemAnswer, type Answer } from './answer.ts'
import { CORS } from './api-headers.ts'
import { retryAfterSeconds } from '../limit/rate-limit.ts'
import { remembering } from '../../process/remembering.ts'

/** 0.6 MiB. Few clients are over their limit at a time, and a flood of 429 must be cheap. */
const REMEMBERED = 1000

export type TooManyRequests = (resetInMs: number) => Answer

export function tooManyRequests(limit: number, windowMs: number): TooManyRequests {
  const after = remembering(REMEMBERED, (seconds: number): Answer => {
    const problem = rateLimitExceeded(limit, windowMs, seconds)
    return problemAnswer(problem, [...CORS, 'Retry-After', String(seconds)])
  })
  return (resetInMs) => after(retryAfterSeconds(resetInMs))
}
