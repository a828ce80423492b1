// src/site/client/tables.ts
import { describe, expect, test } from 'vitest'
import { LANGUAGES } from '../../src/contract/site-paths.ts'
import { speechOf } from '../../src/site/speech.ts'
import { sorted, valueOf } from '../../src/site/client/tables.ts'

describe.each(LANGUAGES)('the numbers of a page in %s', (language) => {
  const t = speechOf(language)

  test.each([0, 7, 999, 1000, 12_345, 1_234_567.8])('%d is read as it is written', (n) => {
    expect(valueOf(t.number(n), t.w.totals.few, language)).toBe(n)
  })

  test('a share is read, few are one, a dash and words are nothing', () => {
    expect(valueOf(t.percent(16.3), t.w.totals.few, language)).toBe(16.3)
    expect(valueOf(t.w.totals.few, t.w.totals.few, language)).toBe(1)
    expect(['+22', '\u22123', '-3'].map((text) => valueOf(text, t.w.totals.few, language))).toEqual([22, -3, -3])
    expect(['–', '', t.w.totals.unknown].map((text) => valueOf(text, t.w.totals.few, language))).toEqual([
      null,
      null,
      null,
    ])
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
