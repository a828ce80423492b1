// Owns proving a release: every file re-read, hashed, parsed, and compared with its neighbours. Changes nothing.
import pMap from 'p-map'
import type { ExportRow } from '../../contract/documents.ts'
import { combinationAt, type Combination } from '../../contract/snapshot-paths.ts'
import { CODINGS, type Coding } from '../format/coding.ts'
import { crossCheck, missingAndSurplus } from './invariants.ts'
import { csvRecords } from './csv-records.ts'
import { decodesTo } from '../reading/decoded.ts'
import { documentFaults, headerFault, rowFault, rowsAt } from './validate-document.ts'
import { ReportedTotals, IdeaRowSums } from './reported-totals.ts'
import { FileReading } from '../reading/file-reading.ts'
import { inStep } from './in-step.ts'
import { jsonRows, type ParsedDocument, type ReadDocument } from './json-rows.ts'
import {
  filesOf,
  MANIFEST_NAME,
  manifestSiblingPath,
  siblingOf,
  type FileBytes,
  type Manifest,
  type ManifestFile,
} from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'

/** Where the files of one release come from: a folder, or a live base URL. */
export interface ReleaseReader {
  /** Whether compressed siblings can be read as they are: a server on the way may code as it likes. */
  readonly siblings: boolean
  manifest(): Promise<Manifest>
  /** In pieces: a file of any size takes the memory of one piece. */
  read(file: FileBytes): AsyncIterable<Buffer>
  /** The manifest as it is, and its compressed siblings, which no list names; only a folder can say. */
  manifestFiles?(): Promise<ManifestFiles>
  /** Every file that is there, relative to the release; only a folder can say. */
  paths?(): Promise<readonly string[]>
  /** What a server that may code as it likes sends to who accepts this coding; `coded` = it made use of that. */
  negotiate?(
    file: FileBytes,
    coding: Coding,
  ): Promise<{ readonly pieces: AsyncIterable<Buffer>; readonly coded: boolean }>
}

export interface ManifestFiles {
  readonly whole: FileBytes
  readonly siblings: readonly { readonly coding: Coding; readonly file: FileBytes }[]
}

export interface Verification {
  readonly id: string
  readonly files: number
  /** Of everything that was read: with siblings, where those can be. */
  readonly bytes: number
  readonly closed: boolean
  /** Sentences, one a fault. */
  readonly faults: readonly string[]
  /** Sentences, one for each file that could not be read; with no fault either, the release is whole. */
  readonly unread: readonly string[]
}

/** Larger files are read one at a time: each takes a few pieces of memory, and several at once are not faster. */
const SMALL_BYTES = 1 << 20
/** Each holds a file open. */
const AT_ONCE = 32

export async function verifyRelease(reader: ReleaseReader): Promise<Verification> {
  const manifest = await reader.manifest()
  const verifier = new Verifier(reader, manifest)
  const listed = new Map(manifest.files.map((file) => [file.path, file]))
  // A CSV is looked at with its JSON, if that has one.
  const withCsv = manifest.files.map((file): Unit => {
    const csv = file.path.endsWith('.json') ? listed.get(csvPath(file.path)) : undefined
    return csv === undefined ? [file] : [file, csv]
  })
  const paired = new Set(withCsv.flatMap(([, csv]) => csv ?? []))
  const units = withCsv.filter(([file]) => !paired.has(file))
  await pMap(units.filter(isSmall), (unit) => verifier.examine(unit), { concurrency: AT_ONCE })
  for (const unit of units) if (!isSmall(unit)) await verifier.examine(unit)
  const faults = [
    ...missingAndSurplus(manifest),
    ...strays(await reader.paths?.(), manifest),
    ...(await verifier.manifestFaults()),
    ...manifest.files.flatMap((file) => verifier.faults.get(file) ?? []),
    ...crossCheck(verifier.figures, manifest),
  ]
  const unread = [...new Set(verifier.unread)]
  const { id, files, closed = false } = manifest
  return { id, files: files.length, bytes: verifier.bytes, closed, faults, unread }
}

