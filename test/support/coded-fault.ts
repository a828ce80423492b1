// What zlib finds wrong with a coded body: another text, something behind its end, more members than one.
import { brotliDecompressSync, crc32, gunzipSync, inflateRawSync } from 'node:zlib'
import type { Coding } from '../../src/release/format/coding.ts'

interface Decoded {
  readonly text: Buffer
  /** How much of the body the decoder took: less means that something follows its end. */
  readonly consumed: number
}

/** `info` makes zlib say how much it read; @types/node does not know it. */
type WithInfo = (bytes: Buffer, options: object) => unknown

function decode(body: Buffer, with_: WithInfo): Decoded {
  const { buffer, engine } = with_(body, { info: true }) as { buffer: Buffer; engine: { bytesWritten: number } }
  return { text: buffer, consumed: engine.bytesWritten }
}

const DECODERS: Readonly<Record<Coding, WithInfo>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}

/** RFC 1952 section 2.3 without optional fields: 10 bytes, one deflate stream, CRC-32, size. */
export function memberFault(body: Buffer): string | null {
  if (body.readUInt32BE(0) !== 0x1f_8b_08_00) return 'no member without optional fields begins here'
  // gunzip goes on to a next member, a raw inflate does not: it says where the first one ends.
  const { text, consumed } = decode(body.subarray(10), inflateRawSync)
  if (consumed !== body.length - 18) return `its deflate stream ends ${body.length - 18 - consumed} bytes early`
  if (body.readUInt32LE(body.length - 8) !== crc32(text)) return 'its CRC-32 is of another text'
  return body.readUInt32LE(body.length - 4) === text.length ? null : 'its size is of another text'
}

/** Why a body is not one whole member or stream of `head` and `tail`, to the last byte; null = it is. */
export function codedFault(body: Buffer, coding: Coding, head: Buffer, tail: string): string | null {
  const { text, consumed } = decode(body, DECODERS[coding])
  if (consumed !== body.length) return `${body.length - consumed} bytes follow the end`
  if (text.length !== head.length + tail.length) return `${text.length} bytes, not ${head.length + tail.length}`
  if (text.toString('latin1', head.length) !== tail) return `ends in ${text.toString('latin1', head.length)}`
  return text.subarray(0, head.length).equals(head) ? null : 'the head is another one'
}
