// Owns writing a ZIP archive of files of a release (APPNOTE 6.3.10, without ZIP64): what their .gz hold is copied, nothing is
// compressed again. Knows neither which files nor what is in them.
import { createHash } from 'node:crypto'
import { join } from 'node:path'
import { crc32, deflateRawSync } from 'node:zlib'
import { deflatedIn, MIN_CODED_BYTES } from '../format/coding.ts'
import { siblingOf, type ManifestFile } from '../format/manifest.ts'
import { readBack } from './growing-file.ts'
import type { SnapshotStream } from './snapshot-writer.ts'

const STORED = 0
const DEFLATED = 8

interface Source extends Omit<ZipEntry, 'time'> {
  /** The sha256 of its content. */
  readonly sha256: string
  readonly pieces: () => Iterable<Buffer>
}

export interface ZipSources {
  /** Of the release that is being written. */
  readonly folder: string
  readonly files: readonly ManifestFile[]
  /** That are no files of the release. */
  readonly texts: readonly Readonly<Record<'name' | 'text', string>>[]
  /** Of all entries. */
  readonly timeMs: number
}

/** In the order of their names: the same files give the same archive. Nothing is written of what is too large for one. */
export async function writeZip(out: SnapshotStream, { folder, files, texts, timeMs }: ZipSources): Promise<void> {
  const sources = [
    ...files.map((file) => fileSource(folder, file)),
    ...texts.map(({ name, text }) => bytesSource(name, Buffer.from(text))),
  ].sort((a, b) => (a.name < b.name ? -1 : 1))
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
  await out.end({ rows: null, contentHash: content.digest('hex') })
}

function bytesSource(name: string, bytes: Buffer): Source {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const method = methodOf(bytes.length)
  const coded = method === STORED ? bytes : deflateRawSync(bytes)
  const sizes = { crc: crc32(bytes), bytes: bytes.length, codedBytes: coded.length }
  return { name, sha256, method, ...sizes, pieces: () => [coded] }
}

function fileSource(folder: string, file: ManifestFile): Source {
  const { path: name, bytes, sha256 } = file
  const sibling = siblingOf(file, 'gzip')
  // Too small for one. A piece is overwritten by the next.
  if (sibling === null)
    return bytesSource(
      name,
      Buffer.concat(Array.from(readBack(join(folder, name), 0, bytes), (piece) => Buffer.from(piece))),
    )
  const path = join(folder, sibling.path)
  const { from, to, crc } = deflatedIn(sibling.bytes)
  const [trailer = Buffer.alloc(0)] = readBack(path, crc, crc + 4)
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

function methodOf(bytes: number): ZipEntry['method'] {
  return bytes < MIN_CODED_BYTES ? STORED : DEFLATED
}

interface ZipEntry {
  readonly name: string
  readonly method: typeof STORED | typeof DEFLATED
  /** See dosTime. */
  readonly time: number
  readonly crc: number
  readonly bytes: number
  /** In the archive, without its header. */
  readonly codedBytes: number
}

const LOCAL = 0x04_03_4b_50
const CENTRAL = 0x02_01_4b_50
const END = 0x06_05_4b_50

/** The names are UTF-8 (4.4.4, bit 11). */
const UTF_8_NAMES = 1 << 11
/** 2.0 has folders and deflate (4.4.3). */
const VERSION = 20
/** The upper byte of "version made by": the attributes are those of Unix (4.4.2). */
const MADE_ON_UNIX = 3 << 8
/** A regular file that all may read, its owner write (stat.h). */
const UNIX_ATTRIBUTES = 0o100_644 * 2 ** 16

export const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46
const END_BYTES = 22

/** As in the archive. MS-DOS has no time zone and no year before 1980, and counts in steps of two seconds. This is UTC. */
export function dosTime(timeMs: number): number {
  const time = new Date(Math.max(timeMs, Date.UTC(1980)))
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const ofDay = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return day * 2 ** 16 + ofDay
}

/** The largest value of a field says that it is somewhere else (4.4.1.4). */
export function fits(entries: readonly Pick<ZipEntry, 'name' | 'bytes' | 'codedBytes'>[]): boolean {
  const records = entries.map(({ name, codedBytes }) => {
    return LOCAL_BYTES + CENTRAL_BYTES + 2 * Buffer.byteLength(name) + codedBytes
  })
  const whole = records.reduce((sum, bytes) => sum + bytes, END_BYTES)
  return entries.length < 0xff_ff && entries.every(({ bytes }) => bytes < 0xff_ff_ff_ff) && whole < 0xff_ff_ff_ff
}

type Numbers = readonly (readonly [bytes: 2 | 4, value: number])[]

/** One after the other, little-endian. */
function packed(...numbers: Numbers): Buffer {
  const all = Buffer.alloc(numbers.reduce((sum, [bytes]) => sum + bytes, 0))
  let at = 0
  for (const [bytes, value] of numbers) at = all.writeUIntLE(value, at, bytes)
  return all
}

/** What both headers have in this order, from the version that is needed to the lengths of the name and of what follows it. */
function commonOf({ name, method, time, crc, bytes, codedBytes }: ZipEntry): Numbers {
  const sizes: Numbers = [
    [4, codedBytes],
    [4, bytes],
    [2, Buffer.byteLength(name)],
    [2, 0],
  ]
  return [[2, VERSION], [2, UTF_8_NAMES], [2, method], [4, time], [4, crc], ...sizes]
}

/** What a local header says of the entry of this name; null = it is too short for one. Whether it says that, `localHeader` shows. */
export function entryOf(header: Buffer, name: string, time: number): ZipEntry | null {
  if (header.length < LOCAL_BYTES) return null
  const [crc, codedBytes, bytes] = [14, 18, 22].map((at) => header.readUInt32LE(at)) as [number, number, number]
  return { name, method: methodOf(bytes), time, crc, bytes, codedBytes }
}

/** What is before the bytes of an entry. */
export function localHeader(entry: ZipEntry): Buffer {
  return Buffer.concat([packed([4, LOCAL], ...commonOf(entry)), Buffer.from(entry.name)])
}

/** @param offset where the entry's local header begins. No comment, the first disk, and nothing about what the bytes are. */
export function directoryEntry(entry: ZipEntry, offset: number): Buffer {
  const made = packed([4, CENTRAL], [2, MADE_ON_UNIX | VERSION], ...commonOf(entry))
  return Buffer.concat([made, packed([4, 0], [2, 0], [4, UNIX_ATTRIBUTES], [4, offset]), Buffer.from(entry.name)])
}

/** What ends the archive, after its directory: of one disk, without a comment. */
export function endOfDirectory(count: number, directory: { readonly offset: number; readonly bytes: number }): Buffer {
  return packed([4, END], [4, 0], [2, count], [2, count], [4, directory.bytes], [4, directory.offset], [2, 0])
}