/** A web server would serve them like the others. */
function strays(paths: readonly string[] = [], manifest: Manifest): string[] {
  const known = new Set([
    MANIFEST_NAME,
    ...CODINGS.map(manifestSiblingPath),
    ...Array.from(filesOf(manifest), ({ path }) => path),
  ])
  return paths.filter((path) => !known.has(path)).map((path) => `${path}: it is not in the manifest`)
}

/** A file, or a JSON export and its CSV. */
type Unit = readonly [file: ManifestFile, csv?: ManifestFile]

function csvPath(path: string): string {
  return path.replace(/\.json$/, '.csv')
}

function isSmall(unit: Unit): boolean {
  return unit.every((file) => (file?.bytes ?? 0) <= SMALL_BYTES)
}

class Verifier {
  readonly figures: ReportedTotals = new ReportedTotals()
  readonly faults = new Map<ManifestFile, string[]>()
  readonly unread: string[] = []
  bytes = 0
  readonly #reader: ReleaseReader
  readonly #manifest: Manifest
  readonly #names: ReadonlyMap<string, string>

  constructor(reader: ReleaseReader, manifest: Manifest) {
    this.#reader = reader
    this.#manifest = manifest
    this.#names = new Map(manifest.categories.map(({ name, key }) => [key, name]))
  }

