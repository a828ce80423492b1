// Owns finished bodies: the form that node:http writes fastest, and a text that stays as it is, in every coding. Knows no headers.
import { hash } from 'node:crypto'
import { remembering } from '../../process/remembering.ts'
import { encode, type Coding } from '../../release/format/coding.ts'

/** Bytes, or the same bytes as a latin1 string. */
export type BodyData = Buffer | string

/** A finished body, to be sent any number of times; JSON of a release gets the time of each answer. */
export interface PreparedBody {
  readonly bytes: number
  /** null = identity. */
  readonly coding: Coding | null
  at(nowMs: number): BodyData
}

/** A body that has the same bytes at any moment. */
export function fixedBody(bytes: Buffer, coding: Coding | null = null): PreparedBody {
  const data = bodyDataOf(bytes)
  return { bytes: bytes.length, coding, at: () => data }
}

/** The size of libuv's buffer on the stack: what fits is copied there and written at once, together with the head. */
const ONE_WRITE_BYTES = 16 * 1024

/**
 * node:http joins a head and a text into one write, but writes a head and a Buffer as two parts (7 % of a request).
 * Larger bodies stay as they are.
 */
export function bodyDataOf(bytes: Buffer): BodyData {
  return bytes.length <= ONE_WRITE_BYTES ? bytes.toString('latin1') : bytes
}

/**
 * Both qualities are fast; a variant is coded once per release, off the main thread. Measured on trending, limit 20 (8
 * KiB): gzip 4 takes 0.2 ms for 1.9 KiB, gzip 6 0.3 ms for 1.8; br 4 0.3 ms for 1.7.
 */
export const CODING_QUALITY: Readonly<Record<Coding, number>> = { gzip: 4, br: 4 }

/**
 * A text by its coding; null = none. The hash is that of the coded bytes, for a strong ETag: they differ from one zlib to another.
 * @param make called when the text is first asked for
 */
export function codedText(make: () => string) {
  let plain: Buffer | undefined
  return remembering(async (coding: Coding | null): Promise<{ readonly body: PreparedBody; readonly hash: string }> => {
    plain ??= Buffer.from(make(), 'utf8')
    const bytes = coding === null ? plain : await encode(plain, 0, coding, CODING_QUALITY[coding])
    return { body: fixedBody(bytes, coding), hash: hash('sha256', bytes) }
  })
}
