// Owns which bytes of a file a request asks for: one range of bytes, RFC 9110 section 14. Pure.
import type { ByteRange } from '../../release/reading/release-reader.ts'

/** A range as a client sends it, before the length of the file is known: `a-b`, `a-` or the last `suffix` bytes. */
export type AskedRange = { readonly first: number; readonly last: number } | { readonly suffix: number }

// int-range and suffix-range (section 14.1.2). Fifteen digits are an exact number here and in nginx.conf, which has the same
// pattern. The rest (other units, several ranges, longer numbers) may be ignored (section 14.2), and is.
const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/** The range that a header asks for; null = the whole file. */
export function parseRange(header: string | undefined): AskedRange | null {
  const found = header === undefined ? null : ONE_RANGE.exec(header)
  if (found === null) return null
  const [, first, last = '', suffix] = found
  if (first === undefined) return { suffix: Number(suffix) }
  const range = { first: Number(first), last: last === '' ? Infinity : Number(last) }
  // Such a range is invalid, so it is ignored (section 14.1.1).
  return range.last < range.first ? null : range
}

/** The bytes of a file of `bytes` bytes; null = it has none of them (416). */
export function rangeWithin(asked: AskedRange, bytes: number): ByteRange | null {
  const [first, last] =
    'suffix' in asked
      ? [Math.max(0, bytes - asked.suffix), asked.suffix === 0 ? -1 : Infinity]
      : [asked.first, asked.last]
  const range = { first, last: Math.min(last, bytes - 1) }
  return range.first <= range.last ? range : null
}
