// Owns writing a ZIP archive of files of a release: what their .gz hold is copied, nothing is compressed again. Knows
// neither which files nor what is in them.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { deflatedIn, MIN_CODED_BYTES } from '../format/coding.ts'
import { siblingOf, type ManifestFile } from '../format/manifest.ts'
import {
  DEFLATED,
  directoryEntry,
  dosTime,
  endOfDirectory,
  fits,
  localHeader,
  STORED,
  zipContentHash,
  type ZipEntry,
} from '../format/zip.ts'
import { readBack } from './read-back.ts'
import type { UncodedStream } from './uncoded-stream.ts'

/** A file of the archive that is no file of the release. */
export interface ZipText {
  readonly name: string
  readonly text: string
}

interface Source extends Omit<ZipEntry, 'time'> {
  /** The sha256 of its content. */
  readonly sha256: string
  readonly pieces: () => Iterable<Buffer>
}

export interface ZipSources {
  /** Of the release that is being written. */
  readonly folder: string
  readonly files: readonly ManifestFile[]
  readonly texts: readonly ZipText[]
  /** Of all entries. */
  readonly timeMs: number
}

/** In the order of their names: the same files give the same archive. Nothing is written of what is too large for one. */
export async function writeZip(
  out: Pick<UncodedStream, 'write' | 'end'>,
  { folder, files, texts, timeMs }: ZipSources,
): Promise<void> {
  const sources = [...files.map((file) => fileSource(folder, file)), ...texts.map(textSource)].sort((a, b) =>
    a.name < b.name ? -1 : 1,
  )
  if (!fits(sources)) return
  const time = dosTime(timeMs)
  const directory: Buffer[] = []
  let offset = 0
  const write = async (bytes: Buffer): Promise<void> => {
    offset += bytes.length
    await out.write(bytes)
  }
  for (const source of sources) {
    directory.push(directoryEntry({ ...source, time }, offset))
    await write(localHeader({ ...source, time }))
    for (const piece of source.pieces()) await write(piece)
  }
  const listed = Buffer.concat(directory)
  await write(Buffer.concat([listed, endOfDirectory(sources.length, { offset, bytes: listed.length })]))
  await out.end({ rows: null, contentHash: zipContentHash(sources) })
}

function textSource({ name, text }: ZipText): Source {
  const bytes = Buffer.from(text, 'utf8')
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const method = bytes.length < MIN_CODED_BYTES ? STORED : DEFLATED
  const coded = method === STORED ? bytes : deflateRawSync(bytes)
  const sizes = { crc: crc32(bytes), bytes: bytes.length, codedBytes: coded.length }
  return { name, sha256, method, ...sizes, pieces: () => [coded] }
}

function fileSource(folder: string, file: ManifestFile): Source {
  const { path: name, bytes, sha256 } = file
  const sibling = siblingOf(file, 'gzip')
  if (sibling === null) {
    const path = join(folder, name)
    const pieces = (): Iterable<Buffer> => readBack(path, 0, bytes)
    let crc = 0
    for (const piece of pieces()) crc = crc32(piece, crc)
    return { name, sha256, method: STORED, crc, bytes, codedBytes: bytes, pieces }
  }
  const path = join(folder, sibling.path)
  const { from, to, crc } = deflatedIn(sibling.bytes)
  const trailer = Buffer.concat([...readBack(path, crc, crc + 4)])
  return {
    name,
    sha256,
    method: DEFLATED,
    crc: trailer.readUInt32LE(0),
    bytes,
    codedBytes: to - from,
    pieces: () => readBack(path, from, to),
  }
}
