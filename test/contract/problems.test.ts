import { describe, expect, test } from 'vitest'
import * as problems from '../../src/contract/problems.ts'

const { badRequest, CONTENT_TOO_LARGE, HEADERS_TOO_LARGE, methodNotAllowed, NOT_FOUND } = problems
const { PRECONDITION_FAILED, rateLimitExceeded, REQUEST_TIMEOUT, URI_TOO_LONG } = problems

describe('429', () => {
  test.each([
    [100, 3_600_000, 1799, 'Rate limit of 100 requests per hour exceeded. Try again in 1799 seconds.'],
    [5, 60_000, 1, 'Rate limit of 5 requests per minute exceeded. Try again in 1 seconds.'],
    [2, 1000, 1, 'Rate limit of 2 requests per second exceeded. Try again in 1 seconds.'],
    [9, 86_400_000, 7, 'Rate limit of 9 requests per day exceeded. Try again in 7 seconds.'],
    [3, 1500, 1, 'Rate limit of 3 requests per 1.5 seconds exceeded. Try again in 1 seconds.'],
  ])('%i per %i ms', (limit, windowMs, seconds, message) => {
    expect(rateLimitExceeded(limit, windowMs, seconds)).toEqual({ status: 429, error: 'Rate limit exceeded', message })
  })
})

test('405 says what is allowed, and shows a long method only in part', () => {
  expect(methodNotAllowed('DELETE').message).toContain('DELETE is not supported; allowed: GET, HEAD, OPTIONS')
  expect(methodNotAllowed('X'.repeat(5000)).message.length).toBeLessThan(150)
})

test('the messages of 414 and 431 say the limits: 4 KiB and 8 KiB', () => {
  expect([URI_TOO_LONG.message, HEADERS_TOO_LARGE.message]).toEqual([
    expect.stringContaining('4096 bytes'),
    expect.stringContaining('8192 bytes'),
  ])
})

test('every message is a sentence', () => {
  const all = [
    badRequest('the path has no slash'),
    REQUEST_TIMEOUT,
    PRECONDITION_FAILED,
    CONTENT_TOO_LARGE,
    URI_TOO_LONG,
    HEADERS_TOO_LARGE,
    NOT_FOUND,
  ]
  for (const { message } of all) expect(message).toMatch(/^[A-Z].*\.$/)
})
