// One gzip member and one br stream whose end is replaced in place: whatever the text, decoders read exactly the text.
import { execFileSync } from 'node:child_process'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bodyTemplate, CODINGS, encode, type Coding } from '../../../src/release/format/coding.ts'
import { codedFault, memberFault } from '../../support/coded-fault.ts'

const DECODE: Readonly<Record<Coding, (bytes: Buffer) => Buffer>> = { gzip: gunzipSync, br: brotliDecompressSync }

/** From nothing over the edges of a stored block to what does not compress. */
const texts = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .tuple(fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }), fc.nat({ max: 5000 }))
    .map(([text, times]) => Buffer.from(text.repeat(times), 'utf8')),
)

describe.each(CODINGS)('%s', (coding) => {
  test('decodes to the text, however long its tail', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.nat({ max: 65_535 }),
        fc.integer({ min: 1, max: 9 }),
        async (text, wanted, quality) => {
          const coded = await encode(text, Math.min(wanted, text.length), coding, quality)
          expect(DECODE[coding](coded).equals(text)).toBe(true)
        },
      ),
    )
  })

  test('with bytes of its tail replaced decodes to the text with these bytes', async () => {
    await fc.assert(
      fc.asyncProperty(
        texts,
        fc.uint8Array({ minLength: 24, maxLength: 24 }),
        fc.uint8Array({ maxLength: 40 }),
        fc.uint8Array({ minLength: 24, maxLength: 24 }),
        async (head, stamp, end, fresh) => {
          const text = (with_: Uint8Array): Buffer => Buffer.concat([head, with_, end])
          const tail = stamp.length + end.length
          const coded = await encode(text(stamp), tail, coding, 4)
          const template = bodyTemplate(coded, coding, tail)
          const body = template(Buffer.from(fresh))
          expect(body.length).toBe(coded.length)
          expect(DECODE[coding](body).equals(text(fresh))).toBe(true)
          expect(DECODE[coding](template(Buffer.from(stamp))).equals(text(stamp)), 'the template is untouched').toBe(
            true,
          )
        },
      ),
    )
  })

  test('decodes to the text at every edge: no bytes, one, what a stored block holds, the windows', async () => {
    for (const bytes of [0, 1, 2, 32_768, 65_535, 65_536, 65_577, 1 << 17, 1 << 20])
      for (const tail of [0, 1, 42, 65_534, 65_535].filter((most) => most <= bytes)) {
        const text = Buffer.alloc(bytes, '{"title":"More benches"},')
        const coded = await encode(text, tail, coding, 4)
        expect([bytes, tail, codedFault(coded, coding, text, '')]).toEqual([bytes, tail, null])
        if (coding === 'gzip') expect([bytes, tail, memberFault(coded)]).toEqual([bytes, tail, null])
      }
  })

  test('is smaller than text that repeats itself', async () => {
    const text = Buffer.from('{"title":"More benches"},'.repeat(1000))
    expect((await encode(text, 42, coding, 4)).length).toBeLessThan(text.length / 20)
  })

  test('rejects a tail that no block can hold, or that is longer than the text', async () => {
    await expect(encode(Buffer.alloc(70_000), 65_536, coding, 4)).rejects.toThrow(RangeError)
    await expect(encode(Buffer.alloc(3), 4, coding, 4)).rejects.toThrow(RangeError)
  })
})

test('the gzip program takes it for one whole member', async () => {
  const text = Buffer.from(
    '{"title":"More benches","generatedAt":"2024-01-01T00:00:00.000Z","version":"1.0"}'.repeat(99),
  )
  const coded = await encode(text, 42, 'gzip', 6)
  execFileSync('gzip', ['-t'], { input: coded })
  expect(execFileSync('gzip', ['-dc'], { input: coded }).equals(text)).toBe(true)
  // A member more, or rubbish behind it, would be found out.
  expect(() => execFileSync('gzip', ['-t'], { input: coded.subarray(0, -1), stdio: 'pipe' })).toThrow()
})
