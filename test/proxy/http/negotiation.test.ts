// RFC 9110 section 12.5.3, with the API's own order among equals: br, gzip, and identity when nothing better is wanted.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { preferredCodings } from '../../../src/proxy/http/negotiation.ts'
import { anyText } from '../../contract/any-text.ts'

test.each([
  ['no header', undefined, []],
  ['an empty one', '', []],
  ['gzip', 'gzip', ['gzip']],
  ['br', 'br', ['br']],
  ['what browsers send', 'gzip, deflate, br, zstd', ['br', 'gzip']],
  ['in capitals', 'GZIP, Br', ['br', 'gzip']],
  ['its old name', 'x-gzip', ['gzip']],
  ['anything', '*', ['br', 'gzip']],
  ['anything but br', '*, br;q=0', ['gzip']],
  ['anything but gzip', 'gzip;q=0, *;q=0.5', ['br']],
  ['gzip refused', 'gzip;q=0', []],
  ['gzip refused in three decimals', 'gzip;q=0.000', []],
  ['everything refused', '*;q=0', []],
  ['identity refused, nothing else named', 'identity;q=0', []],
  ['identity refused, gzip taken', 'identity;q=0, gzip', ['gzip']],
  ['gzip before br by weight', 'br;q=0.5, gzip;q=0.8', ['gzip', 'br']],
  ['equal weights', 'gzip;q=0.7, br;q=0.7', ['br', 'gzip']],
  ['a weight of one in every way to write it', 'gzip;q=1.000, br;q=1', ['br', 'gzip']],
  ['identity preferred', 'identity, gzip;q=0.5, br;q=0.9', []],
  ['identity between the two', 'gzip;q=0.9, identity;q=0.6, br;q=0.5', ['gzip']],
  ['identity as good', 'identity;q=0.5, gzip;q=0.5', ['gzip']],
  ['blanks', ' gzip ; q=0.5 ,\tbr ', ['br', 'gzip']],
  ['empty elements', ',, gzip,,', ['gzip']],
  ['the last of two', 'gzip, gzip;q=0', []],
  ['only others', 'deflate, zstd, compress', []],
  ['a weight above one', 'gzip;q=2', []],
  ['a weight below zero', 'gzip;q=-1', []],
  ['a weight of four decimals', 'gzip;q=0.1234', []],
  ['a weight that is none', 'gzip;q=high', []],
  ['no weight behind the =', 'gzip;q=', []],
  ['a parameter that is no weight', 'gzip;level=9', []],
  ['junk beside what can be read', 'gzip;q=x, br', ['br']],
  ['two words', 'gzip br', []],
  ['names that merely begin so', 'gzipped, brotli', []],
  ['__proto__', '__proto__, constructor', []],
])('%s', (_, header, codings) => {
  expect(preferredCodings(header)).toEqual(codings)
  expect(preferredCodings(header), 'asked again').toEqual(codings)
})

test('whatever is sent, the answer is some order of the two', () => {
  fc.assert(
    fc.property(anyText(), (header) => {
      expect([[], ['br'], ['gzip'], ['br', 'gzip'], ['gzip', 'br']]).toContainEqual(preferredCodings(header))
    }),
  )
})
