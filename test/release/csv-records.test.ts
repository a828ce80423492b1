import { stringify } from 'csv-stringify/sync'
import { array, assert, constantFrom, property, string } from 'fast-check'
import { describe, expect, it } from 'vitest'
import { countRecords, csvRecords } from '../../src/release/csv-records.ts'

describe('records of CSV', () => {
  const TEXTS: readonly [text: string, records: readonly (readonly string[])[]][] = [
    ['', []],
    ['\r\n', [['']]],
    ['a\r\n', [['a']]],
    [
      'a,b\r\nc,d\r\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [',\r\n', [['', '']]],
    ['"a,b","c\r\nd",""\r\n', [['a,b', 'c\r\nd', '']]],
    ['"say ""hi"""\r\n', [['say "hi"']]],
    ['""""\r\n', [['"']]],
    ['a\nb\r\n', [['a\nb']]],
    ['a\rb,c\r\n', [['a\rb', 'c']]],
  ]
  it.each(TEXTS)('%j', (text, records) => {
    expect([...csvRecords(text)]).toEqual(records)
    expect(countRecords(text)).toBe(records.length)
  })

  const TORN: readonly [text: string, records: readonly (readonly string[])[], whole: number][] = [
    ['a', [['a']], 0],
    ['a,', [['a', '']], 0],
    ['a\r\n"b', [['a'], ['"b']], 1],
    ['a\r\n"b\r\nc\r\n', [['a'], ['"b\r\nc\r\n']], 1],
    ['"a"b\r\n', [['ab']], 1],
  ]
  it.each(TORN)('keeps what is no record as it stands: %j', (text, records, whole) => {
    expect([...csvRecords(text)]).toEqual(records)
    expect(countRecords(text)).toBe(whole)
  })

  it('are those that were written, whatever the cells hold', () => {
    const cell = array(constantFrom('"', ',', '\r', '\n', '\r\n', 'a', "'", ' ', '😀', ''), { maxLength: 6 })
    const cells = array(
      array(
        cell.map((parts) => parts.join('')),
        { minLength: 2, maxLength: 4 },
      ),
      { maxLength: 6 },
    )
    assert(
      property(cells, string(), (records, title) => {
        const all = [...records, [title, title]]
        const text = stringify(all, { record_delimiter: '\r\n', quoted_match: /[\r\n]/ })
        expect([...csvRecords(text)]).toEqual(all)
        expect(countRecords(text)).toBe(all.length)
      }),
    )
  })
})
