// Owns finished bodies, and the form that node:http writes fastest. Knows no headers.
import type { Coding } from '../../release/format/coding.ts'

/** Bytes, or the same bytes as a latin1 string. */
export type BodyData = Buffer | string

/** Finished, to be sent any number of times; JSON of a release gets the time of each answer. */
export interface PreparedBody {
  readonly kind: 'prepared'
  readonly bytes: number
  /** null = identity. */
  readonly coding: Coding | null
  at(nowMs: number): BodyData
}

/** The same bytes at any moment. */
export function fixedBody(bytes: Buffer, coding: Coding | null = null): PreparedBody {
  const data = bodyDataOf(bytes)
  return { kind: 'prepared', bytes: bytes.length, coding, at: () => data }
}

/** Of libuv's buffer on the stack: what fits is copied there and written at once, together with the head. */
const ONE_WRITE_BYTES = 16 * 1024

/**
 * node:http joins a head and a text into one write, but writes a head and a Buffer as two parts (7 % of a request).
 * Larger bodies stay as they are.
 */
export function bodyDataOf(bytes: Buffer): BodyData {
  return bytes.length <= ONE_WRITE_BYTES ? bytes.toString('latin1') : bytes
}
