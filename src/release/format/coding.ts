// Owns the content codings of a snapshot: one gzip member or one br stream whose end is stored uncompressed, so that a
// fresh timestamp can be written in place. Knows neither documents nor HTTP.
import { promisify } from 'node:util'
import { brotliCompress, constants, crc32, deflateRaw, type ZlibOptions } from 'node:zlib'

export type Coding = 'br' | 'gzip'

/** At equal q-values the first one is preferred: br is smaller and no slower to make. */
export const CODINGS: readonly Coding[] = ['br', 'gzip']

export const CODING_SUFFIX: Readonly<Record<Coding, string>> = { br: '.br', gzip: '.gz' }

/** Less is not worth coding: the head of an answer is larger (docs/api.md, "Files"). */
export const MIN_CODED_BYTES = 1024

/** A stored block and an uncompressed meta-block hold at most this (RFC 1951 3.2.4, RFC 7932 9.2). */
const MAX_TAIL = 65_535

/** The first bytes of every gzip member of a release (RFC 1952 section 2.3): deflate, no name, no time, unknown system. */
export const GZIP_HEAD: Buffer = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** CRC-32 and ISIZE. */
const GZIP_TRAILER = 8

export const deflated: (bytes: Buffer, options?: ZlibOptions) => Promise<Buffer> = promisify(deflateRaw)
const brotlied = promisify(brotliCompress)

/**
 * @param tail bytes at the end that are stored uncompressed
 * @param quality of gzip 1..9, of br 0..11
 */
export async function encode(text: Buffer, tail: number, coding: Coding, quality: number): Promise<Buffer> {
  if (tail > MAX_TAIL || tail > text.length) throw new RangeError(`a tail of ${tail} bytes`)
  const head = text.subarray(0, text.length - tail)
  const end = text.subarray(text.length - tail)
  if (coding === 'gzip') {
    const body = await deflated(head, { level: quality, finishFlush: constants.Z_SYNC_FLUSH })
    return Buffer.concat([GZIP_HEAD, body, storedBlock(end), gzipTrailer(crc32(text), text.length)])
  }
  const body = await brotlied(head, {
    finishFlush: constants.BROTLI_OPERATION_FLUSH,
    params: {
      [constants.BROTLI_PARAM_QUALITY]: quality,
      [constants.BROTLI_PARAM_MODE]: constants.BROTLI_MODE_TEXT,
      [constants.BROTLI_PARAM_SIZE_HINT]: head.length,
    },
  })
  return Buffer.concat([body, uncompressedMetaBlock(end), BROTLI_END])
}

/** The last block of a deflate stream, stored: after a sync flush the stream is at a byte boundary (RFC 1951, 3.2.4). */
export function storedBlock(bytes: Buffer): Buffer {
  const head = Buffer.from([1, 0, 0, 0, 0])
  head.writeUInt16LE(bytes.length, 1)
  head.writeUInt16LE(bytes.length ^ 0xff_ff, 3)
  return Buffer.concat([head, bytes])
}

export function gzipTrailer(crc: number, bytes: number): Buffer {
  const trailer = Buffer.alloc(GZIP_TRAILER)
  trailer.writeUInt32LE(crc, 0)
  trailer.writeUInt32LE(bytes % 2 ** 32, 4)
  return trailer
}

/** Where the raw deflate stream of a .gz of a release is, and its CRC-32: it is one member without a name. */
export function deflatedIn(gzipBytes: number): { readonly from: number; readonly to: number; readonly crc: number } {
  const to = gzipBytes - GZIP_TRAILER
  return { from: GZIP_HEAD.length, to, crc: to }
}

// RFC 7932 section 9.2: ISLAST 0, MNIBBLES 4, MLEN - 1 in 16 bits, ISUNCOMPRESSED 1, padding to a byte boundary. After a
// flush the stream is at one. Without bytes there is no block.
function uncompressedMetaBlock(bytes: Buffer): Buffer {
  if (bytes.length === 0) return bytes
  const bits = ((bytes.length - 1) << 3) | (1 << 19)
  return Buffer.concat([Buffer.from([bits & 0xff, (bits >> 8) & 0xff, (bits >> 16) & 0xff]), bytes])
}

/** ISLAST 1, ISLASTEMPTY 1. */
const BROTLI_END = Buffer.from([3])

/**
 * A body, coded or not, whose tail can be replaced.
 * @param coding null = none
 * @returns makes a copy whose tail begins with other bytes: the last one may still be on its way to a slow client
 */
export function bodyTemplate(body: Buffer, coding: Coding | null, tailBytes: number): (fresh: Buffer) => Buffer {
  const end = { gzip: GZIP_TRAILER, br: BROTLI_END.length, none: 0 }[coding ?? 'none']
  const [tailAt, crcAt] = [body.length - end - tailBytes, body.length - GZIP_TRAILER]
  const tail = body.subarray(tailAt, tailAt + tailBytes)
  // CRC-32 is affine: when only the tails of two texts differ, the CRCs differ by the difference of the tails' CRCs.
  const headCrc = coding === 'gzip' ? body.readUInt32LE(crcAt) ^ crc32(tail) : null
  return (fresh) => {
    const copy = Buffer.from(body)
    fresh.copy(copy, tailAt)
    if (headCrc !== null) copy.writeUInt32LE((headCrc ^ crc32(copy.subarray(tailAt, tailAt + tailBytes))) >>> 0, crcAt)
    return copy
  }
}
