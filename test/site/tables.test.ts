// src/site/client/tables.ts
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import { speechOf } from '../../src/site/page/speech.ts'
import { shareText } from '../../src/site/page/drawing.ts'
import { numberReader, sorted } from '../../src/site/client/tables.ts'

describe.each(LANGUAGES)('the numbers of a page in %s', (language) => {
  const t = speechOf(language)
  const numberOf = numberReader(t.w.totals.few, language)

  test.each([0, 7, 999, 1000, 12_345, 1_234_567.8])('%d is read as it is written', (n) => {
    expect(numberOf(t.number(n))).toBe(n)
  })

  test('a share is read as a percentage, few are one, words are nothing', () => {
    expect(numberOf(t.percent(163, 1000))).toBe(16.3)
    expect([2, 0, 5].map((part) => numberOf(shareText(t, part, 5)))).toEqual([40, 0, 100])
    expect(numberOf(shareText(t, 24_690, 2_000))).toBe(1234.5)
    expect([1.5, 132].map((n) => numberOf(t.days(n)))).toEqual([1.5, 132])
    expect(numberOf(t.w.totals.few)).toBe(1)
    expect(['+22', '\u22123', '-3'].map((text) => numberOf(text))).toEqual([22, -3, -3])
    expect(['–', '', t.w.totals.unknown].map((text) => numberOf(text))).toEqual([null, null, null])
  })
})

test('what has no value is last in both orders, equals stay in theirs, names are in the order of the language', () => {
  const rows = [
    ['a', 2],
    ['b', null],
    ['c', 10],
    ['d', 2],
  ] as const
  const names = (order: 'ascending' | 'descending'): string =>
    sorted(rows, ([, n]) => n, order, 'en')
      .map(([name]) => name)
      .join('')
  expect(names('ascending')).toBe('adcb')
  expect(names('descending')).toBe('cadb')
  expect(sorted(['z', 'ä', 'a', 'Z2', 'Z10'], (name) => name, 'ascending', 'de')).toEqual(['a', 'ä', 'z', 'Z2', 'Z10'])
})
