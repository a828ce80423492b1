// Owns proving that the compressed siblings of a file decode to that file, in constant memory.
import { createHash } from 'node:crypto'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { brotliDecompressSync, createBrotliDecompress, createGunzip, gunzipSync, type ZlibOptions } from 'node:zlib'
import { CODINGS, type Coding } from '../format/coding.ts'
import { siblingOf, type FileBytes, type ManifestFile } from '../format/manifest.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { FileReading } from './file-reading.ts'
import type { FoundFaults } from './found-faults.ts'

export async function siblingFaults(
  release: FoundRelease,
  file: ManifestFile,
  foundFaults: FoundFaults,
): Promise<string[]> {
  const faults: string[] = []
  for (const coding of release.reader.siblings ? CODINGS : []) {
    const sibling = siblingOf(file, coding)
    if (sibling === null) continue
    const found = await foundFaults.unlessUnread(() => storedFaults(release, sibling, coding, file, foundFaults))
    faults.push(...(found ?? []))
  }
  return faults
}

async function storedFaults(
  release: FoundRelease,
  sibling: FileBytes,
  coding: Coding,
  file: ManifestFile,
  foundFaults: FoundFaults,
): Promise<string[]> {
  const reading = FileReading.of(release, sibling)
  try {
    const same = await decodesTo(reading, coding, file)
    const faults = await reading.faults()
    foundFaults.bytes += reading.bytes
    return faults.length > 0 || same ? faults : [`${sibling.path}: it does not decode to ${file.path}`]
  } finally {
    await reading.close()
  }
}

/** Smaller files are decoded at once: a zlib stream costs more than the decoding. */
const AT_ONCE_BYTES = 1 << 20

/** What a decoder gives with `info`. */
interface Decoded {
  readonly buffer: Buffer
  readonly engine: { readonly bytesWritten: number }
}
const AT_ONCE: Readonly<Record<Coding, (bytes: Buffer, options: ZlibOptions) => unknown>> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
}
const STREAM: Readonly<Record<Coding, (options: ZlibOptions) => Transform & { readonly bytesWritten: number }>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
}

/** Reads coded bytes to their end. Decoding stops as soon as the text is longer than the snapshot. */
async function decodesTo(coded: FileReading, coding: Coding, snapshot: FileBytes): Promise<boolean> {
  const small = Math.max(snapshot.bytes, coded.file.bytes) <= AT_ONCE_BYTES
  const same = await (small ? atOnce(coded, coding, snapshot) : inPieces(coded, coding, snapshot))
  while ((await coded.next()) !== null);
  return same
}

async function atOnce(coded: FileReading, coding: Coding, { bytes, sha256 }: FileBytes): Promise<boolean> {
  const pieces: Buffer[] = []
  for await (const piece of coded) {
    pieces.push(piece)
    if (coded.bytes > AT_ONCE_BYTES) return false
  }
  try {
    const { buffer, engine } = AT_ONCE[coding](Buffer.concat(pieces), {
      maxOutputLength: bytes + 1,
      info: true,
    }) as Decoded
    // A decoder ignores bytes after the end of its stream.
    if (engine.bytesWritten !== coded.bytes || buffer.length !== bytes) return false
    return createHash('sha256').update(buffer).digest('hex') === sha256
  } catch {
    return false
  }
}

async function inPieces(coded: FileReading, coding: Coding, { bytes, sha256 }: FileBytes): Promise<boolean> {
  const hash = createHash('sha256')
  const decoder = STREAM[coding]({ chunkSize: 1 << 18 })
  let decoded = 0
  try {
    await pipeline(coded, decoder, async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) {
        decoded += piece.length
        if (decoded > bytes) throw new RangeError('longer than the snapshot')
        hash.update(piece)
      }
    })
  } catch (error) {
    // Bytes that do not decode are a result, and zlib has a code for each; an error without one is a fault of the program.
    if (decoded <= bytes && (error as NodeJS.ErrnoException).code === undefined) throw error
    return false
  }
  while ((await coded.next()) !== null);
  return decoder.bytesWritten === coded.bytes && decoded === bytes && hash.digest('hex') === sha256
}
