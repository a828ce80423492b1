// Owns the records of a ZIP archive whose entries are known before it is written (APPNOTE 6.3.10): their headers, the
// directory at the end, and ZIP64 where a size or a number needs it. Pure; reads and compresses nothing.

import { createHash } from 'node:crypto'

/** As in the archive: no compression, or a raw deflate stream. */
export type ZipMethod = 'stored' | 'deflated'

export interface ZipEntry {
  readonly name: string
  readonly method: ZipMethod
  readonly crc: number
  readonly bytes: number
  /** In the archive, without its header. */
  readonly codedBytes: number
}

const METHOD: Readonly<Record<ZipMethod, number>> = { stored: 0, deflated: 8 }

const LOCAL = 0x04_03_4b_50
const CENTRAL = 0x02_01_4b_50
const END = 0x06_05_4b_50
const END_64 = 0x06_06_4b_50
const LOCATOR_64 = 0x07_06_4b_50
const EXTRA_64 = 0x00_01

/** The names are UTF-8 (4.4.4, bit 11). */
const UTF_8_NAMES = 1 << 11
/** 2.0 has folders and deflate, 4.5 has ZIP64 (4.4.3). */
const VERSION = 20
const VERSION_64 = 45
/** The upper byte of "version made by": the attributes are those of Unix (4.4.2). */
const MADE_ON_UNIX = 3 << 8
/** A regular file that all may read, its owner write (stat.h). */
const UNIX_ATTRIBUTES = 0o100_644 * 2 ** 16

/** A field with this value is in the ZIP64 record instead. */
const IN_64 = 0xff_ff_ff_ff
const IN_64_COUNT = 0xff_ff

export const LOCAL_BYTES = 30
const CENTRAL_BYTES = 46

/** As in the archive. MS-DOS has no time zone and no year before 1980, and counts in steps of two seconds. This is UTC. */
export function dosTime(timeMs: number): number {
  const time = new Date(Math.max(timeMs, Date.UTC(1980)))
  const day = ((time.getUTCFullYear() - 1980) << 9) | ((time.getUTCMonth() + 1) << 5) | time.getUTCDate()
  const ofDay = (time.getUTCHours() << 11) | (time.getUTCMinutes() << 5) | (time.getUTCSeconds() >> 1)
  return day * 2 ** 16 + ofDay
}

/** What is before the bytes of an entry. @param time see dosTime */
export function localHeader(entry: ZipEntry, time: number): Buffer {
  const name = Buffer.from(entry.name, 'utf8')
  // Here both sizes must be in the record (4.5.3).
  const is64 = Math.max(entry.bytes, entry.codedBytes) >= IN_64
  const extra = is64 ? extra64([entry.bytes, entry.codedBytes]) : Buffer.alloc(0)
  const head = Buffer.alloc(LOCAL_BYTES)
  head.writeUInt32LE(LOCAL, 0)
  head.writeUInt16LE(is64 ? VERSION_64 : VERSION, 4)
  writeCommon(head, 6, entry, time, is64 ? { bytes: IN_64, codedBytes: IN_64 } : entry)
  head.writeUInt16LE(name.length, 26)
  head.writeUInt16LE(extra.length, 28)
  return Buffer.concat([head, name, extra])
}

/** What a local header says of its entry, and where the entry's bytes begin after it; null = it is none. */
export function readLocalHeader(head: Buffer): (ZipEntry & { readonly time: number }) | null {
  if (head.readUInt32LE(0) !== LOCAL) return null
  const nameBytes = head.readUInt16LE(26)
  const method = head.readUInt16LE(8) === METHOD.stored ? 'stored' : 'deflated'
  const name = head.toString('utf8', LOCAL_BYTES, LOCAL_BYTES + nameBytes)
  const [codedBytes, bytes] = [head.readUInt32LE(18), head.readUInt32LE(22)]
  const common = { name, method, crc: head.readUInt32LE(14), time: head.readUInt32LE(10) } as const
  if (bytes !== IN_64) return { ...common, bytes, codedBytes }
  const extra = LOCAL_BYTES + nameBytes + 4
  return { ...common, bytes: readUInt64(head, extra), codedBytes: readUInt64(head, extra + 8) }
}

/** Of name and record, which follow the fixed part of a local header. */
export function localVariableBytes(fixed: Buffer): number {
  return fixed.readUInt16LE(26) + fixed.readUInt16LE(28)
}

