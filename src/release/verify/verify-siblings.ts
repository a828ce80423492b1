// Owns proving that the compressed siblings of a file decode to that file, in constant memory.
import { createHash } from 'node:crypto'
import type { Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip, type ZlibOptions } from 'node:zlib'
import { CODINGS, type Coding } from '../format/coding.ts'
import { siblingOf, type FileBytes, type ManifestFile } from '../format/manifest.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import type { FileReading, FoundFaults } from './file-reading.ts'

/** Notes what is wrong with them, where there are any that can be read. */
export async function verifySiblings(release: FoundRelease, file: ManifestFile, found: FoundFaults): Promise<void> {
  for (const coding of release.reader.siblings ? CODINGS : []) {
    const sibling = siblingOf(file, coding)
    if (sibling === null) continue
    const isSame = await found.whole(release, sibling, (coded) => decodesTo(coded, coding, file), file.path)
    if (isSame === false) found.note(file.path, `${sibling.path}: it does not decode to ${file.path}`)
  }
}

type Decoder = Transform & { readonly bytesWritten: number }

const STREAM: Readonly<Record<Coding, (options: ZlibOptions) => Decoder>> = {
  gzip: createGunzip,
  br: createBrotliDecompress,
}

/** Reads coded bytes to their end. */
async function decodesTo(coded: FileReading, coding: Coding, { bytes, sha256 }: FileBytes): Promise<boolean> {
  const hash = createHash('sha256')
  // Most are small, and a decoder takes as much memory as its chunks.
  const decoder = STREAM[coding]({ chunkSize: Math.min(1 << 18, Math.max(64, bytes)) })
  const used = await decodedBy(decoder, coded.pieces(), bytes, (piece) => hash.update(piece))
  while ((await coded.next()) !== null);
  // A decoder ignores bytes after the end of its stream.
  return used === coded.bytes && hash.digest('hex') === sha256
}

/**
 * Decoding stops as soon as there is more than there must be.
 * @returns how many of the coded bytes were decoded; null = they do not give so many bytes
 */
export async function decodedBy(
  decoder: Decoder,
  coded: AsyncIterable<Buffer>,
  bytes: number,
  take: (piece: Buffer) => void,
): Promise<number | null> {
  let decoded = 0
  try {
    await pipeline(coded, decoder, async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) {
        decoded += piece.length
        if (decoded > bytes) throw new RangeError('longer than the snapshot')
        take(piece)
      }
    })
  } catch (error) {
    // Bytes that do not decode are a result, and zlib has a code for each; an error without one is a fault of the program.
    if (decoded <= bytes && (error as NodeJS.ErrnoException).code === undefined) throw error
    return null
  }
  return decoded === bytes ? decoder.bytesWritten : null
}
