// When a client's copy is still good: RFC 9110 section 13, and what docs/api.md adds to it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { PRECONDITION_FAILED } from '../../../src/contract/problems.ts'
import type { Fields } from '../../../src/proxy/http/head.ts'
import { parseHttpDate, precondition, type Validators } from '../../../src/proxy/http/preconditions.ts'
import { ask, serving } from '../../support/proxy.ts'

const ETAG = 'W/"0123456789abcdef-20"'
const TAG = '"0123456789abcdef-20"'
const LAST_MODIFIED = 'Wed, 20 May 2026 09:30:00 GMT'
const WEAK = { etag: ETAG, lastModified: LAST_MODIFIED }
const STRONG = { etag: TAG, lastModified: LAST_MODIFIED }

function outcome(given: Fields, validators: Validators = WEAK): 412 | 304 | null {
  return precondition(validators, given)
}

describe('If-None-Match', () => {
  test.each<[string, boolean]>([
    // Weak comparison: W/ on either side does not matter.
    [ETAG, true],
    [TAG, true],
    ['W/"0123456789abcdef-2"', false],
    ['W/"0123456789ABCDEF-20"', false],
    ['"0123456789abcdef-20 "', false],
    ['""', false],
    ['W/""', false],
    // Lists.
    [`"a", ${ETAG}`, true],
    [`${ETAG}, "a"`, true],
    [`"a",W/"b",${TAG},"c"`, true],
    [`"a" ,\t ${TAG}`, true],
    ['"a", "b", W/"c"', false],
    [`"a,${TAG.slice(1)}`, false],
    [`"a", "x, ${TAG.slice(1)}`, false],
    // A tag may hold a comma; quotes end it.
    [`"a,b", ${TAG}`, true],
    [`"${'x'.repeat(4000)}", ${TAG}`, true],
    [`"\u00FC", ${TAG}`, true],
    // Empty elements are ignored.
    [`, ${TAG}`, true],
    [` , ,\t,${TAG}, ,`, true],
    [`"a",, ${TAG}`, true],
    [', ,', false],
    // Any.
    ['*', true],
    [' * ', true],
    ['"*"', false],
    ['*, "a"', false],
    ['"a", *', false],
    ['**', false],
    // Not a list of entity tags: the condition is not met, whatever else is in it.
    ['', false],
    [' ', false],
    ['0123456789abcdef-20', false],
    ['w/"0123456789abcdef-20"', false],
    [`W/ ${TAG}`, false],
    ["'0123456789abcdef-20'", false],
    ['"0123456789abcdef-20', false],
    [`${ETAG}; q=1`, false],
    [`${ETAG}"`, false],
    [`${TAG}"`, false],
    [`${TAG}x`, false],
    [`${ETAG}, rubbish`, false],
    [`${ETAG}, *`, false],
    [`${ETAG}\u00A0`, false],
    ['\u00A0*', false],
    [`rubbish, ${ETAG}`, false],
    [`"a" ${ETAG}`, false],
    [`"a"${ETAG}`, false],
    [`"a b", ${ETAG}`, false],
  ])('%s: %s', (given, expected) => {
    expect(outcome({ ifNoneMatch: given })).toBe(expected ? 304 : null)
    expect(outcome({ ifNoneMatch: given }, STRONG)).toBe(expected ? 304 : null)
  })

  test('wins over If-Modified-Since', () => {
    expect(outcome({ ifNoneMatch: '"other"', ifModifiedSince: LAST_MODIFIED })).toBe(null)
    expect(outcome({ ifNoneMatch: '', ifModifiedSince: LAST_MODIFIED })).toBe(null)
    expect(outcome({ ifNoneMatch: ETAG, ifModifiedSince: 'Wed, 20 May 2020 09:30:00 GMT' })).toBe(304)
  })

  test('takes no longer for a long list of near misses', () => {
    const list = `${'"0123456789abcdef-2", '.repeat(400)}x`
    const startMs = performance.now()
    for (let i = 0; i < 100; i++) expect(outcome({ ifNoneMatch: list })).toBe(null)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })
})

