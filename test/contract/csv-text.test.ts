import { parse as parsed } from 'csv-parse/sync'
import { array, assert, boolean, constantFrom, double, integer, oneof, option, property, record } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { csvHeader, csvOf } from '../../src/contract/csv-text.ts'
import { EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { anyText } from '../contract/any-text.ts'

interface Field {
  readonly text: string
  readonly quoted: boolean
}

/** By RFC 4180, section 2: every record ends in CRLF. What is not quoted may still hold a line break. */
function parse(csv: string): Field[][] {
  if (csv !== '' && !csv.endsWith('\r\n')) throw new Error('the last record does not end in CRLF')
  const cast = (text: string, { quoting }: { readonly quoting: boolean }): Field => ({ text, quoted: quoting })
  return parsed(csv, { cast, record_delimiter: '\r\n' }) as unknown as Field[][]
}

/** A cell without the apostrophes that its text does not have, each of which is at the beginning or after a separator. */
function withoutAdded(cell: string, text: string): string {
  let kept = ''
  for (const [at, unit] of cell.split('').entries())
    if (unit === text[kept.length] || unit !== "'" || !/^$|[;\t\r\n]$/.test(cell.slice(0, at))) kept += unit
  return kept
}

const titleCell = (title: string): string => {
  const [cells] = parse(csvOf(EXPORT_COLUMNS.ideas, [{ id: '1', title }]))
  return cells![1]!.text
}

describe('records', () => {
  const cells = oneof(
    anyText({ maxLength: 8 }),
    anyText({ maxLength: 5 }).chain((text) => constantFrom('=', '+', '-', '@', '\t', "'", '"').map((c) => c + text)),
    integer(),
    double({ noNaN: true, noDefaultInfinity: true }),
    boolean(),
  )
  const row = record(Object.fromEntries(EXPORT_COLUMNS.ideas.map((column) => [column, option(cells)])))
  const rows = array(row, { maxLength: 4 })

  test('read back as the cells they were made of, but for the apostrophes before formulas', () => {
    assert(
      property(rows, (list) => {
        const read = parse(csvOf(EXPORT_COLUMNS.ideas, list))
        expect(read.length).toBe(list.length)
        for (const [i, given] of list.entries()) {
          const texts = EXPORT_COLUMNS.ideas.map((column) => String(given[column] ?? ''))
          for (const [j, { text }] of read[i]!.entries()) expect(withoutAdded(text, texts[j]!)).toBe(texts[j])
        }
      }),
    )
  })

  test('have quotes about every text that is not empty, and about nothing else', () => {
    assert(
      property(rows, (list) => {
        for (const [i, fields] of parse(csvOf(EXPORT_COLUMNS.ideas, list)).entries())
          for (const [j, { quoted }] of fields.entries()) {
            const cell = list[i]![EXPORT_COLUMNS.ideas[j]!]
            expect(quoted).toBe(typeof cell === 'string' && cell !== '')
          }
      }),
    )
  })

  test('have none about dates and times, but where they are texts', () => {
    const [day, instant, early] = ['2026-05-01', '2026-05-01T22:00:00.000Z', '-000001-01-01T00:00:00.000Z']
    expect(csvOf(EXPORT_COLUMNS.ideas, [{ id: day, title: instant, createdAt: instant, launchedAt: early }])).toBe(
      `"${day}","${instant}",,,${instant},${early},,,,,,\r\n`,
    )
    expect(csvOf(EXPORT_COLUMNS.timeline, [{ bucket: day }, { bucket: instant }])).toMatch(
      /^2026-05-01,.*\r\n2026-05-01T22/,
    )
    expect(csvOf(EXPORT_COLUMNS.revisions, [{ date: day, relation: 'votes', month: day, accepted: true }])).toBe(
      '2026-05-01,"votes",2026-05-01,,,true\r\n',
    )
  })

  test('end in CRLF, have no byte order mark, and are null as empty, booleans and numbers as in JSON', () => {
    const [createdAt, launchedAt] = [true, false]
    const given = { id: '7', title: null, category: 'a; b', status: 'x,y', createdAt, launchedAt, votes: -1.5 }
    expect(csvOf(EXPORT_COLUMNS.ideas, [given, { id: 'é' }])).toBe(
      '"7",,"a; b","x,y",true,false,-1.5,,,,,\r\n"é",,,,,,,,,,,\r\n',
    )
    expect(csvOf(EXPORT_COLUMNS.ideas, [])).toBe('')
  })

  test.each(EXPORT_TYPES)('of %s have their columns as a header', (type) => {
    expect(csvHeader(EXPORT_COLUMNS[type])).toBe(`${EXPORT_COLUMNS[type].join()}\r\n`)
  })
})

describe('a text cell that a spreadsheet would run gets an apostrophe', () => {
  // prettier-ignore
  test.each([
    '=1+1', '=HYPERLINK("http://evil.example")', '+1', '+41 44 123', '-1+1', '-', '-x', '- 5', '@SUM(A1)', '\t', '\tx', '\rx',
    ' =1', '\u00A0=1', '\u3000+1', '\u200B=1', '\uFEFF=1', '\u2060@x', '\u00AD-x', '\u202E=1', '\u034F=1', '\uFE0F=1',
    '\u{E0020}=1', ' \u200B \uFEFF=1', '\uFF1D1', '\uFF0B1', '\uFF0Dx', '\uFF20x', ' \uFF1D1', '-1e5', '-1,5', '-5\n', '--5', '-.5', '-٥',
  ])('%j', (text) => {
    expect(titleCell(text)).toBe(`'${text}`)
  })

  test('whatever invisible characters precede the sign', () => {
    const unseen = array(constantFrom(...Array.from(' \n\u00A0\u2003\u200B\u200D\uFEFF\u2066\u180E\u{E0001}')))
    const sign = constantFrom(...Array.from('=+-@＝＋－＠'))
    assert(
      property(unseen, sign, anyText(), (before, first, after) => {
        const text = `${before.join('')}${first}x${after}`
        const cell = titleCell(text)
        expect(cell[0]).toBe("'")
        expect(withoutAdded(cell, text)).toBe(text)
      }),
    )
  })
})

/**
 * Tried with LibreOffice 7.4, with `;`, with TAB, and with both and the comma as separators: without the apostrophes, `=`
 * directly after a separator or a line break was a live formula; in none of the cells as written here was one. Signs after
 * a quote, a space or what cannot be seen, and the other signs, were text there; other spreadsheets are less strict.
 */
describe('a text cell gets an apostrophe where a spreadsheet with another list separator begins a cell', () => {
  test.each([
    ['x;=1+1;y', "x;'=1+1;y"],
    ['x\t=1+1\ty', "x\t'=1+1\ty"],
    ['x\n=1+1', "x\n'=1+1"],
    ['x\r=1+1', "x\r'=1+1"],
    ['x\r\n=1+1', "x\r\n'=1+1"],
    [';=1', ";'=1"],
    ['x;+1+1;-1+1;@SUM(1)', "x;'+1+1;'-1+1;'@SUM(1)"],
    ['x;=1;;=2', "x;'=1;;'=2"],
    ['x; =1+1', "x;' =1+1"],
    ['x;\u00A0\u200B=1', "x;'\u00A0\u200B=1"],
    ['x;\uFF1D1', "x;'\uFF1D1"],
    ['x;"=1+1";y', 'x;\'"=1+1";y'],
    ['x;""=1+1', 'x;\'""=1+1'],
    ['x;" =1+1"', 'x;\'" =1+1"'],
    ['x; \n=1', "x; \n'=1"],
    ['x;\t=1', "x;\t'=1"],
    ['=1;=2', "'=1;'=2"],
    ['\n=1', "'\n'=1"],
    ['\r\n=1', "'\r\n'=1"],
    ['\t=1', "'\t'=1"],
    ['-5;-5', "'-5;'-5"],
  ])('%j', (text, cell) => {
    expect(titleCell(text)).toBe(cell)
  })

  test('and nowhere else: categories joined with "; ", and semicolons in sentences, stay', () => {
    for (const text of ['Design; Product', 'a;b', 'a; 5', 'now; later = never', 'x\ny', "x;'=1", 'a;\n', 'e-mail; a+b'])
      expect(titleCell(text)).toBe(text)
  })

  test('in time that grows with the text', () => {
    for (const part of ['; ', '\n', '"', ';"', '\t\u200B', ' ']) titleCell(`x;${part.repeat(300_000 / part.length)}`)
  }, 5_000)

  test('whatever is between the separator and the sign unseen', () => {
    const unseen = array(constantFrom(...Array.from(' "\u00A0\u200B\uFEFF\u{E0001}')))
    const [separator, sign] = [constantFrom(...Array.from(';\t\n\r')), constantFrom(...Array.from('=+-@＝＋－＠'))]
    assert(
      property(anyText(), separator, unseen, sign, anyText(), (before, split, between, first, after) => {
        const text = `x${before}${split}${between.join('')}${first}${after}`
        const cell = titleCell(text)
        expect(withoutAdded(cell, text)).toBe(text)
        for (const part of cell.split(/[;\t\r\n]/).slice(1))
          expect(part).not.toMatch(/^["\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@＝＋－＠]/u)
      }),
    )
  })
})

describe('a cell is left alone', () => {
  // prettier-ignore
  test.each([
    '', ' ', '5', '-5', '-0', '-12.50', '-9223372036854775808', 'a=b', "'=1", '"=1"', '(=1)', '|x', '%0A=1', '\n', '\u200B', 'é', '😀',
  ])('text that starts no formula, or is a plain decimal number: %j', (text) => {
    expect(titleCell(text)).toBe(text)
  })

  test('that is a number, however negative', () => {
    expect(
      csvOf(EXPORT_COLUMNS.overview, [{ metric: 'ideas', value: 1, previousValue: 2, changePercent: -50.5 }]),
    ).toBe('"ideas",1,2,-50.5,\r\n')
    expect(csvOf(EXPORT_COLUMNS.ideas, [{ votes: -1, createdAt: '-000001-01-01T00:00:00.000Z' }])).toBe(
      ',,,,-000001-01-01T00:00:00.000Z,,-1,,,,,\r\n',
    )
  })

  test('but not in a column that only another version has: it may hold text, or a date', () => {
    expect(csvOf(['id', 'added'], [{ id: '1', added: '=1' }])).toBe('"1","\'=1"\r\n')
    expect(csvOf(['id', 'added'], [{ id: '1', added: '2026-05-01' }])).toBe('"1",2026-05-01\r\n')
  })

  test.each(['id', 'category', 'status', 'url', 'title'])('in %s only when it is no formula', (column) => {
    expect(csvOf(EXPORT_COLUMNS.ideas, [{ [column]: '=1' }]).replaceAll(',', '')).toBe('"\'=1"\r\n')
    expect(csvOf(EXPORT_COLUMNS.ideas, [{ [column]: '-5' }]).replaceAll(',', '')).toBe('"-5"\r\n')
  })
})