/** @param offset where the entry's local header begins */
export function directoryEntry(entry: ZipEntry, offset: number, time: number): Buffer {
  const name = Buffer.from(entry.name, 'utf8')
  // Here only what is too large is in the record, in this order (4.5.3).
  const fields = [entry.bytes, entry.codedBytes, offset]
  const large = fields.filter((value) => value >= IN_64)
  const extra = large.length > 0 ? extra64(large) : Buffer.alloc(0)
  const version = large.length > 0 ? VERSION_64 : VERSION
  const head = Buffer.alloc(CENTRAL_BYTES)
  head.writeUInt32LE(CENTRAL, 0)
  head.writeUInt16LE(MADE_ON_UNIX | version, 4)
  head.writeUInt16LE(version, 6)
  const sizes = { bytes: Math.min(entry.bytes, IN_64), codedBytes: Math.min(entry.codedBytes, IN_64) }
  writeCommon(head, 8, entry, time, sizes)
  head.writeUInt16LE(name.length, 28)
  head.writeUInt16LE(extra.length, 30)
  head.writeUInt32LE(UNIX_ATTRIBUTES, 38)
  head.writeUInt32LE(Math.min(offset, IN_64), 42)
  return Buffer.concat([head, name, extra])
}

/** What ends the archive, after its directory. */
export function endOfDirectory(count: number, directory: { readonly offset: number; readonly bytes: number }): Buffer {
  const { offset, bytes } = directory
  const end = Buffer.alloc(22)
  end.writeUInt32LE(END, 0)
  const shown = Math.min(count, IN_64_COUNT)
  end.writeUInt16LE(shown, 8)
  end.writeUInt16LE(shown, 10)
  end.writeUInt32LE(Math.min(bytes, IN_64), 12)
  end.writeUInt32LE(Math.min(offset, IN_64), 16)
  if (count < IN_64_COUNT && Math.max(bytes, offset) < IN_64) return end
  return Buffer.concat([end64(count, offset, bytes), end])
}

function end64(count: number, offset: number, bytes: number): Buffer {
  const record = Buffer.alloc(56)
  record.writeUInt32LE(END_64, 0)
  // Of the rest of the record, without these twelve bytes (4.3.14.1).
  writeUInt64(record, record.length - 12, 4)
  record.writeUInt16LE(MADE_ON_UNIX | VERSION_64, 12)
  record.writeUInt16LE(VERSION_64, 14)
  writeUInt64(record, count, 24)
  writeUInt64(record, count, 32)
  writeUInt64(record, bytes, 40)
  writeUInt64(record, offset, 48)
  const locator = Buffer.alloc(20)
  locator.writeUInt32LE(LOCATOR_64, 0)
  writeUInt64(locator, offset + bytes, 8)
  // Of disks, as old programs call the parts of an archive.
  locator.writeUInt32LE(1, 16)
  return Buffer.concat([record, locator])
}

/** Over names and contents: another version of zlib compresses the same into other bytes. */
export function zipContentHash(entries: readonly { readonly name: string; readonly sha256: string }[]): string {
  const hash = createHash('sha256')
  for (const { name, sha256 } of entries) hash.update(`${name}\t${sha256}\n`)
  return hash.digest('hex')
}

/** Flags, method, time, CRC and sizes, which both headers have in this order. */
function writeCommon(
  head: Buffer,
  at: number,
  { method, crc }: ZipEntry,
  time: number,
  { bytes, codedBytes }: Pick<ZipEntry, 'bytes' | 'codedBytes'>,
): void {
  head.writeUInt16LE(UTF_8_NAMES, at)
  head.writeUInt16LE(METHOD[method], at + 2)
  head.writeUInt32LE(time, at + 4)
  head.writeUInt32LE(crc, at + 8)
  head.writeUInt32LE(codedBytes, at + 12)
  head.writeUInt32LE(bytes, at + 16)
}

function extra64(values: readonly number[]): Buffer {
  const extra = Buffer.alloc(4 + 8 * values.length)
  extra.writeUInt16LE(EXTRA_64, 0)
  extra.writeUInt16LE(8 * values.length, 2)
  for (const [i, value] of values.entries()) writeUInt64(extra, value, 4 + 8 * i)
  return extra
}

function writeUInt64(buffer: Buffer, value: number, at: number): void {
  buffer.writeBigUInt64LE(BigInt(value), at)
}

function readUInt64(buffer: Buffer, at: number): number {
  return Number(buffer.readBigUInt64LE(at))
}
