// When the current manifest of an origin is worth asking for again: src/proxy/store/origin-store.ts.
import { describe, expect, test } from 'vitest'
import { goodForMs, retryMs } from '../../../src/proxy/store/origin-store.ts'

describe('an answer for the current manifest', () => {
  test.each<[string | undefined, string | undefined, number | null]>([
    // What nginx.conf and the proxy's own file plane say.
    ['public, max-age=60, stale-while-revalidate=300, stale-if-error=86400', undefined, 60_000],
    ['max-age=60', '50', 10_000],
    ['max-age=5', '2', 3_000],
    // A cache gives the same until then, and not once a millisecond at the end.
    ['max-age=60', '59', 1_000],
    ['MAX-AGE="30"', undefined, 30_000],
    ['s-maxage=5, max-age=20', undefined, 20_000],
    // Never later than a minute, however long a cache keeps it.
    ['public, max-age=31536000, immutable', undefined, 60_000],
    ['max-age=99999999999999999999999999', undefined, 60_000],
    // Nothing is said, or nothing that is a time: no hurry, and not for ever.
    [undefined, undefined, 10_000],
    ['no-cache', undefined, 10_000],
    ['no-store, max-age=0', undefined, 10_000],
    ['max-age=0', undefined, 10_000],
    ['public', '5', 10_000],
    ['max-age=soon', undefined, 10_000],
    ['max-age=60', 'x', 60_000],
    // Stale: a cache gave what it had, and fetches a new one.
    ['max-age=60', '60', null],
    ['max-age=60, stale-while-revalidate=300', '200', null],
  ])('%s, Age %s: %s ms', (cacheControl, age, expected) => {
    expect(goodForMs(cacheControl, age)).toBe(expected)
  })

  test('after failures it is asked for later and later, up to ten seconds', () => {
    expect([1, 2, 3, 4, 5, 6, 1000].map(retryMs)).toEqual([1_000, 2_000, 4_000, 8_000, 10_000, 10_000, 10_000])
  })
})
