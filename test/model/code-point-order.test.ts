import { assert, property } from 'fast-check'
import { expect, test } from 'vitest'
import { compareCodePoints } from '../../src/model/code-point-order.ts'
import { anyText } from '../contract/any-text.ts'

const texts = anyText({ maxLength: 6 })
const utf8 = (a: string, b: string): number => Math.sign(Buffer.compare(Buffer.from(a), Buffer.from(b)))

test('is the order of the UTF-8 bytes', () => {
  assert(
    property(texts, texts, texts, (prefix, a, b) => {
      expect(Math.sign(compareCodePoints(prefix + a, prefix + b))).toBe(utf8(prefix + a, prefix + b))
    }),
  )
})

test('puts characters beyond the first plane last, where UTF-16 puts them before U+E000', () => {
  const ordered = ['', ...Array.from('Aaé\uD7FF\uE000\uFF1D\uFFFF\u{10000}😀\u{10FFFF}'), '\u{10FFFF}a']
  expect(ordered.toReversed().sort(compareCodePoints)).toEqual(ordered)
})
