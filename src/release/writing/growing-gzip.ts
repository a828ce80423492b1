// Owns a .gz that grows with its snapshot, its last bytes uncompressed. Knows neither snapshot nor manifest.
import { constants, crc32, createDeflateRaw, type DeflateRaw } from 'node:zlib'
import { GZIP_HEAD, gzipTrailer, storedBlock } from '../format/coding.ts'
import type { CodedFile } from '../format/manifest.ts'
import type { GrowingFile } from './growing-file.ts'

/** The size of zlib's chunks. Its default, 16 KiB, would make four times as many. */
const ZLIB_CHUNK_BYTES = 64 * 1024

/** The compression runs on zlib's thread while the next rows are formatted. */
export class GrowingGzip {
  readonly #file: GrowingFile
  readonly #deflate: DeflateRaw
  /** The last bytes, which may be the tail. */
  #buffered: Buffer = Buffer.alloc(0)
  #crc = 0
  #bytes = 0
  /** When the bytes given last are compressed. */
  #compressed: Promise<void> = Promise.resolve()
  readonly #written: Promise<void>

  constructor(file: GrowingFile, level: number) {
    this.#file = file
    this.#deflate = createDeflateRaw({
      level,
      chunkSize: ZLIB_CHUNK_BYTES,
      // Ends at a byte boundary without a last block: that is the stored one with the tail.
      finishFlush: constants.Z_SYNC_FLUSH,
    })
    this.#written = this.#pump()
    // The next write reports it; until then it must not be an unhandled rejection.
    this.#written.catch(() => {})
  }

  async #pump(): Promise<void> {
    await this.#file.write(GZIP_HEAD)
    for await (const chunk of this.#deflate as AsyncIterable<Buffer>) await this.#file.write(chunk)
  }

  /**
   * Begins to compress. The bytes before are compressed when this returns: two buffers that alternate are enough.
   * @param tail how many bytes the tail will have
   */
  async write(bytes: Buffer, tail: number): Promise<void> {
    // A stream that is destroyed while nobody reads from it never calls back its writer: hence the race.
    await Promise.race([this.#compressed, this.#written])
    // The compression ends early only when the file could not be written.
    if (this.#deflate.destroyed) return this.#written
    // zlib's crc32 of no bytes is 0, whatever the value before.
    if (bytes.length === 0) return
    this.#crc = crc32(bytes, this.#crc)
    this.#bytes += bytes.length
    const ready = Math.max(0, this.#buffered.length + bytes.length - tail)
    const ofBuffered = this.#buffered.subarray(0, ready)
    const ofBytes = bytes.subarray(0, ready - ofBuffered.length)
    // A copy: the caller writes to its memory again.
    this.#buffered = Buffer.concat([this.#buffered.subarray(ofBuffered.length), bytes.subarray(ofBytes.length)])
    if (ofBuffered.length > 0) this.#deflate.write(ofBuffered)
    if (ofBytes.length > 0) this.#compressed = new Promise((resolve) => this.#deflate.write(ofBytes, () => resolve()))
  }

  async end(): Promise<CodedFile> {
    this.#deflate.end()
    await this.#written
    await this.#file.write(Buffer.concat([storedBlock(this.#buffered), gzipTrailer(this.#crc, this.#bytes)]))
    return this.#file.end()
  }

  async close(): Promise<void> {
    this.#deflate.destroy()
    await this.#file.close()
  }
}
