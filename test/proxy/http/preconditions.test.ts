// When a client's copy is still good: RFC 9110 section 13, and what docs/api.md adds to it.
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { Fields } from '../../../src/proxy/http/head.ts'
import { parseHttpDate, precondition, type Validators } from '../../../src/proxy/http/preconditions.ts'

const ETAG = 'W/"0123456789abcdef-20"'
const TAG = '"0123456789abcdef-20"'
const LAST_MODIFIED = 'Wed, 20 May 2026 09:30:00 GMT'
const WEAK = { etag: ETAG, lastModified: LAST_MODIFIED }
const STRONG = { etag: TAG, lastModified: LAST_MODIFIED }

function outcome(given: Fields, validators: Validators = WEAK): 412 | 304 | null {
  return precondition(validators, given)
}

describe('If-None-Match', () => {
  test.each([
    // Weak comparison: W/ on either side does not matter.
    ETAG,
    TAG,
    // Lists: a tag may hold a comma, quotes end it, and empty elements are ignored.
    `"a", ${ETAG}`,
    `${ETAG}, "a"`,
    `"a",W/"b",${TAG},"c"`,
    `"a" ,\t ${TAG}`,
    `"a,b", ${TAG}`,
    `"${'x'.repeat(4000)}", ${TAG}`,
    `"\u00FC", ${TAG}`,
    `, ${TAG}`,
    ` , ,\t,${TAG}, ,`,
    `"a",, ${TAG}`,
    // What a server in front makes of the tag when it compresses.
    `"a", ${TAG.slice(0, -1)}-gzip"`,
    ...['-gzip', '-br', '-zstd', '-deflate', '--gzip', ';gzip'].map((suffix) => `${ETAG.slice(0, -1)}${suffix}"`),
    // Any.
    '*',
    ' * ',
  ])('spares the body by %s', (given) => {
    expect([outcome({ 'if-none-match': given }), outcome({ 'if-none-match': given }, STRONG)]).toEqual([304, 304])
  })

  test.each([
    'W/"0123456789abcdef-2"',
    'W/"0123456789ABCDEF-20"',
    '"0123456789abcdef-20 "',
    '"-gzip"',
    `${TAG.slice(0, -1)}gzip"`,
    `${TAG.slice(0, -1)}-gzip-gzip"`,
    `${TAG.slice(0, -1)}-GZIP"`,
    `${TAG}-gzip`,
    '""',
    'W/""',
    '"a", "b", W/"c"',
    `"a,${TAG.slice(1)}`,
    `"a", "x, ${TAG.slice(1)}`,
    ', ,',
    '"*"',
    '*, "a"',
    '"a", *',
    '**',
    // Not a list of entity tags: the condition is not met, whatever else is in it.
    '',
    ' ',
    '0123456789abcdef-20',
    'w/"0123456789abcdef-20"',
    `W/ ${TAG}`,
    "'0123456789abcdef-20'",
    '"0123456789abcdef-20',
    `${ETAG}; q=1`,
    `${ETAG}"`,
    `${TAG}"`,
    `${TAG}x`,
    `${ETAG}, rubbish`,
    `${ETAG}, *`,
    `${ETAG}\u00A0`,
    '\u00A0*',
    `rubbish, ${ETAG}`,
    `"a" ${ETAG}`,
    `"a"${ETAG}`,
    `"a b", ${ETAG}`,
  ])('spares nothing by %s', (given) => {
    expect([outcome({ 'if-none-match': given }), outcome({ 'if-none-match': given }, STRONG)]).toEqual([null, null])
  })

  test('wins over If-Modified-Since', () => {
    expect(outcome({ 'if-none-match': '"other"', 'if-modified-since': LAST_MODIFIED })).toBe(null)
    expect(outcome({ 'if-none-match': '', 'if-modified-since': LAST_MODIFIED })).toBe(null)
    expect(outcome({ 'if-none-match': ETAG, 'if-modified-since': 'Wed, 20 May 2020 09:30:00 GMT' })).toBe(304)
  })

  test('takes no longer for a long list of near misses', () => {
    const list = `${'"0123456789abcdef-2", '.repeat(400)}x`
    const startMs = performance.now()
    for (let i = 0; i < 100; i++) expect(outcome({ 'if-none-match': list })).toBe(null)
    expect(performance.now() - startMs).toBeLessThan(1000)
  })
})

