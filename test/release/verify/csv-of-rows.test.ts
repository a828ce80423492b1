import { array, assert, constantFrom, nat, property, record } from 'fast-check'
import { expect, it } from 'vitest'
import { EXPORT_COLUMNS } from '../../../src/contract/columns.ts'
import { csvHeader, csvOf } from '../../../src/contract/csv-text.ts'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import { fileBytesOf } from '../../../src/release/format/manifest.ts'
import { csvOfRows, headerFault } from '../../../src/release/verify/csv-of-rows.ts'

/** What is wrong with a CSV, the rows of its JSON in batches of three. */
function faultOf(rows: readonly ExportRow[], csv: string | Buffer): string | null {
  if (rows.length === 0) return headerFault(Buffer.from(csv), 'categories')
  const made = csvOfRows('categories')
  for (let from = 0; from < rows.length; from += 3) made.add(rows.slice(from, from + 3))
  return made.fault(fileBytesOf('', csv).sha256)
}

const COLUMNS = EXPORT_COLUMNS.categories
const text = array(constantFrom('"', ',', '\r', '\n', '\r\n', 'a', "'", '=', '😀', ''), { maxLength: 6 })
const rows = array(
  record({ text, number: nat() }).map(({ text: parts, number }) =>
    Object.fromEntries(COLUMNS.map((column, i) => [column, i === 0 ? parts.join('') : number])),
  ),
  { maxLength: 8 },
)

it('is the CSV that was written of the rows, and none with another byte, one less or one more', () => {
  assert(
    property(rows, nat(), (all, where) => {
      const csv = Buffer.from(csvHeader(COLUMNS) + csvOf(COLUMNS, all))
      expect(faultOf(all, csv)).toBeNull()
      const at = where % csv.length
      const [before, after] = [csv.subarray(0, at), csv.subarray(at + 1)]
      for (const wrong of [
        [before, after],
        [before, Buffer.from([(csv[at] ?? 0) ^ 1]), after],
        [csv, Buffer.from('1')],
      ])
        expect(faultOf(all, Buffer.concat(wrong))).not.toBeNull()
    }),
  )
})

it('names what is wrong', () => {
  const all = [1, 2, 3, 4, 5].map((n) =>
    Object.fromEntries(COLUMNS.map((column, i) => [column, i === 0 ? `c${n}` : n])),
  )
  const header = csvHeader(COLUMNS)
  const csv = header + csvOf(COLUMNS, all)
  for (const wrong of [csv.replace('"c4",4', '"c4",44'), csv.slice(0, csv.indexOf('c5')), `${csv}c6`, ''])
    expect(faultOf(all, wrong)).toBe('its header or one of its 5 rows is not as in its JSON')
  expect(faultOf(all.with(3, { category: 'c4' }), csv)).toBe('row 4 of its JSON has the keys category')
  expect(faultOf([{ name: 'c1' }], csv)).toMatch(/^row 1 of its JSON has the keys name, expected category,/)
  expect(faultOf([], '')).toMatch(/^its header is , expected category,/)
  expect(faultOf([], csv)).toBe('it has more than the 0 rows of its JSON')
})

it('takes more columns at the end, and fewer', () => {
  for (const columns of [COLUMNS.slice(0, -1), [...COLUMNS, 'added']]) {
    const header = `${columns.join()}\r\n`
    const row = Object.fromEntries(columns.map((column) => [column, 1]))
    expect(faultOf([row], `${header}${columns.map(() => 1).join()}\r\n`)).toBeNull()
    expect(faultOf([], header)).toBeNull()
  }
})