describe('If-Modified-Since matches only the same second, so that a rollback is seen', () => {
  test.each<[string, boolean]>([
    [LAST_MODIFIED, true],
    ['Wednesday, 20-May-26 09:30:00 GMT', true],
    ['Wed May 20 09:30:00 2026', true],
    ['Wed, 20 May 2026 09:29:59 GMT', false],
    ['Wed, 20 May 2026 09:30:01 GMT', false],
    ['Thu, 21 May 2026 09:30:00 GMT', false],
    ['Tue, 19 May 2026 09:30:00 GMT', false],
    ['Fri, 31 Dec 9999 23:59:59 GMT', false],
    ['Wednesday, 20-May-26 09:30:01 GMT', false],
    ['Wed May 20 09:30:01 2026', false],
    ['Wed, 20 May 2026 09:30:00', false],
    ['Wed, 20 May 2026 09:30:00 gmt', false],
    ['wed, 20 may 2026 09:30:00 GMT', false],
    ['20 May 2026 09:30:00 GMT', false],
    ['(a comment) 20 May 2026 09:30:00 GMT', false],
    ['Wed,  20 May 2026 09:30:00 GMT', false],
    [`${LAST_MODIFIED}, ${LAST_MODIFIED}`, false],
    ['Wed, 20 May 2026 11:30:00 +0200', false],
    ['2026-05-20T09:30:00Z', false],
    ['1779269400', false],
    ['yesterday', false],
    ['GMT', false],
    ['', false],
  ])('%s: %s', (given, expected) => {
    expect(outcome({ ifModifiedSince: given })).toBe(expected ? 304 : null)
  })

  test('without a date it is as if it were not there', () => {
    const undated = { etag: ETAG, lastModified: null }
    expect(outcome({ ifModifiedSince: LAST_MODIFIED }, undated)).toBe(null)
    expect(outcome({ ifUnmodifiedSince: 'Wed, 20 May 2020 09:30:00 GMT' }, undated)).toBe(null)
  })

  test('without any condition nothing is spared', () => {
    expect(outcome({})).toBe(null)
  })
})

describe('If-Match compares strongly: a weak tag never matches, on neither side', () => {
  test.each<[given: string, weak: 412 | null, strong: 412 | null]>([
    [TAG, 412, null],
    [ETAG, 412, 412],
    [`"a", ${TAG}`, 412, null],
    [`"a",W/"b",${TAG},"c"`, 412, null],
    [`"a", ${ETAG}`, 412, 412],
    ['"a"', 412, 412],
    // Of what there is, whatever it is.
    ['*', null, null],
    [' *\t', null, null],
    ['"*"', 412, 412],
    // Not a list of entity tags.
    ['', 412, 412],
    [`${TAG}"`, 412, 412],
    [`${TAG}, rubbish`, 412, 412],
    [`${TAG}, *`, 412, 412],
    [TAG.slice(1, -1), 412, 412],
  ])('%s', (given, weak, strong) => {
    expect([outcome({ ifMatch: given }), outcome({ ifMatch: given }, STRONG)]).toEqual([weak, strong])
  })

  test('comes before everything else; what is met goes on to the others', () => {
    expect(outcome({ ifMatch: '"a"', ifNoneMatch: ETAG })).toBe(412)
    expect(outcome({ ifMatch: '*', ifNoneMatch: ETAG })).toBe(304)
    expect(outcome({ ifMatch: TAG, ifModifiedSince: LAST_MODIFIED }, STRONG)).toBe(304)
    expect(outcome({ ifMatch: '*', ifUnmodifiedSince: 'Wed, 20 May 2020 09:30:00 GMT' })).toBe(null)
  })
})

