// Owns writing a ZIP archive of files of a release, or of parts beside it: what their .gz hold is copied, nothing is compressed again.
// Knows neither which files nor what is in them.
import { createHash, hash } from 'node:crypto'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { deflated, deflatedIn } from '../format/coding.ts'
import { siblingOf, type ManifestFile } from '../format/manifest.ts'
import { directoryEntry, dosTime, endOfDirectory, fits, isStored, localHeader } from '../format/zip-format.ts'
import { readBack } from './growing-file.ts'
import type { SnapshotStream } from './snapshot-writer.ts'

/** An entry without its time; `sha256` is that of its content. */
type Source = Awaited<ReturnType<typeof fileSource>>

export interface ZipSources {
  /** The folder of the release that is being written. */
  readonly folder: string
  /** By default an entry has the path of its file as a name. */
  readonly files: readonly (ManifestFile & { readonly name?: string })[]
  /** Entries that are no files of the release. */
  readonly texts: readonly Readonly<Record<'name' | 'text', string>>[]
  /** The time of all entries. */
  readonly timeMs: number
  /** Of the archive; null = it has many tables. */
  readonly rows?: number | null
}

/** Entries are in the order of their names: the same files give the same archive. Where they are too large for one, none is written. */
export async function writeZip(
  out: SnapshotStream,
  { folder, files, texts, timeMs, rows = null }: ZipSources,
): Promise<void> {
  const sources: Source[] = []
  for (const file of files) sources.push(await fileSource(folder, file))
  for (const { name, text } of texts) sources.push(await bytesSource(name, Buffer.from(text)))
  sources.sort((a, b) => (a.name < b.name ? -1 : 1))
  if (!fits(sources)) return
  const time = dosTime(timeMs)
  const directory: Buffer[] = []
  let offset = 0
  const write = async (bytes: Buffer): Promise<void> => {
    offset += bytes.length
    out.write(bytes)
    await out.drain()
  }
  for (const source of sources) {
    directory.push(directoryEntry({ ...source, time }, offset))
    await write(localHeader({ ...source, time }))
    for (const piece of source.pieces()) await write(piece)
  }
  const listed = Buffer.concat(directory)
  await write(Buffer.concat([listed, endOfDirectory(sources.length, { offset, bytes: listed.length })]))
  // Over names and contents: another version of zlib compresses the same into other bytes.
  const content = createHash('sha256')
  for (const { name, sha256 } of sources) content.update(`${name}\t${sha256}\n`)
  await out.end({ rows, contentHash: content.digest('hex') })
}

async function bytesSource(name: string, bytes: Buffer) {
  const sha256 = hash('sha256', bytes)
  const coded = isStored(bytes.length) ? bytes : await deflated(bytes)
  const sizes = { crc: crc32(bytes), bytes: bytes.length, codedBytes: coded.length }
  return { name, sha256, ...sizes, pieces: () => [coded] }
}

async function fileSource(folder: string, file: ZipSources['files'][number]) {
  const { path: plain, name = plain, bytes, sha256 } = file
  const sibling = siblingOf(file, 'gzip')
  // A piece is overwritten by the next.
  const copies = (): Buffer[] => Array.from(readBack(join(folder, plain), 0, bytes), (piece) => Buffer.from(piece))
  // Too small for one, or there is to be none.
  if (sibling === null) return bytesSource(name, Buffer.concat(copies()))
  const path = join(folder, sibling.path)
  const { from, to, crc } = deflatedIn(sibling.bytes)
  const [trailer = Buffer.alloc(0)] = readBack(path, crc, crc + 4)
  return {
    name,
    sha256,
    crc: trailer.readUInt32LE(0),
    bytes,
    codedBytes: to - from,
    pieces: () => readBack(path, from, to),
  }
}
