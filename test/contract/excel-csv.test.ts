// What Excel opens: csv-text.ts.
import fc from 'fast-check'
import { parse } from 'csv-parse/sync'
import { describe, expect, it } from 'vitest'
import { csvHeader, excelHeader, toCsv, toExcel } from '../../src/contract/csv-text.ts'
import { EXPORT_COLUMNS } from '../../src/contract/columns.ts'

const CELL = fc.string({
  unit: fc.constantFrom(',', '\t', '"', '\r', '\n', ';', '=', 'é', '😀', 'a', ' ', "'"),
  maxLength: 8,
})
const ROWS = fc.array(fc.record({ title: CELL, category: CELL, votes: fc.nat(), url: fc.option(CELL) }), {
  maxLength: 8,
})

const cells = (text: string, delimiter: string): string[][] => parse(text, { delimiter, record_delimiter: '\r\n' })

describe('a CSV for Excel', () => {
  it('begins with the byte order mark and the columns of the CSV', () => {
    expect(excelHeader('ideas')).toBe(`\uFEFF${csvHeader('ideas').replaceAll(',', '\t')}`)
  })

  it('ends cells at tabs, and quotes one that has a tab, a comma, a quote or a line break', () => {
    const row = { id: '1', title: 'a, b', category: 'a\tb', status: 'x "y"', url: 'a\rb' }
    expect(toExcel('ideas', [row, { id: '2' }])).toBe(
      '1\t"a, b"\t"a\tb"\t"x ""y"""\t\t\t\t\t\t\t"a\rb"\t\r\n2\t\t\t\t\t\t\t\t\t\t\t\r\n',
    )
  })

  it.each([
    ['2026-11-22T20:20:31.089Z', '2026-11-22 20:20:31'],
    ['1900-01-01T00:00:00.000Z', '1900-01-01 00:00:00'],
    ['9999-12-31T23:59:59.999Z', '9999-12-31 23:59:59'],
    ['1899-12-31T23:59:59.999Z', '1899-12-31T23:59:59.999Z'],
    ['+010000-01-01T00:00:00.000Z', '+010000-01-01T00:00:00.000Z'],
    [null, ''],
  ])('writes the time %s as %s, in columns of times only', (time, written) => {
    const row = { title: time, createdAt: time, launchedAt: time }
    const [made = []] = cells(toExcel('ideas', [row]), '\t')
    const [plain = []] = cells(toCsv('ideas', [row]), ',')
    const expected = plain.map((cell, i) => (EXPORT_COLUMNS.ideas[i]?.endsWith('At') === true ? written : cell))
    expect(made).toEqual(expected)
  })

  it('has the cells of the CSV', () => {
    fc.assert(
      fc.property(ROWS, (rows) => {
        expect(cells(toExcel('ideas', rows), '\t')).toEqual(cells(toCsv('ideas', rows), ','))
      }),
      { numRuns: 500 },
    )
  })
})
