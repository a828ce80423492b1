import { array, assert, asyncProperty, bigInt, constantFrom, nat, oneof, option } from 'fast-check'
import { expect, test } from 'vitest'
import { copiedRows, type CopiedRows } from '../../../src/source/read/copy-decoder.ts'
import { anyText } from '../../contract/any-text.ts'

/** PostgreSQL manual, COPY, "Binary Format". */
const HEADER = Buffer.concat([Buffer.from('PGCOPY\n\u00ff\r\n\0', 'latin1'), Buffer.alloc(8)])
const TRAILER = Buffer.from([0xff, 0xff])
const int = (value: number, bytes: number): Buffer => {
  const written = Buffer.alloc(bytes)
  written.writeIntBE(value, 0, bytes)
  return written
}
type Fields = readonly (Buffer | null)[]
const row = (fields: Fields): Buffer =>
  Buffer.concat([
    int(fields.length, 2),
    ...fields.flatMap((field) => (field === null ? [int(-1, 4)] : [int(field.length, 4), field])),
  ])
const write = (rows: readonly Fields[]): Buffer => Buffer.concat([HEADER, ...rows.map(row), TRAILER])
const texts = (...fields: (string | null)[]): Fields =>
  fields.map((field) => (field === null ? null : Buffer.from(field)))
const timestamp = (micros: bigint): Buffer => {
  const written = Buffer.alloc(8)
  written.writeBigInt64BE(micros)
  return written
}

async function* each(chunks: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* chunks
}

async function read<T>(
  chunks: readonly Buffer[],
  fields: number,
  of: (rows: CopiedRows, n: number) => T,
): Promise<T[]> {
  const found: T[] = []
  for await (const rows of copiedRows(each(chunks), fields))
    for (let n = 0; n < rows.count; n++) found.push(of(rows, n))
  return found
}

const textsOf =
  (fields: number) =>
  (rows: CopiedRows, n: number): (string | null)[] =>
    Array.from({ length: fields }, (_, field) => rows.text(n, field))

test('gives the rows that were written, however the bytes are cut into chunks', async () => {
  const field = option(oneof(anyText({ maxLength: 6 }), constantFrom('', '\0', '\u00ff\u00ff', '😀')))
  const tables = array(array(field, { minLength: 3, maxLength: 3 }), { maxLength: 6 })
  await assert(
    asyncProperty(tables, array(nat(200), { maxLength: 12 }), async (rows, cuts) => {
      const bytes = write(rows.map((fields) => texts(...fields)))
      const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end))
      expect(await read(chunks, 3, textsOf(3))).toEqual(rows)
    }),
  )
})

test('gives the rows that were written, byte by byte, and those of a chunk in one batch', async () => {
  const rows = [['😀\t文', null, ''], ['\\N', '\r\n\u2028', 'é'] as const]
  const bytes = write(rows.map((fields) => texts(...fields)))
  expect(
    await read(
      [...bytes].map((byte) => Buffer.from([byte])),
      3,
      textsOf(3),
    ),
  ).toEqual(rows)
  const counts: number[] = []
  for await (const batch of copiedRows(each([bytes, Buffer.alloc(0)]), 3)) counts.push(batch.count)
  expect(counts).toEqual([2])
})

test('a time is rounded down to the millisecond, in every year and beyond', async () => {
  const epoch = BigInt(Date.UTC(2000, 0)) * 1000n
  const micros = oneof(
    bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
    constantFrom(0n, -1n, 999n, 1000n, -1000n, -1001n, -62_135_596_800_000_001n, 2n ** 53n - 1n, -(2n ** 53n)),
  )
  await assert(
    asyncProperty(array(micros, { minLength: 1 }), async (times) => {
      const expected = times.map((time) =>
        Number((time + epoch - ((((time + epoch) % 1000n) + 1000n) % 1000n)) / 1000n),
      )
      const bytes = write(times.map((time) => [timestamp(time)]))
      expect(await read([bytes], 1, (rows, n) => rows.millis(n, 0))).toEqual(expected)
    }),
  )
})

test('words are signed, and true is not NULL', async () => {
  const rows: Fields[] = [
    [timestamp(-2n), Buffer.from([1])],
    [timestamp(2n ** 40n + 7n), Buffer.from([0])],
    [null, null],
  ]
  const of = (batch: CopiedRows, n: number): unknown[] =>
    batch.isNull(n, 0) ? [batch.isTrue(n, 1)] : [batch.int32(n, 0), batch.int32(n, 0, 4), batch.isTrue(n, 1)]
  expect(await read([write(rows)], 2, of)).toEqual([[-1, -2, true], [256, 7, false], [false]])
})

test.each([
  ['in the middle of a row', write([texts('a')]).subarray(0, -4)],
  ['without its end', write([texts('a')]).subarray(0, -2)],
  ['before its first row', HEADER.subarray(0, 5)],
])('a copy that ends %s is an error', async (_, bytes) => {
  await expect(read([bytes], 1, textsOf(1))).rejects.toThrow('the server ended a COPY in the middle of its rows')
})

test('a row of other fields is an error', async () => {
  await expect(read([write([texts('a', 'b')])], 1, textsOf(1))).rejects.toThrow('a row of 2 fields, not 1')
})
