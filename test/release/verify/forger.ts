// Somebody who may write whatever a site serves, and who is clever: hashes, sizes, ids, links and chains are right again after what
// he changed.
import { createHash } from 'node:crypto'
import {
  linkSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import { csvHeader, csvOf } from '../../../src/contract/csv-text.ts'
import { contentHash } from '../../../src/contract/document-text.ts'
import { EXPORT_COLUMNS } from '../../../src/contract/columns.ts'
import type { HistoryRow } from '../../../src/contract/kinds/history.ts'
import { PERIODS } from '../../../src/contract/windows.ts'
import { LOG_HEADER } from '../../../src/release/format/day-log.ts'
import { manifestText, releaseId, type Manifest, type ManifestFile } from '../../../src/release/format/manifest.ts'
import {
  directoryEntry,
  endOfDirectory,
  entryOf,
  LOCAL_BYTES,
  localHeader,
} from '../../../src/release/format/zip-format.ts'
import { found } from '../../../src/model/found.ts'
import { runToEnd } from '../../support/run-to-end.ts'

const sha256 = (bytes: Buffer | string): string => createHash('sha256').update(bytes).digest('hex')

/** What follows from bytes, worked out once: of nearly all files a forger changes nothing. */
function once<T>(of: (bytes: Buffer) => T): (bytes: Buffer) => T {
  const known = new WeakMap<Buffer, { readonly value: T }>()
  return (bytes) => {
    const { value } = known.get(bytes) ?? { value: of(bytes) }
    known.set(bytes, { value })
    return value
  }
}
const hashOf = once(sha256)
const deflated = once((bytes) => deflateRawSync(bytes))
const sumOf = once((bytes) => crc32(bytes))
const entriesIn = once(entriesOf)
const contentHashOf = once((bytes) => {
  try {
    const { version: _version, ...document } = JSON.parse(bytes.toString('utf8')) as Record<string, unknown>
    return contentHash(document)
  } catch {
    return sha256(bytes)
  }
})
/** By the path of a site, what is read of it. */
const READ = new Map<string, Buffer>()
const bytesAt = (path: string): Buffer => found(READ, path, () => readFileSync(path))

export interface Entry {
  name: string
  content: Buffer
}

/** An archive of these entries as a builder writes it. */
export function zipOf(entries: readonly Entry[], time: number): Buffer {
  const parts: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const { name, content } of entries) {
    const coded = content.length < 1024 ? content : deflated(content)
    const sizes = Buffer.alloc(LOCAL_BYTES)
    sizes.writeUInt32LE(sumOf(content), 14)
    sizes.writeUInt32LE(coded.length, 18)
    sizes.writeUInt32LE(content.length, 22)
    const entry = entryOf(sizes, name, time)!
    directory.push(directoryEntry(entry, offset))
    parts.push(localHeader(entry), coded)
    offset += LOCAL_BYTES + Buffer.byteLength(name) + coded.length
  }
  const listed = Buffer.concat(directory)
  return Buffer.concat([...parts, listed, endOfDirectory(entries.length, { offset, bytes: listed.length })])
}

export function entriesOf(zip: Buffer): Entry[] {
  const entries: Entry[] = []
  for (let at = 0; zip.readUInt32LE(at) === 0x04_03_4b_50;) {
    const [method, coded, named] = [zip.readUInt16LE(at + 8), zip.readUInt32LE(at + 18), zip.readUInt16LE(at + 26)]
    const from = at + LOCAL_BYTES + named
    const bytes = zip.subarray(from, from + coded)
    entries.push({
      name: zip.toString('utf8', at + LOCAL_BYTES, from),
      content: method === 0 ? bytes : inflateRawSync(bytes),
    })
    at = from + coded
  }
  return entries
}

export class Forger {
  readonly root: string
  /** Of the current release, or of another one. */
  manifest: Manifest
  readonly files = new Map<string, Buffer>()
  /** The cells of each line of the log but its chain. */
  lines: string[]
  header = LOG_HEADER
  entries: Entry[]
  /** The last change to the bytes of the archive. */
  spoilZip: (zip: Buffer) => Buffer = (zip) => zip
  /** The last change to the text of the manifest. */
  spoilManifest: (text: string) => string = (text) => text
  spoilLog: (text: string) => string = (text) => text
  readonly #zipTime: number

