// Owns the records of a ZIP archive whose entries are known before it is written (APPNOTE 6.3.10): their headers and the
// directory at the end, without ZIP64. Pure; reads and compresses nothing.

import { createHash } from 'node:crypto'

export const STORED = 0
export const DEFLATED = 8

export interface ZipEntry {
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

const LOCAL_BYTES = 30
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

/** What is before the bytes of an entry. */
export function localHeader(entry: ZipEntry): Buffer {
  const head = Buffer.alloc(LOCAL_BYTES)
  head.writeUInt32LE(LOCAL, 0)
  writeCommon(head, 4, entry)
  return Buffer.concat([head, Buffer.from(entry.name)])
}

/** What a local header says of its entry; null = it is none. @param head may have more bytes */
export function readLocalHeader(head: Buffer): ZipEntry | null {
  if (head.length < LOCAL_BYTES || head.readUInt32LE(0) !== LOCAL) return null
  return {
    name: head.toString('utf8', LOCAL_BYTES, LOCAL_BYTES + head.readUInt16LE(26)),
    method: head.readUInt16LE(8) === STORED ? STORED : DEFLATED,
    time: head.readUInt32LE(10),
    crc: head.readUInt32LE(14),
    codedBytes: head.readUInt32LE(18),
    bytes: head.readUInt32LE(22),
  }
}

/** @param offset where the entry's local header begins */
export function directoryEntry(entry: ZipEntry, offset: number): Buffer {
  const head = Buffer.alloc(CENTRAL_BYTES)
  head.writeUInt32LE(CENTRAL, 0)
  head.writeUInt16LE(MADE_ON_UNIX | VERSION, 4)
  writeCommon(head, 6, entry)
  head.writeUInt32LE(UNIX_ATTRIBUTES, 38)
  head.writeUInt32LE(offset, 42)
  return Buffer.concat([head, Buffer.from(entry.name)])
}

/** What ends the archive, after its directory. */
export function endOfDirectory(count: number, directory: { readonly offset: number; readonly bytes: number }): Buffer {
  const end = Buffer.alloc(END_BYTES)
  end.writeUInt32LE(END, 0)
  end.writeUInt16LE(count, 8)
  end.writeUInt16LE(count, 10)
  end.writeUInt32LE(directory.bytes, 12)
  end.writeUInt32LE(directory.offset, 16)
  return end
}

/** Over names and contents: another version of zlib compresses the same into other bytes. */
export function zipContentHash(entries: readonly { readonly name: string; readonly sha256: string }[]): string {
  const hash = createHash('sha256')
  for (const { name, sha256 } of entries) hash.update(`${name}\t${sha256}\n`)
  return hash.digest('hex')
}

/** What both headers have in this order, from the version that is needed to the length of the name. */
function writeCommon(head: Buffer, at: number, { name, method, time, crc, bytes, codedBytes }: ZipEntry): void {
  head.writeUInt16LE(VERSION, at)
  head.writeUInt16LE(UTF_8_NAMES, at + 2)
  head.writeUInt16LE(method, at + 4)
  head.writeUInt32LE(time, at + 6)
  head.writeUInt32LE(crc, at + 10)
  head.writeUInt32LE(codedBytes, at + 14)
  head.writeUInt32LE(bytes, at + 18)
  head.writeUInt16LE(Buffer.byteLength(name), at + 22)
}
