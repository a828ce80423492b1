// src/site/page/titles.ts
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutTitle, isolated, isolatedText } from '../../../src/site/page/titles.ts'
import { anyText } from '../../contract/any-text.ts'

const family = '\u{1F469}\u200D\u{1F469}\u200D\u{1F467}'
const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const length = (text: string): number => Array.from(graphemes.segment(text)).length

test.each([
  ['a'.repeat(120), 'a'.repeat(120)],
  ['a'.repeat(121), `${'a'.repeat(119)}…`],
  [' two\r\n\tlines\u0000 ', 'two lines'],
  ['', ''],
  [' \u0007 ', ''],
])('%j is shown as %j', (title, shown) => {
  expect(cutTitle(title)).toBe(shown)
})

/** Without what a line cannot have, by the letter. */
const inLine = (title: string): string =>
  title
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(/(?<=\p{Mn}{4})\p{Mn}/gu, '')
    .trim()

test('so it is with each character by itself, before, between, five times, and after others', () => {
  const wrong = Array.from({ length: 0x1_0000 }, (_, n) => String.fromCodePoint(n)).filter((c) =>
    [`${c}a`, `a${c.repeat(5)}b`, `a ${c}b`, `a${c}`].some((title) => cutTitle(title) !== inLine(title)),
  )
  expect(wrong).toEqual([])
})

test('a title is cut between characters as readers see them, and marks without end are cut, too', () => {
  expect(cutTitle(family.repeat(60))).toBe(family.repeat(60))
  expect(cutTitle(family.repeat(61))).toMatch(new RegExp(`^(${family})+…$`, 'u'))
  expect(cutTitle(`a${'\u0301'.repeat(100_000)}b`)).toBe(`a${'\u0301'.repeat(4)}b`)
})

test('no title is longer than 120 characters, and what is short stays', () => {
  fc.assert(
    fc.property(anyText({ maxLength: 300 }), (title) => {
      const shown = cutTitle(title)
      expect(length(shown)).toBeLessThanOrEqual(120)
      expect(shown.length).toBeLessThanOrEqual(481)
      if (!shown.endsWith('…')) expect(shown).toBe(inLine(title))
    }),
  )
})

test('a name cannot turn the text around it', () => {
  expect(isolated('\u202Eevil <b>').text).toBe('<bdi>\u202Eevil &lt;b&gt;</bdi>')
  expect(isolatedText('\u2069\u202Eevil')).toBe('\u2068evil\u2069')
})
