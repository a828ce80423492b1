import { array, assert, asyncProperty, constantFrom, integer, nat, record } from 'fast-check'
import { expect, it } from 'vitest'
import { csvHeader, toCsv } from '../../../src/contract/csv-text.ts'
import type { ExportRow } from '../../../src/contract/kinds/tables.ts'
import { CsvOfRows } from '../../../src/release/verify/csv-of-rows.ts'

/** What is wrong with a CSV that comes in pieces of so many bytes, its rows in batches of three. */
async function faultOf(rows: readonly ExportRow[], csv: Buffer, size: number): Promise<string | null> {
  let at = 0
  const made = new CsvOfRows('categories', async () => (at >= csv.length ? null : csv.subarray(at, (at += size))))
  for (let from = 0; from === 0 || from < rows.length; from += 3) await made.add(rows.slice(from, from + 3))
  await made.end()
  return made.fault
}

const COLUMNS = csvHeader('categories').trim().split(',')
const text = array(constantFrom('"', ',', '\r', '\n', '\r\n', 'a', "'", '=', '😀', ''), { maxLength: 6 })
const rows = array(
  record({ text, number: nat() }).map(({ text: parts, number }) =>
    Object.fromEntries(COLUMNS.map((column, i) => [column, i === 0 ? parts.join('') : number])),
  ),
  { maxLength: 8 },
)

it('is the CSV that was written of the rows, and none with another byte, one less or one more', async () => {
  await assert(
    asyncProperty(rows, integer({ min: 1, max: 20 }), nat(), async (all, size, where) => {
      const csv = Buffer.from(csvHeader('categories') + toCsv('categories', all))
      expect(await faultOf(all, csv, size)).toBeNull()
      const at = where % csv.length
      const [before, after] = [csv.subarray(0, at), csv.subarray(at + 1)]
      for (const wrong of [
        [before, after],
        [before, Buffer.from([(csv[at] ?? 0) ^ 1]), after],
        [csv, Buffer.from('1')],
      ])
        expect(await faultOf(all, Buffer.concat(wrong), size)).not.toBeNull()
    }),
  )
})

it('names the rows, or what is missing', async () => {
  const all = [1, 2, 3, 4, 5].map((n) =>
    Object.fromEntries(COLUMNS.map((column, i) => [column, i === 0 ? `c${n}` : n])),
  )
  const csv = csvHeader('categories') + toCsv('categories', all)
  const wrong = (change: string): Promise<string | null> => faultOf(all, Buffer.from(change), 7)
  expect(await wrong(csv.replace('c4,4', 'c4,44'))).toBe('of the rows 4 to 5 one is not as in its JSON')
  expect(await wrong(csv.slice(0, csv.indexOf('c5')))).toBe('of the rows 4 to 5 one is not as in its JSON')
  expect(await wrong(`${csv}c6`)).toBe('it has more than the 5 rows of its JSON')
  expect(await wrong('')).toMatch(/^its header is , expected category,/)
})
