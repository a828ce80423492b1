// Owns which bytes of a file a request asks for: one range of bytes, RFC 9110 section 14. Pure.
import type { ByteRange } from '../../release/reading/release-reader.ts'

/** The bytes that are asked for of a file of `bytes` bytes; null = it has none of them (416). */
export type AskedRange = (bytes: number) => ByteRange | null

// int-range and suffix-range (section 14.1.2). Fifteen digits are an exact number here and in nginx.conf, which has the same
// pattern. The rest (other units, several ranges, longer numbers) may be ignored (section 14.2), and is.
const ONE_RANGE = /^bytes=(?:(\d{1,15})-(\d{0,15})|-(\d{1,15}))$/i

/** The range that a header asks for, `a-b`, `a-` or the last bytes, before the length is known; null = the whole file. */
export function parseRange(header = ''): AskedRange | null {
  const [found, first = '', last, suffix] = ONE_RANGE.exec(header) ?? []
  const [from, to] = [Number(first), Number(last || Infinity)]
  // A range that ends before it begins is invalid, so it is ignored (section 14.1.1).
  if (found === undefined || to < from) return null
  return (bytes) => {
    const range = { first: first === '' ? Math.max(0, bytes - Number(suffix)) : from, last: Math.min(to, bytes - 1) }
    return range.first <= range.last ? range : null
  }
}
