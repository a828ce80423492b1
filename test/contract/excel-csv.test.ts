import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { toCsv } from '../../src/contract/csv-text.ts'
import { timeColumns, EXPORT_COLUMNS } from '../../src/contract/columns.ts'
import { ExcelCsv } from '../../src/contract/excel-csv.ts'

const EVERY: ReadonlySet<number> = new Set(Array.from({ length: 20 }, (_, i) => i))

/** @param cuts where the pieces end */
function convert(csv: string, cuts: readonly number[] = [], times = EVERY): string {
  const excel = new ExcelCsv(times)
  const ends = [...cuts.map((cut) => Math.floor(cut * csv.length)).sort((a, b) => a - b), csv.length]
  return ends.map((end, i) => excel.add(csv.slice(ends[i - 1] ?? 0, end))).join('') + excel.end()
}

const CELL = fc.string({
  unit: fc.constantFrom(',', '\t', '"', '\r', '\n', ';', '=', 'é', '😀', 'a', ' ', "'"),
  maxLength: 8,
})
const ROWS = fc.array(fc.record({ title: CELL, category: CELL, votes: fc.nat(), url: fc.option(CELL) }), {
  maxLength: 8,
})

describe('a CSV for Excel', () => {
  it('begins with the byte order mark, ends cells at tabs and leaves commas inside of them alone', () => {
    expect(convert('id,title\r\n1,"a, b"\r\n2,\r\n')).toBe('\uFEFFid\ttitle\r\n1\t"a, b"\r\n2\t\r\n')
  })

  it('quotes a cell that has a tab, whatever is around it', () => {
    expect(convert('a\tb,c\r\n"x ""y""\t",\t\r\n')).toBe('\uFEFF"a\tb"\tc\r\n"x ""y""\t"\t"\t"\r\n')
  })

  it.each([
    ['2026-11-22T20:20:31.089Z', '2026-11-22 20:20:31'],
    ['1900-01-01T00:00:00.000Z', '1900-01-01 00:00:00'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31 23:59:59'],
    ['1899-12-31T23:59:59.999Z', '1899-12-31T23:59:59.999Z'],
    ['2026-02-30T00:00:00.000Z', '2026-02-30T00:00:00.000Z'],
    ['2026-11-22T24:00:00.000Z', '2026-11-22T24:00:00.000Z'],
    ['2026-99-22T20:20:31.089Z', '2026-99-22T20:20:31.089Z'],
    ['at 2026-11-22T20:20:31.089Z', 'at 2026-11-22T20:20:31.089Z'],
    ['2026-11-22T20:20:31.089Z!', '2026-11-22T20:20:31.089Z!'],
    ['"2026-11-22T20:20:31.089Z,"', '"2026-11-22T20:20:31.089Z,"'],
  ])('writes the cell %s as %s, wherever it is and the pieces end', (cell, written) => {
    const csv = `${cell},"a",${cell}\r\n${cell},${cell}\r\n"b",${cell}`
    const made = `\uFEFF${written}\t"a"\t${written}\r\n${written}\t${written}\r\n"b"\t${written}`
    expect(convert(csv)).toBe(made)
    for (let at = 0; at < csv.length; at += 1) expect(convert(csv, [at / csv.length])).toBe(made)
  })

  it('writes as times only those of columns of times, whatever is before them and wherever the pieces end', () => {
    const time = '2026-11-22T20:20:31.089Z'
    const row = (title: readonly string[], at: string, separator: string): string =>
      ['7', ...title, '', at, at, '1', time].join(separator)
    const titles = [
      [time, time],
      ['"a, ""b"" c"', time],
      ['"a\r\n,b"', '"c\nd,"'],
      ['""', '""'],
    ]
    const csv = titles.map((title) => row(title, time, ',')).join('\r\n')
    const made = `\uFEFF${titles.map((title) => row(title, '2026-11-22 20:20:31', '\t')).join('\r\n')}`
    for (let at = 0; at < csv.length; at += 1)
      expect(convert(csv, [at / csv.length, (at + 9) / csv.length], new Set([4, 5]))).toBe(made)
    expect([...timeColumns('ideas')].map((i) => EXPORT_COLUMNS.ideas[i])).toEqual(['createdAt', 'launchedAt'])
  })

  it('has the same cells, wherever its pieces end', () => {
    fc.assert(
      fc.property(ROWS, fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 6 }), (rows, cuts) => {
        const csv = toCsv('ideas', rows)
        const made = convert(csv, cuts)
        expect(made).toBe(convert(csv))
        const cells = (text: string, delimiter: string): unknown => parse(text, { delimiter, record_delimiter: '\r\n' })
        expect(cells(made.slice(1), '\t')).toEqual(cells(csv, ','))
      }),
      { numRuns: 500 },
    )
  })
})