describe('If-Modified-Since matches only the same second, so that a rollback is seen', () => {
  const SAME = [LAST_MODIFIED, 'Wednesday, 20-May-26 09:30:00 GMT', 'Wed May 20 09:30:00 2026']
  test.each(SAME)('%s', (given) => {
    expect(outcome({ 'if-modified-since': given })).toBe(304)
  })

  test.each([
    'Wed, 20 May 2026 09:29:59 GMT',
    'Wed, 20 May 2026 09:30:01 GMT',
    'Thu, 21 May 2026 09:30:00 GMT',
    'Tue, 19 May 2026 09:30:00 GMT',
    'Fri, 31 Dec 9999 23:59:59 GMT',
    'Wednesday, 20-May-26 09:30:01 GMT',
    'Wed May 20 09:30:01 2026',
    'Wed, 20 May 2026 09:30:00',
    'Wed, 20 May 2026 09:30:00 gmt',
    'wed, 20 may 2026 09:30:00 GMT',
    '20 May 2026 09:30:00 GMT',
    '(a comment) 20 May 2026 09:30:00 GMT',
    'Wed,  20 May 2026 09:30:00 GMT',
    `${LAST_MODIFIED}, ${LAST_MODIFIED}`,
    'Wed, 20 May 2026 11:30:00 +0200',
    '2026-05-20T09:30:00Z',
    '1779269400',
    'yesterday',
    'GMT',
    '',
  ])('not by %s', (given) => {
    expect(outcome({ 'if-modified-since': given })).toBe(null)
  })

  test('without a date it is as if it were not there', () => {
    const undated = { etag: ETAG, lastModified: null }
    expect(outcome({ 'if-modified-since': LAST_MODIFIED }, undated)).toBe(null)
    expect(outcome({ 'if-unmodified-since': 'Wed, 20 May 2020 09:30:00 GMT' }, undated)).toBe(null)
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
    expect([outcome({ 'if-match': given }), outcome({ 'if-match': given }, STRONG)]).toEqual([weak, strong])
  })

  test('comes before everything else; what is met goes on to the others', () => {
    expect(outcome({ 'if-match': '"a"', 'if-none-match': ETAG })).toBe(412)
    expect(outcome({ 'if-match': '*', 'if-none-match': ETAG })).toBe(304)
    expect(outcome({ 'if-match': TAG, 'if-modified-since': LAST_MODIFIED }, STRONG)).toBe(304)
    expect(outcome({ 'if-match': '*', 'if-unmodified-since': 'Wed, 20 May 2020 09:30:00 GMT' })).toBe(null)
  })
})

describe('If-Unmodified-Since fails when there is something newer', () => {
  test.each([
    'Wed, 20 May 2026 09:29:59 GMT',
    'Wednesday, 20-May-26 09:29:59 GMT',
    'Wed May 20 09:29:59 2026',
    'Friday, 20-May-77 09:30:00 GMT',
  ])('than %s', (given) => {
    expect(outcome({ 'if-unmodified-since': given })).toBe(412)
  })

  test.each([
    // A year of two digits is at most 50 years ahead: this is 2076, the 77 above 1977.
    LAST_MODIFIED,
    'Wed, 20 May 2026 09:30:01 GMT',
    'Wednesday, 20-May-76 09:30:00 GMT',
    // Not a date: as if it were not there (RFC 9110 section 13.1.4).
    '2020',
    '2020-05-20T09:30:00Z',
    'Wed, 20 May 2020 09:30:00 +0000',
    'Wed, 31 Apr 2020 09:30:00 GMT',
    'Wed, 20 May 2020 24:30:00 GMT',
    'Wed, 20 May 2020 09:30:00 GMT, Wed, 20 May 2020 09:30:00 GMT',
    '0',
    '',
  ])('not by %s', (given) => {
    expect(outcome({ 'if-unmodified-since': given })).toBe(null)
  })

  test('lets the other conditions have their say', () => {
    expect(outcome({ 'if-unmodified-since': LAST_MODIFIED, 'if-none-match': ETAG })).toBe(304)
    expect(outcome({ 'if-unmodified-since': LAST_MODIFIED, 'if-modified-since': LAST_MODIFIED })).toBe(304)
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
