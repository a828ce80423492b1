// 429 answers, made once for each second, and headers by the age of the release.
import { describe, expect, test } from 'vitest'
import { ageHeaders, rateAnswers } from '../../../src/proxy/answer/api-headers.ts'
import { loadRelease } from '../../../src/proxy/store/release-watcher.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { HOUR_MS } from '../../support/release.ts'

const valueOf = (headers: readonly string[], name: string) => {
  const at = headers.indexOf(name)
  return at === -1 ? undefined : headers[at + 1]
}

describe('a 429 answer', () => {
  const said = ({ tooMany }: ReturnType<typeof rateAnswers>, resetInMs: number) => {
    const { status, headers, body } = tooMany(resetInMs)
    const { message } = JSON.parse(String(body.at(0))) as { message: string }
    return [status, valueOf(headers, 'Retry-After'), /Try again in (\d+) seconds/.exec(message)?.[1]]
  }

  test.each([
    [0, '1'],
    [1, '1'],
    [1000, '1'],
    [1001, '2'],
    [HOUR_MS, '3600'],
  ])('%i ms before the end says %s seconds, in the header and in the text', (resetInMs, seconds) => {
    expect(said(rateAnswers(100, HOUR_MS), resetInMs)).toEqual([429, seconds, seconds])
  })

  test('is one for a second, another for the next, and right however many there were', () => {
    const answers = rateAnswers(100, HOUR_MS)
    expect(answers.tooMany(1500)).toBe(answers.tooMany(2000))
    expect(answers.tooMany(2001)).not.toBe(answers.tooMany(2000))
    const all = Array.from({ length: 3600 }, (_, i) => i + 1)
    expect(all.map((seconds) => said(answers, seconds * 1000))).toEqual(
      all.map((seconds) => [429, String(seconds), String(seconds)]),
    )
    expect(said(answers, 2000)).toEqual([429, '2', '2'])
  })
})

test.each([
  [100, HOUR_MS, '"default";q=100;w=3600'],
  [1, 1_000, '"default";q=1;w=1'],
  // Of a part of a second the whole: nobody comes back too early.
  [100_000, 1_500, '"default";q=100000;w=2'],
])('a limit of %i in %i ms is said as RateLimit-Policy: %s', (limit, windowMs, policy) => {
  const headers = rateAnswers(limit, windowMs).headers({ allowed: true, remaining: 0, resetInMs: 1 }, 0)
  expect(valueOf(headers, 'RateLimit-Policy')).toBe(policy)
  expect(valueOf(headers, 'X-RateLimit-Limit')).toBe(String(limit))
})

describe('a head', () => {
  const dataAsOf = '2026-05-20T09:30:00.000Z'
  const manifest: Pick<Manifest, 'id' | 'dataAsOf' | 'nextUpdateAt' | 'files' | 'categories'> = {
    id: '20260520T093000000Z-00000000',
    dataAsOf,
    nextUpdateAt: '2026-05-20T10:30:00.000Z',
    files: [],
    categories: [],
  }
  const release = loadRelease(manifest as Manifest)
  const startMs = Date.parse(dataAsOf)
  const dueMs = Date.parse(manifest.nextUpdateAt)

  test.each([
    [startMs, 60, undefined],
    [dueMs - 60_000, 60, undefined],
    [dueMs - 59_999, 59, undefined],
    [dueMs - 1000, 1, undefined],
    [dueMs - 999, 0, undefined],
    [dueMs + HOUR_MS, 0, undefined],
    [dueMs + HOUR_MS + 1, 0, 'true'],
    [startMs - HOUR_MS, 60, undefined],
  ])('at %i may be kept %i s, and its being stale is %s', (nowMs, seconds, stale) => {
    const age = ageHeaders(release, nowMs)
    expect(valueOf(age, 'Cache-Control')).toBe(`private, max-age=${seconds}`)
    expect(valueOf(age, 'X-Data-Stale')).toBe(stale)
  })
})
