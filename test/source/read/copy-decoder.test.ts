import { array, assert, bigInt, constantFrom, nat, oneof, option, property } from 'fast-check'
import { expect, test } from 'vitest'
import { CopiedRows } from '../../../src/source/read/copy-decoder.ts'
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
/** PostgreSQL manual, "Message Formats". */
const message = (code: string, content: Buffer): Buffer =>
  Buffer.concat([Buffer.from(code), int(4 + content.length, 4), content])
const OTHERS = [message('H', int(1, 3)), message('N', Buffer.from('d\0c\0\0'))]
const DONE = message('c', Buffer.alloc(0))
const inMessages = (...contents: readonly Buffer[]): Buffer =>
  Buffer.concat([...OTHERS, ...contents.map((content) => message('d', content)), DONE])
/** As PostgreSQL sends them: the header with the first row. */
const write = (rows: readonly Fields[]): Buffer => {
  const [first, ...others] = [...rows.map(row), TRAILER]
  return inMessages(Buffer.concat([HEADER, first]), ...others)
}
const texts = (...fields: (string | null)[]): Fields =>
  fields.map((field) => (field === null ? null : Buffer.from(field)))
const timestamp = (micros: bigint): Buffer => {
  const written = Buffer.alloc(8)
  written.writeBigInt64BE(micros)
  return written
}

function read<T>(chunks: readonly Buffer[], fields: number, of: (rows: CopiedRows, n: number) => T): T[] {
  const rows = new CopiedRows(fields)
  const found: T[] = []
  for (const chunk of chunks) {
    const rest = rows.next(chunk)
    for (let n = 0; n < rows.count; n++) found.push(of(rows, n))
    if (rest !== null) break
  }
  return found
}

const textsOf =
  (fields: number) =>
  (rows: CopiedRows, n: number): (string | null)[] =>
    Array.from({ length: fields }, (_, field) => rows.text(n, field))

test('gives the rows that were written, however the bytes are cut into chunks', async () => {
  const field = option(oneof(anyText({ maxLength: 6 }), constantFrom('', '\0', '\u00ff\u00ff', '😀')))
  const tables = array(array(field, { minLength: 3, maxLength: 3 }), { maxLength: 6 })
  assert(
    property(tables, array(nat(200), { maxLength: 12 }), (rows, cuts) => {
      const bytes = write(rows.map((fields) => texts(...fields)))
      const edges = [0, ...cuts.filter((cut) => cut < bytes.length).sort((a, b) => a - b), bytes.length]
      const chunks = edges.slice(1).map((end, i) => bytes.subarray(edges[i], end))
      expect(read(chunks, 3, textsOf(3))).toEqual(rows)
    }),
  )
})

test('gives the rows that were written, byte by byte, and those of a chunk in one batch', () => {
  const rows = [['😀\t文', null, ''], ['\\N', '\r\n\u2028', 'é'] as const]
  const bytes = write(rows.map((fields) => texts(...fields)))
  const each = [...bytes].map((byte) => Buffer.from([byte]))
  expect(read(each, 3, textsOf(3))).toEqual(rows)
  const batch = new CopiedRows(3)
  batch.next(bytes)
  expect(batch.count).toBe(2)
})

test.each([
  ['the header', [HEADER, row(texts('a')), TRAILER]],
  ['nothing but the header and the end', [Buffer.concat([HEADER, TRAILER])]],
])('a message with %s is no row', (_, contents) => {
  expect(read([inMessages(...contents)], 1, textsOf(1))).toEqual(contents.length === 1 ? [] : [['a']])
})

test.each(['c', 'E'])('what follows the rows from %s on is left to the client', (code) => {
  const after = Buffer.concat([message(code, Buffer.from('x')), message('Z', Buffer.from('T'))])
  const rows = new CopiedRows(1)
  const bytes = write([texts('a')])
  expect(rows.next(bytes.subarray(0, -DONE.length))).toBeNull()
  expect([rows.count, rows.isEnded]).toEqual([1, true])
  expect(rows.next(after.subarray(0, 7))?.equals(after.subarray(0, 7))).toBe(true)
  const together = new CopiedRows(1)
  expect(together.next(Buffer.concat([bytes.subarray(0, -DONE.length), after]))?.equals(after)).toBe(true)
  expect(together.count).toBe(1)
})

test('a time is rounded down to the millisecond, in every year and beyond', async () => {
  const epoch = BigInt(Date.UTC(2000, 0)) * 1000n
  const micros = oneof(
    bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }),
    bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
    constantFrom(0n, -1n, 999n, 1000n, -1000n, -1001n, -62_135_596_800_000_001n, 2n ** 53n - 1n, -(2n ** 53n)),
  )
  assert(
    property(array(micros, { minLength: 1 }), (times) => {
      const expected = times.map((time) =>
        Number((time + epoch - ((((time + epoch) % 1000n) + 1000n) % 1000n)) / 1000n),
      )
      const bytes = write(times.map((time) => [timestamp(time)]))
      expect(read([bytes], 1, (rows, n) => rows.millis(n, 0))).toEqual(expected)
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
  expect(read([write(rows)], 2, of)).toEqual([[-1, -2, true], [256, 7, false], [false]])
})

test('a copy without its end has not ended', () => {
  const rows = new CopiedRows(1)
  rows.next(inMessages(Buffer.concat([HEADER, row(texts('a'))])))
  expect([rows.count, rows.isEnded]).toEqual([1, false])
})

test.each([
  ['of other fields', [texts('a', 'b')].map(row), 'a row of 2 fields, not 1'],
  ['that goes on in another message', [row(texts('abc')).subarray(0, -1), Buffer.from('c')], 'a message of 8 bytes'],
  [
    'with another behind it',
    [Buffer.concat([row(texts('a')), row(texts('b'))])],
    'a message of 14 bytes that is not one',
  ],
])('a row %s is an error', (_, contents, why) => {
  expect(() => read([inMessages(HEADER, ...contents)], 1, textsOf(1))).toThrow(why)
})