  /** Of the manifest's siblings: servers hand them out for the manifest itself. */
  async manifestFaults(): Promise<string[]> {
    const files = await this.#reader.manifestFiles?.()
    const faults: string[] = []
    for (const { coding, file } of files?.siblings ?? []) {
      const reading = new FileReading(file, this.#reader.read(file))
      const same = await decodesTo(reading, coding, files?.whole ?? file)
      await reading.close()
      if (reading.failure?.code === 'unreadable') this.unread.push(reading.failure.message)
      else if (reading.failure !== null) faults.push(reading.failure.message)
      else if (!same) faults.push(`${file.path}: it does not decode to ${MANIFEST_NAME}`)
    }
    return faults
  }

  async examine([file, csv]: Unit): Promise<void> {
    if (file.path.endsWith('.csv')) return this.#pair(null, file)
    const combination = this.#combinationOf(file)
    if (csv === undefined || combination?.endpoint === 'export') return this.#pair(file, csv ?? null)
    await this.#pair(file, null)
    await this.#pair(null, csv)
  }

  /** Reads a JSON and its CSV side by side, each once; what was read of a file is judged when it was its bytes. */
  async #pair(file: ManifestFile | null, csv: ManifestFile | null): Promise<void> {
    const combination = file === null ? null : this.#combinationOf(file)
    const json = file === null ? null : new FileReading(file, this.#reader.read(file))
    const table = csv === null ? null : new FileReading(csv, this.#reader.read(csv))
    const rows = new Rows(combination)
    let row = 0
    let fault: string | null = null
    try {
      const documents = json === null ? null : jsonRows(json.next, rowsAt(combination))
      const records = table === null ? null : csvRecords(table.next)
      const read = await inStep(documents, records, {
        batch: (batch) => rows.add(batch),
        header: (cells) => {
          if (combination?.endpoint === 'export') fault = headerFault(combination.type, cells)
        },
        pair: (one, cells) => {
          row += 1
          if (combination?.endpoint === 'export') fault ??= rowFault(combination.type, row, one, cells)
        },
      })
      const document = file !== null && json !== null && (await this.#isWhole(file, json)) ? read.left : null
      const whole = csv !== null && table !== null && (await this.#isWhole(csv, table))
      if (file !== null && document !== null) this.#json(file, document, rows)
      if (csv !== null && table !== null && whole) this.#csv(csv, table, read.rows, read.right)
      // Another number of rows is said where counts are compared.
      if (csv !== null && whole && typeof document === 'object' && document?.rows === read.rows)
        this.#note(csv, inFile(csv.path, fault === null ? [] : [fault]))
    } finally {
      await json?.close()
      await table?.close()
    }
  }

  /** Whether the file and its siblings are what the manifest says; if not, why is noted. */
  async #isWhole(file: ManifestFile, reading: FileReading): Promise<boolean> {
    const faults = await this.#unlessUnread(() => reading.faults())
    this.bytes += reading.bytes
    this.#note(file, faults ?? [])
    if (faults === null || faults.length > 0) return false
    this.#note(file, await this.#siblings(file))
    return true
  }

  /** null = it could not be read, which is noted. */
  async #unlessUnread<T>(work: () => Promise<T>): Promise<T | null> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof ReleaseError) || error.code !== 'unreadable') throw error
      this.unread.push(error.message)
      return null
    }
  }

  /** A sibling is another way to write the same bytes. */
  async #siblings(file: ManifestFile): Promise<string[]> {
    const faults: string[] = []
    for (const coding of CODINGS) {
      const sibling = siblingOf(file, coding)
      if (sibling === null) continue
      const found = await this.#unlessUnread(() =>
        this.#reader.siblings ? this.#sibling(sibling, coding, file) : this.#negotiated(file, coding),
      )
      faults.push(...(found ?? []))
    }
    return faults
  }

  async #sibling(sibling: FileBytes, coding: Coding, file: ManifestFile): Promise<string[]> {
    const reading = new FileReading(sibling, this.#reader.read(sibling))
    try {
      const same = await decodesTo(reading, coding, file)
      const faults = await reading.faults()
      this.bytes += reading.bytes
      return faults.length > 0 || same ? faults : [`${sibling.path}: it does not decode to its snapshot`]
    } finally {
      await reading.close()
    }
  }

  async #negotiated(file: ManifestFile, coding: Coding): Promise<string[]> {
    if (this.#reader.negotiate === undefined) return []
    try {
      const { pieces, coded } = await this.#reader.negotiate(file, coding)
      const reading = new FileReading(file, pieces)
      const same = await (coded ? decodesTo(reading, coding, file) : reading.isWhole())
      await reading.close()
      if (reading.failure !== null) throw reading.failure
      return same ? [] : [`${file.path}: asked for as ${coding}, it does not decode to what it is without`]
    } catch (error) {
      if (error instanceof ReleaseError && error.code !== 'unreadable') return [error.message]
      throw error
    }
  }

  /** @param fault why not all of it could be read as CSV */
  #csv(file: ManifestFile, { ending }: FileReading, rows: number, fault: string | null): void {
    const faults = file.sha256 === file.contentHash ? [] : ['its content hash is not the manifest’s']
    if (ending.toString() !== '\r\n') faults.push('it does not end in CRLF')
    if (fault !== null) faults.push(fault)
    if (rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
    this.#note(file, inFile(file.path, faults))
    const combination = this.#combinationOf(file)
    if (combination?.endpoint === 'export') this.figures.rows(combination.type, combination.period, 'csv', rows)
  }

  /** @param read the document, or why it is none */
  #json(file: ManifestFile, read: ReadDocument | string, rows: Rows): void {
    if (typeof read === 'string') return this.#note(file, inFile(file.path, [read]))
    const combination = this.#combinationOf(file)
    this.#note(file, inFile(file.path, documentFaults(read, file, combination, this.#manifest)))
    rows.state(this.figures, read.document)
  }

  #combinationOf(file: ManifestFile): Combination | null {
    return combinationAt(file.path, (key) => this.#names.get(key))
  }

  #note(file: ManifestFile, faults: readonly string[]): void {
    const noted = this.faults.get(file) ?? []
    noted.push(...faults)
    this.faults.set(file, noted)
  }
}

/** What is kept of the rows of a document: sums of ideas, of which there may be millions; all others. */
class Rows {
  readonly #combination: Combination | null
  readonly #sums: IdeaRowSums = new IdeaRowSums()
  readonly #all: ParsedDocument[] = []

  constructor(combination: Combination | null) {
    this.#combination = combination
  }

  add(rows: readonly ParsedDocument[]): void {
    if (this.#combination?.endpoint !== 'export' || this.#combination.type !== 'ideas') this.#all.push(...rows)
    else this.#sums.add(rows as readonly ExportRow[])
  }

  state(figures: ReportedTotals, document: ParsedDocument): void {
    const combination = this.#combination
    if (combination === null) return
    if (combination.endpoint === 'export' && combination.type === 'ideas')
      return figures.ideaRows(combination.period, this.#sums)
    const list = rowsAt(combination)?.list
    figures.take(combination, list === undefined ? document : { ...document, [list]: this.#all })
  }
}

function inFile(path: string, faults: readonly string[]): string[] {
  return faults.map((fault) => `${path}: ${fault}`)
}
