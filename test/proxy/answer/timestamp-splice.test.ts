// The 24 bytes of generatedAt, replaced in a finished body: whatever the chunks, and nothing but them.
import { Readable } from 'node:stream'
import { buffer } from 'node:stream/consumers'
import fc from 'fast-check'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { documentText, STAMP_TAIL_BYTES } from '../../../src/contract/document-text.ts'
import { formatTimestamp } from '../../../src/contract/timestamp.ts'
import type { BodyData } from '../../../src/proxy/answer/prepared-body.ts'
import { stamping, stampStream } from '../../../src/proxy/answer/timestamp-splice.ts'
import { encode } from '../../../src/release/format/coding.ts'
import { bodyBytes } from '../../support/stamped-bodies.ts'

const BUILT_MS = Date.parse('2026-05-20T09:30:01.000Z')
const NOW_MS = Date.parse('2026-05-20T10:11:12.345Z')
/** The timestamp stands in the data, too: only the place near the end counts. */
const documents = fc.record({
  title: fc.string({ unit: 'grapheme', maxLength: 60 }),
  generatedAt: fc.constant(formatTimestamp(BUILT_MS)),
})
const bytesOf = (document: object, ms: number) =>
  Buffer.from(documentText({ data: [document] }, formatTimestamp(ms)), 'utf8')

const decode = { identity: (bytes: Buffer) => bytes, gzip: gunzipSync, br: brotliDecompressSync }
const CODINGS = ['identity', 'gzip', 'br'] as const
const encoded = (text: Buffer, coding: (typeof CODINGS)[number]) =>
  coding === 'identity' ? text : encode(text, STAMP_TAIL_BYTES, coding, 4)

describe('of a stream', () => {
  test.each(CODINGS)('%s: however it is cut', async (coding) => {
    const byteByByte = fc.constant(Array.from({ length: 250 }, (_, i) => i))
    const anyCuts = fc.oneof({ weight: 9, arbitrary: fc.array(fc.nat({ max: 250 }), { maxLength: 30 }) }, byteByByte)
    await fc.assert(
      fc.asyncProperty(documents, anyCuts, async (document, cuts) => {
        const whole = await encoded(bytesOf(document, BUILT_MS), coding)
        const places = [0, ...cuts.filter((cut) => cut < whole.length).sort((a, b) => a - b), whole.length]
        const chunks = places.slice(1).map((end, i) => Buffer.from(whole.subarray(places[i], end)))
        const copies = chunks.map((chunk) => Buffer.from(chunk))
        const inCoding = coding === 'identity' ? null : coding
        const stamped = await buffer(stampStream(Readable.from(chunks), whole.length, inCoding, NOW_MS))
        expect(decode[coding](stamped).toString()).toBe(bytesOf(document, NOW_MS).toString())
        expect(chunks, 'the chunks are not ours to change').toEqual(copies)
      }),
    )
  })

  test('of a source that has more bytes than were promised, or fewer: no byte too many, and no other end', async () => {
    const whole = bytesOf({ title: 'one' }, BUILT_MS)
    const stampedOf = (...chunks: Buffer[]) => stampStream(Readable.from(chunks), whole.length, null, NOW_MS)
    await expect(buffer(stampedOf(Buffer.concat([whole, whole])))).rejects.toThrow(RangeError)
    await expect(buffer(stampedOf(whole, whole))).rejects.toThrow(RangeError)
    expect(await buffer(stampedOf(whole.subarray(0, 20), whole.subarray(20, 60)))).toEqual(whole.subarray(0, 60))
  })
})

describe.each([
  ['small', 1],
  ['larger than what is written at once', 4000],
])('of a body that is %s', (_, rows) => {
  const document = { data: Array.from({ length: rows }, (__, i) => ({ i })) }
  const textAt = (ms: number): string => documentText(document, formatTimestamp(ms))

  test.each(CODINGS)('%s: a new one for each millisecond', async (coding) => {
    const text = Buffer.from(textAt(BUILT_MS))
    const given = await encoded(text, coding)
    const body = stamping()(given, coding === 'identity' ? null : coding)
    const read = (data: BodyData): string => decode[coding](bodyBytes(data)).toString('utf8')
    const first = body.at(NOW_MS)
    expect(read(first)).toBe(textAt(NOW_MS))
    expect(body.at(NOW_MS)).toBe(first)
    const second = body.at(NOW_MS + 1)
    expect(read(second)).toBe(textAt(NOW_MS + 1))
    expect(read(first), 'it may still be on its way').toBe(textAt(NOW_MS))
    expect([bodyBytes(first).length, bodyBytes(second).length]).toEqual([body.bytes, body.bytes])
  })
})

test('of several bodies in turn, also when the clock goes back: each has its own, of the moment asked for', () => {
  const stamped = stamping()
  const bodies = ['one', 'another'].map((title) => stamped(bytesOf({ title }, BUILT_MS), null))
  for (const ms of [NOW_MS, NOW_MS + 1, NOW_MS + 1, NOW_MS, NOW_MS - 3_600_000, NOW_MS])
    for (const [i, title] of ['one', 'another', 'one'].entries())
      expect(bodies[i % 2]?.at(ms)).toBe(bytesOf({ title }, ms).toString('latin1'))
})
