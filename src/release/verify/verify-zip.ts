// Owns proving that an archive is what its writer makes of the tables of the release: which entry is where, and how large, is known
// before it is read, so that no name in it is used and nothing becomes longer than the manifest says.
import { createHash } from 'node:crypto'
import { crc32, createInflateRaw } from 'node:zlib'
import { isTable } from '../../contract/snapshot-paths.ts'
import { contentHashOf, type ManifestFile } from '../format/manifest.ts'
import {
  directoryEntry,
  dosTime,
  endOfDirectory,
  entryOf,
  isStored,
  LOCAL_BYTES,
  localHeader,
  type ZipEntry,
} from '../format/zip-format.ts'
import type { FileReading } from './file-reading.ts'
import { decodedBy } from './verify-siblings.ts'

/** Entries that are no tables. Their content is not known; their hash is in the content hash of the archive. */
const TEXTS = ['README.txt', 'datapackage.json']
const MAX_TEXT_BYTES = 1 << 20

/** What an entry must be; null = a text of which nothing is known. */
export type KnownEntry = { readonly bytes: number; readonly sha256: string; readonly title?: string } | null
export type KnownEntries = ReadonlyMap<string, KnownEntry>

export function bulkEntries(files: readonly ManifestFile[]): KnownEntries {
  const tables = files.filter(({ path }) => isTable(path))
  return new Map([...tables.map((file) => [file.path, file] as const), ...TEXTS.map((name) => [name, null] as const)])
}

/** What is wrong; null = nothing. The archive may be read to its end, or not. */
export async function zipFault(
  zip: FileReading<ManifestFile>,
  entries: KnownEntries,
  dataAsOf: string,
): Promise<string | null> {
  const directory: Buffer[] = []
  const content = createHash('sha256')
  let offset = 0
  for (const name of [...entries.keys()].sort()) {
    const header = await zip.take(LOCAL_BYTES + name.length)
    const entry = entryOf(header, name, dosTime(Date.parse(dataAsOf)))
    if (entry === null || !localHeader(entry).equals(header)) return `${name} is not where it must be in it`
    const { bytes = Math.min(entry.bytes, MAX_TEXT_BYTES), sha256, title = name } = entries.get(name) ?? {}
    if (entry.bytes !== bytes) return `its ${title} has ${entry.bytes} bytes, expected ${bytes}`
    const found = await contentOf(zip, entry)
    if (found === null || (sha256 ?? found) !== found) return `its ${title} is not that of the release`
    content.update(`${name}\t${found}\n`)
    directory.push(directoryEntry(entry, offset))
    offset += header.length + entry.codedBytes
  }
  const listed = Buffer.concat(directory)
  const end = endOfDirectory(directory.length, { offset, bytes: listed.length })
  const rest = await zip.take(listed.length + end.length + 1)
  if (!rest.equals(Buffer.concat([listed, end]))) return 'its directory is not that of its entries'
  return content.digest('hex') === contentHashOf(zip.file) ? null : 'its content hash is not the manifest’s'
}

/** The sha256; null = it does not decode to so many bytes of this CRC. */
async function contentOf(zip: FileReading, { bytes, codedBytes, crc }: ZipEntry): Promise<string | null> {
  const hash = createHash('sha256')
  let found = 0
  const take = (piece: Buffer): void => {
    hash.update(piece)
    found = crc32(piece, found)
  }
  if (isStored(bytes)) take(await zip.take(bytes))
  else if ((await decodedBy(createInflateRaw(), zip.pieces(codedBytes), bytes, take)) !== codedBytes) return null
  return found === crc && (!isStored(bytes) || codedBytes === bytes) ? hash.digest('hex') : null
}
