// Owns the form of the ZIP archive of a release (APPNOTE 6.3.10, without ZIP64): what is around the bytes of its entries. Pure.
import { MIN_CODED_BYTES } from './coding.ts'

/** The methods of an entry (4.4.5). */
const STORED = 0
const DEFLATED = 8

/** What is too small to be worth coding is stored; all else is deflated. */
export function isStored(bytes: number): boolean {
  return bytes < MIN_CODED_BYTES
}

/** `time` is as of dosTime; `codedBytes` are in the archive, without its header. */
export type ZipEntry = Readonly<NonNullable<ReturnType<typeof entryOf>>>

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
function commonOf({ name, time, crc, bytes, codedBytes }: ZipEntry): Numbers {
  const method = isStored(bytes) ? STORED : DEFLATED
  const sizes: Numbers = [
    [4, codedBytes],
    [4, bytes],
    [2, Buffer.byteLength(name)],
    [2, 0],
  ]
  return [[2, VERSION], [2, UTF_8_NAMES], [2, method], [4, time], [4, crc], ...sizes]
}

/** What a local header says of the entry of this name; null = it is too short for one. Whether it says that, `localHeader` shows. */
export function entryOf(header: Buffer, name: string, time: number) {
  if (header.length < LOCAL_BYTES) return null
  const [crc, codedBytes, bytes] = [14, 18, 22].map((at) => header.readUInt32LE(at)) as [number, number, number]
  return { name, time, crc, bytes, codedBytes }
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
