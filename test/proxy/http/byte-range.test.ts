import fc from 'fast-check'
import { expect, test } from 'vitest'
import { parseRange } from '../../../src/proxy/http/byte-range.ts'
import { rangeFits } from '../../../src/proxy/http/preconditions.ts'

/** As an answer says it; `all` = the header is ignored, `none` = 416. */
function answerTo(header: string | undefined, bytes: number): string {
  const asked = parseRange(header)
  if (asked === null) return 'all'
  const range = asked(bytes)
  return range === null ? 'none' : `bytes ${range.first}-${range.last}/${bytes}`
}

test.each([
  ['bytes=0-9', 'bytes 0-9/100'],
  ['bytes=0-0', 'bytes 0-0/100'],
  ['bytes=99-99', 'bytes 99-99/100'],
  ['bytes=90-', 'bytes 90-99/100'],
  ['bytes=0-', 'bytes 0-99/100'],
  ['bytes=-8', 'bytes 92-99/100'],
  ['bytes=-100', 'bytes 0-99/100'],
  ['bytes=-101', 'bytes 0-99/100'],
  ['bytes=90-100', 'bytes 90-99/100'],
  ['bytes=0-999999999999999', 'bytes 0-99/100'],
  ['bytes=-999999999999999', 'bytes 0-99/100'],
  ['BYTES=000-009', 'bytes 0-9/100'],
  ['bytes=100-', 'none'],
  ['bytes=100-200', 'none'],
  ['bytes=999999999999999-', 'none'],
  ['bytes=-0', 'none'],
])('%s of 100 bytes: %s', (header, answer) => {
  expect(answerTo(header, 100)).toBe(answer)
})

// Section 14.2 lets a server ignore any, and 14.1.1 asks for it where the form is invalid.
test.each([
  undefined,
  '',
  'bytes',
  'bytes=',
  'bytes=-',
  'bytes=5',
  'bytes=9-0',
  'bytes=a-b',
  'bytes=+1-2',
  'bytes=1.0-2',
  'bytes=0x1-2',
  'bytes=--1',
  'bytes=1--2',
  'bytes= 0-9',
  'bytes =0-9',
  'bytes=0 - 9',
  'bytes=0-9 ',
  'bytes=0-9\n',
  'bytes=٠-٩',
  'bytes=0-1,5-6',
  'bytes=0-1, bytes=5-6',
  'bytes=0-9,',
  'items=0-9',
  '0-9',
  'bytes=0-18446744073709551616',
  'bytes=18446744073709551616-',
  'bytes=-18446744073709551616',
  'bytes=0-9007199254740993',
])('%s is ignored', (header) => {
  expect(answerTo(header, 100)).toBe('all')
})

test('any range is inside the file, and the one that was asked for where the file has it', () => {
  const number = fc.oneof(fc.nat(200), fc.nat(999_999_999_999_999))
  const bytesOfFile = fc.oneof(fc.constant(0), fc.nat(150))
  fc.assert(
    fc.property(fc.option(number), fc.option(number), bytesOfFile, (first, last, bytes) => {
      const asked = parseRange(`bytes=${first ?? ''}-${last ?? ''}`)
      const range = asked === null ? null : asked(bytes)
      if (range === null) return
      expect(range.first).toBeGreaterThanOrEqual(0)
      expect(range.last).toBeGreaterThanOrEqual(range.first)
      expect(range.last).toBeLessThan(bytes)
      const wanted = Array.from({ length: bytes }, (_, i) => i).filter((i) =>
        first === null ? i >= bytes - (last ?? 0) : i >= first && i <= (last ?? Infinity),
      )
      expect([range.first, range.last]).toEqual([wanted[0], wanted.at(-1)])
    }),
  )
})

const LAST_MODIFIED = 'Wed, 20 May 2026 09:30:00 GMT'
const AT_MS = Date.parse(LAST_MODIFIED)

test.each<[ifRange: string | undefined, etag: string, fits: boolean, ageMs?: number]>([
  [undefined, '"a"', true],
  ['"a"', '"a"', true],
  ['"b"', '"a"', false],
  ['"A"', '"a"', false],
  ['W/"a"', '"a"', false],
  ['W/"a"', 'W/"a"', false],
  ['"a"', 'W/"a"', false],
  ['"a", "a"', '"a"', false],
  ['*', '"a"', false],
  ['a', '"a"', false],
  ['', '"a"', false],
  [LAST_MODIFIED, '"a"', true],
  ['Wednesday, 20-May-26 09:30:00 GMT', '"a"', true],
  ['Wed May 20 09:30:00 2026', '"a"', true],
  ['Wed, 20 May 2026 09:30:01 GMT', '"a"', false],
  ['Wed, 20 May 2026 09:29:59 GMT', '"a"', false],
  ['2026-05-20T09:30:00Z', '"a"', false],
  [`${LAST_MODIFIED}, ${LAST_MODIFIED}`, '"a"', false],
  // Within its second a file could still change: such a date is weak.
  [LAST_MODIFIED, '"a"', false, 999],
  [LAST_MODIFIED, '"a"', true, 1000],
])('If-Range: %s with the tag %s: %s', (ifRange, etag, fits, ageMs = 60_000) => {
  expect(rangeFits(ifRange, { etag, lastModified: LAST_MODIFIED }, AT_MS + ageMs)).toBe(fits)
})

test('without a date a date fits nothing', () => {
  expect(rangeFits(LAST_MODIFIED, { etag: '"a"', lastModified: null }, AT_MS + 60_000)).toBe(false)
})
