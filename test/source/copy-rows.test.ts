import { array, assert, asyncProperty, constantFrom, nat, oneof, option } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyRows, type CopyRow } from '../../src/source/copy-rows.ts'
import { anyText } from '../contract/any-text.ts'

// PostgreSQL manual, COPY, "Text Format": what the server writes for these characters.
const WRITTEN = new Map([
  ['\b', '\\b'],
  ['\f', '\\f'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
  ['\v', '\\v'],
  ['\\', '\\\\'],
])
const writeCell = (cell: string | null): string =>
  cell === null ? '\\N' : cell.replaceAll(/[\b\f\n\r\t\v\\]/g, (character) => WRITTEN.get(character)!)
const write = (rows: readonly CopyRow[]): Buffer =>
  Buffer.from(rows.map((row) => `${row.map(writeCell).join('\t')}\n`).join(''))

async function read(chunks: readonly Buffer[]): Promise<CopyRow[]> {
  const rows: CopyRow[] = []
  for await (const batch of copyRows(
    (async function* () {
      yield* chunks
    })(),
  ))
    rows.push(...batch)
  return rows
}

const cells = option(
  oneof(anyText({ maxLength: 6 }), constantFrom('', '\\N', '\\\\N', 'N', '\\', '\\t', '\n', '\\.', 't', '😀')),
)

test('gives the rows that were written, however the bytes are cut into chunks', async () => {
  const tables = array(array(cells, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
  await assert(
    asyncProperty(tables, array(nat(200), { maxLength: 12 }), async (rows, cuts) => {
      const bytes = write(rows)
      const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end))
      expect(await read(chunks)).toEqual(rows)
    }),
  )
})

test('gives the rows that were written, byte by byte', async () => {
  const rows = [['😀\t文', null, ''], ['\\N', '\r\n\u2028', 'é'], [''], [null]]
  expect(await read([...write(rows)].map((byte) => Buffer.from([byte])))).toEqual(rows)
})

describe('a cell', () => {
  test.each([
    ['\\N', null],
    ['\\\\N', '\\N'],
    ['', ''],
    ['N', 'N'],
    ['a\\tb\\nc\\rd\\be\\ff\\vg\\\\h', 'a\tb\nc\rd\be\ff\vg\\h'],
    ['\\\\t', '\\t'],
    ['\\\\\\t', '\\\t'],
    ['a\\Nb', 'aNb'],
    ['\\.', '.'],
  ])('written %j is %j', async (written, cell) => {
    expect(await read([Buffer.from(`${written}\n`)])).toEqual([[cell]])
  })
})

test('one batch a chunk, and no batch for a chunk that ends no row', async () => {
  const batches: CopyRow[][] = []
  const chunks = ['a\nb\n', 'c', 'd', '\ne\n', ''].map((text) => Buffer.from(text))
  for await (const batch of copyRows(
    (async function* () {
      yield* chunks
    })(),
  ))
    batches.push(batch)
  expect(batches).toEqual([
    [['a'], ['b']],
    [['cd'], ['e']],
  ])
})

test('a copy that ends in the middle of a row is an error, not a short row', async () => {
  await expect(read([Buffer.from('a\tb\nc')])).rejects.toThrow('the server ended a COPY in the middle of a row')
})