describe('If-Unmodified-Since fails when there is something newer', () => {
  test.each<[string, 412 | null]>([
    [LAST_MODIFIED, null],
    ['Wed, 20 May 2026 09:30:01 GMT', null],
    ['Wed, 20 May 2026 09:29:59 GMT', 412],
    ['Wednesday, 20-May-26 09:29:59 GMT', 412],
    ['Wed May 20 09:29:59 2026', 412],
    // The one at most 50 years ahead, so these are 2076 and 1977.
    ['Wednesday, 20-May-76 09:30:00 GMT', null],
    ['Friday, 20-May-77 09:30:00 GMT', 412],
    // Not a date: as if it were not there (RFC 9110 section 13.1.4).
    ['2020', null],
    ['2020-05-20T09:30:00Z', null],
    ['Wed, 20 May 2020 09:30:00 +0000', null],
    ['Wed, 31 Apr 2020 09:30:00 GMT', null],
    ['Wed, 20 May 2020 24:30:00 GMT', null],
    ['Wed, 20 May 2020 09:30:00 GMT, Wed, 20 May 2020 09:30:00 GMT', null],
    ['0', null],
    ['', null],
  ])('%s: %s', (given, expected) => {
    expect(outcome({ ifUnmodifiedSince: given })).toBe(expected)
  })

  test('lets the other conditions have their say', () => {
    expect(outcome({ ifUnmodifiedSince: LAST_MODIFIED, ifNoneMatch: ETAG })).toBe(304)
    expect(outcome({ ifUnmodifiedSince: LAST_MODIFIED, ifModifiedSince: LAST_MODIFIED })).toBe(304)
  })
})

test('every date that is sent is read back, whichever form it has', () => {
  const nowMs = Date.parse(LAST_MODIFIED)
  const days = ['Sunday', 'Monday', 'Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']
  fc.assert(
    fc.property(fc.integer({ min: -40 * 365 * 86_400, max: 40 * 365 * 86_400 }), (seconds) => {
      const date = new Date(nowMs + seconds * 1000)
      const [, day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ')
      const name = days[date.getUTCDay()] ?? ''
      expect(parseHttpDate(date.toUTCString(), nowMs)).toBe(date.getTime())
      expect(parseHttpDate(`${name}, ${day}-${month}-${year.slice(2)} ${time} GMT`, nowMs)).toBe(date.getTime())
      const spaced = day.replace(/^0/, ' ')
      expect(parseHttpDate(`${name.slice(0, 3)} ${month} ${spaced} ${time} ${year}`, nowMs)).toBe(date.getTime())
    }),
  )
})

describe('end to end', () => {
  const served = serving()

  test.each([
    '/api/public/stats',
    '/api/analytics/trending?category=nobody',
    '/snapshots/current/public/stats.json',
    '/snapshots/current/manifest.json',
  ])('%s', async (target) => {
    const { port } = served()
    const { headers } = await ask(port, target)
    const { etag = '', 'last-modified': lastModified = '' } = headers
    const statusOf = async (conditions: Record<string, string | string[]>) =>
      (await ask(port, target, { headers: conditions })).status
    expect(await statusOf({ 'if-none-match': `"a", ${etag}` })).toBe(304)
    expect(await statusOf({ 'If-None-Match': ['"a"', etag] })).toBe(304)
    expect(await statusOf({ 'If-None-Match': `${etag}"` })).toBe(200)
    expect(await statusOf({ 'If-Modified-Since': [lastModified, lastModified] })).toBe(200)
    const isWeak = etag.startsWith('W/')
    expect(await statusOf({ 'If-Match': etag })).toBe(isWeak ? 412 : 200)
    expect(await statusOf({ 'If-Match': ['"a"', etag.replace('W/', '')] })).toBe(isWeak ? 412 : 200)
    expect(await statusOf({ 'If-Match': '*', 'If-None-Match': etag })).toBe(304)
    const failed = await ask(port, target, { headers: { 'If-Match': '"a"', 'If-None-Match': etag } })
    const { status: _, ...problem } = PRECONDITION_FAILED
    expect([failed.status, failed.json(), failed.headers['cache-control']]).toEqual([412, problem, 'no-store'])
    expect(failed.names).not.toContain('etag')
  })

  test('the OpenAPI document has a validator of its own, and no date', async () => {
    const { headers } = await ask(served().port, '/api/openapi.json')
    expect(headers).not.toHaveProperty('last-modified')
    const again = await ask(served().port, '/api/openapi.json', { headers: { 'If-None-Match': String(headers.etag) } })
    expect([again.status, again.body.length]).toEqual([304, 0])
    const other = await ask(served().port, '/api/openapi.json', { headers: { 'If-Match': String(headers.etag) } })
    expect([other.status, other.json()['error']]).toEqual([412, 'Precondition Failed'])
  })
})
