import { array, assert, asyncProperty, constantFrom, double, integer, nat, oneof, option } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { copyRows, type CopyRow } from '../../../src/source/read/copy-decoder.ts'
import { anyText } from '../../contract/any-text.ts'

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
const writeField = (field: string | null): string =>
  field === null ? '\\N' : field.replaceAll(/[\b\f\n\r\t\v\\]/g, (character) => WRITTEN.get(character)!)
type Fields = readonly (string | null)[]
const write = (rows: readonly Fields[]): Buffer =>
  Buffer.from(rows.map((row) => `${row.map(writeField).join('\t')}\n`).join(''))

const fieldsOf = (row: CopyRow): Fields => Array.from({ length: row.length }, (_, field) => row.text(field))

async function read(chunks: readonly Buffer[]): Promise<Fields[]> {
  const rows: Fields[] = []
  for await (const batch of copyRows(
    (async function* () {
      yield* chunks
    })(),
  ))
    rows.push(...batch.map(fieldsOf))
  return rows
}

const fields = option(
  oneof(anyText({ maxLength: 6 }), constantFrom('', '\\N', '\\\\N', 'N', '\\', '\\t', '\n', '\\.', 't', '😀')),
)

test('gives the rows that were written, however the bytes are cut into chunks', async () => {
  const tables = array(array(fields, { minLength: 1, maxLength: 4 }), { maxLength: 6 })
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

describe('a field', () => {
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
  ])('written %j is %j', async (written, field) => {
    expect(await read([Buffer.from(`${written}\n`)])).toEqual([[field]])
  })
})

describe('a number', () => {
  const numberOf = async (written: string): Promise<number> => {
    let number = Number.NaN
    for await (const batch of copyRows(
      (async function* () {
        yield Buffer.from(`x\t${written}\ty\n`)
      })(),
    ))
      number = batch[0]?.number(1) ?? Number.NaN
    return number
  }

  test('is what it would be as text', async () => {
    const written = oneof(
      integer().map(String),
      integer({ min: -(2 ** 53), max: 2 ** 53 }).map(String),
      double({ noNaN: true, noDefaultInfinity: true }).map(String),
      constantFrom('0', '-0', '007', '1700000000000', '1.7e+12', '-62135596800000', '1e3', '123456789012345678'),
    )
    await assert(
      asyncProperty(written, async (text) => {
        expect(await numberOf(text)).toBe(Number(text) + 0)
      }),
    )
  })

  test.each([
    ['\\N', 0],
    ['', 0],
    ['t', Number.NaN],
    ['-', Number.NaN],
  ])('written %j is %d', async (written, number) => {
    expect(await numberOf(written)).toBe(number)
  })
})

test('a row knows which of its fields are NULL, and that there are no others', async () => {
  for await (const batch of copyRows(
    (async function* () {
      yield Buffer.from('\\N\t\tN\t\\\\N\nz\n')
    })(),
  )) {
    const [row, next] = batch
    expect([0, 1, 2, 3].map((field) => row?.isNull(field))).toEqual([true, false, false, false])
    expect(next?.length).toBe(1)
    for (const field of [1, -1]) expect(() => next?.text(field)).toThrow(RangeError)
  }
})

test('one batch a chunk, and no batch for a chunk that ends no row', async () => {
  const batches: Fields[][] = []
  const chunks = ['a\nb\n', 'c', 'd', '\ne\n', ''].map((text) => Buffer.from(text))
  for await (const batch of copyRows(
    (async function* () {
      yield* chunks
    })(),
  ))
    batches.push(batch.map(fieldsOf))
  expect(batches).toEqual([
    [['a'], ['b']],
    [['cd'], ['e']],
  ])
})

test('a copy that ends in the middle of a row is an error, not a short row', async () => {
  await expect(read([Buffer.from('a\tb\nc')])).rejects.toThrow('the server ended a COPY in the middle of a row')
})