  /** @param root a folder in which all of the site is but its current release, its log and its link */
  constructor(site: string, root: string) {
    this.root = root
    const id = readlinkSync(join(site, 'current')).replace('releases/', '')
    const folder = join(site, 'releases', id)
    this.manifest = JSON.parse(bytesAt(join(folder, 'manifest.json')).toString()) as Manifest
    for (const { path } of this.manifest.files) this.files.set(path, bytesAt(join(folder, path)))
    this.lines = readFileSync(join(site, 'log.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((line) => line.slice(0, line.lastIndexOf(',')))
    const zip = this.files.get('bulk.zip')!
    this.entries = entriesIn(zip).map((entry) => ({ ...entry }))
    this.#zipTime = zip.readUInt32LE(10)
  }

  /** The ids that are there, the oldest first. */
  get ids(): string[] {
    return readdirSync(join(this.root, 'releases'))
      .filter((name) => name.includes('T'))
      .sort()
  }

  manifestOf(name: string): Manifest {
    return JSON.parse(readFileSync(join(this.root, 'releases', name, 'manifest.json'), 'utf8')) as Manifest
  }

  change(path: string, change: (text: string) => string): void {
    const before = this.files.get(path)!.toString('utf8')
    const after = change(before)
    if (after === before) throw new Error(`nothing was changed in ${path}`)
    this.files.set(path, Buffer.from(after))
    const entry = this.entries.find(({ name }) => name === path)
    if (entry !== undefined) entry.content = Buffer.from(after)
  }

  /** The text of an entry of a workbook. */
  workbook(path: string, name: string, change: (text: string) => string): void {
    const entries = entriesIn(this.files.get(path)!).map((entry) => {
      if (entry.name !== name) return entry
      const after = change(entry.content.toString())
      if (after === entry.content.toString()) throw new Error(`nothing was changed in ${name}`)
      return { name, content: Buffer.from(after) }
    })
    this.files.set(path, zipOf(entries, this.#zipTime))
  }

  /** A cell of a line of the log, counted from 0; -1 = the last line. */
  cell(line: number, cell: number, change: (text: string) => string): void {
    const cells = this.lines.at(line)!.split(',')
    cells[cell] = change(cells[cell]!)
    this.lines = this.lines.with(line, cells.join())
  }

  list(path: string, change: Partial<ManifestFile> | null): void {
    const files = this.manifest.files.flatMap((file) =>
      file.path !== path ? [file] : change === null ? [] : [{ ...file, ...change }],
    )
    if (change === null) this.files.delete(path)
    this.say({ files })
  }

  say(change: Partial<Manifest>): void {
    const { files, ...rest } = { ...this.manifest, ...change }
    this.manifest = { ...rest, files }
  }

  /** In all periods that have the days, in JSON, CSV and the archive. */
  history(change: (rows: readonly HistoryRow[]) => readonly HistoryRow[]): void {
    for (const period of PERIODS) {
      const path = `analytics/export/history/${period}`
      const document = JSON.parse(this.files.get(`${path}.json`)!.toString()) as Record<string, unknown>
      const data = change(document['data'] as HistoryRow[])
      this.files.set(`${path}.json`, Buffer.from(JSON.stringify({ ...document, data, rowCount: data.length })))
      const columns = EXPORT_COLUMNS.history
      const csv = Buffer.from(csvHeader(columns) + csvOf(columns, data))
      this.files.set(`${path}.csv`, csv)
      this.entries.find(({ name }) => name === `${path}.csv`)!.content = csv
      for (const format of ['json', 'csv']) this.list(`${path}.${format}`, { rows: data.length })
    }
  }

  /** Everything is written anew. */
  write(): void {
    if (this.files.has('bulk.zip')) this.files.set('bulk.zip', this.spoilZip(zipOf(this.entries, this.#zipTime)))
    const files = this.manifest.files.map((file) => this.#listed(file))
    const id = runToEnd(releaseId(this.manifest.dataAsOf, files))
    this.say({ files, id: this.manifest.id.includes('T') ? id : this.manifest.id })
    const folder = join(this.root, 'releases', this.manifest.id)
    for (const [path, bytes] of this.files) {
      mkdirSync(dirname(join(folder, path)), { recursive: true })
      writeFileSync(join(folder, path), bytes)
    }
    writeFileSync(join(folder, 'manifest.json'), this.spoilManifest(manifestText(this.manifest)))
    symlinkSync(join('releases', this.manifest.id), join(this.root, 'current'))
    const chained: string[] = [this.header]
    for (const cells of this.lines) chained.push(`${cells},${sha256(`${chained.at(-1)}\n${cells}`)}`)
    writeFileSync(join(this.root, 'log.csv'), this.spoilLog(`${chained.join('\n')}\n`))
  }

  #listed({ gzip: _gzip, br: _br, ...file }: ManifestFile): ManifestFile {
    const bytes = this.files.get(file.path)
    if (bytes === undefined) return file
    const listed = { ...file, bytes: bytes.length, sha256: hashOf(bytes) }
    if (file.path === 'bulk.zip' || file.path.endsWith('.xlsx')) {
      const entries = file.path === 'bulk.zip' ? this.entries : entriesIn(bytes)
      const content = entries.map(({ name, content: one }) => `${name}\t${hashOf(one)}\n`).join('')
      return { ...listed, contentHash: sha256(content) }
    }
    return file.contentHash === undefined ? listed : { ...listed, contentHash: contentHashOf(bytes) }
  }
}

/** A copy of a site, forged. What is not written anew has the same bytes on the disk. */
export function forged(site: string, into: string, forge: (forger: Forger) => void): string {
  const root = join(into, 'snapshots')
  const current = `${readlinkSync(join(site, 'current'))}/`
  const names = readdirSync(join(site, 'releases'), { recursive: true, encoding: 'utf8' })
  for (const path of names.map((name) => join('releases', name))) {
    if (`${path}/`.startsWith(current)) continue
    if (statSync(join(site, path)).isDirectory()) mkdirSync(join(root, path), { recursive: true })
    else linkSync(join(site, path), join(root, path))
  }
  const forger = new Forger(site, root)
  forge(forger)
  forger.write()
  return root
}
