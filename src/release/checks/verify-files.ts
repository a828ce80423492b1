// Owns proving the files of a release one by one: each is read once, a JSON together with its CSV, and compared with the
// manifest and with each other. Knows neither folder nor address.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { combinationAt } from '../../contract/snapshot-paths.ts'
import { OTHER_FORMATS } from '../../contract/other-formats.ts'
import { siteKindOf, type SiteKind } from '../../contract/site-paths.ts'
import { peopleModeOf, type ManifestFile } from '../format/manifest.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { readCsv } from './csv-records.ts'
import { FileReading } from './file-reading.ts'
import type { FoundFaults } from './found-faults.ts'
import { inStep } from './in-step.ts'
import { jsonRows, type ParsedDocument, type ReadDocument } from './json-rows.ts'
import { otherFormatFaults } from './other-formats.ts'
import { ReportedTotals } from './reported-totals.ts'
import { rowSumsOf, type StreamedRowSums } from './row-sums.ts'
import { documentFaults, headerFault, rowFault, rowsAt } from './validate-document.ts'
import { siblingFaults } from './verify-siblings.ts'

/** A file, or the JSON and the CSV of an export. */
export type Unit = readonly [file: ManifestFile, csv?: ManifestFile]

export class FileVerifier {
  readonly totals: ReportedTotals
  readonly #release: FoundRelease
  readonly #foundFaults: FoundFaults
  readonly #names: ReadonlyMap<string, string>

  constructor(release: FoundRelease, foundFaults: FoundFaults) {
    this.#release = release
    this.#foundFaults = foundFaults
    this.totals = new ReportedTotals(peopleModeOf(release.manifest.options))
    this.#names = new Map(release.manifest.categories.map(({ name, key }) => [key, name]))
  }

  verify([file, csv]: Unit): Promise<void> {
    const kind = siteKindOf(file.path)
    if (kind !== null) return this.#site(file, kind)
    return file.path.endsWith('.csv') ? this.#read(null, file) : this.#read(file, csv ?? null)
  }

  /**
   * A file of the site is compared by its bytes: it is made from documents that are compared with each other. What is said
   * of the content of a compressed format is of what it holds: another version of zlib writes other bytes.
   */
  async #site(file: ManifestFile, kind: SiteKind): Promise<void> {
    const reading = FileReading.of(this.#release, file)
    try {
      const faults = await otherFormatFaults(this.#release, reading)
      if (!(await this.#isWhole(reading))) return
      this.#note(file, faults)
      if (kind.coded && file.contentHash !== file.sha256) this.#note(file, ['its content hash is not the manifest’s'])
      if (!OTHER_FORMATS.includes(file.path) && file.rows !== null)
        this.#note(file, [`the manifest says ${file.rows} rows`])
    } finally {
      await reading.close()
    }
  }

  /** What was read of a file that is not whole counts for nothing. */
  async #read(file: ManifestFile | null, csv: ManifestFile | null): Promise<void> {
    const combination = file && this.combinationOf(file)
    const json = file && FileReading.of(this.#release, file)
    const table = csv && FileReading.of(this.#release, csv)
    try {
      const { read, kept, difference } = await inParallel(json, table, combination)
      const document = (await this.#isWhole(json)) ? read.left : null
      const isWholeCsv = await this.#isWhole(table)
      if (json !== null && document !== null) this.#json(json.file, document, combination, kept)
      if (table === null || !isWholeCsv) return
      this.#csv(table, read.rows, read.right)
      // Another number of rows is a fault of its own, found where counts are compared.
      if (difference !== null && typeof document === 'object' && document?.rows === read.rows)
        this.#note(table.file, [difference])
    } finally {
      await json?.close()
      await table?.close()
    }
  }

  /** Whether the file and its siblings are what the manifest says; if not, why is noted. */
  async #isWhole(reading: FileReading<ManifestFile> | null): Promise<boolean> {
    if (reading === null) return false
    const faults = await this.#foundFaults.unlessUnread(() => reading.faults())
    this.#foundFaults.bytes += reading.bytes
    this.#foundFaults.note(reading.file, faults ?? [])
    if (faults === null || faults.length > 0) return false
    this.#foundFaults.note(reading.file, await siblingFaults(this.#release, reading.file, this.#foundFaults))
    return true
  }

  /** @param fault why not all of it could be read as CSV */
  #csv({ file, ending }: FileReading<ManifestFile>, rows: number, fault: string | null): void {
    const faults = file.sha256 === file.contentHash ? [] : ['its content hash is not the manifest’s']
    if (ending.toString() !== '\r\n') faults.push('it does not end in CRLF')
    if (fault !== null) faults.push(fault)
    if (rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
    this.#note(file, faults)
    if (this.combinationOf(file) !== null) this.totals.rows(file.path, rows)
  }

  /** @param read the document, or why it is none */
  #json(file: ManifestFile, read: ReadDocument | string, combination: Combination | null, kept: KeptRows): void {
    if (typeof read === 'string') return this.#note(file, [read])
    this.#note(file, documentFaults(read, file, combination, this.#release.manifest))
    if (combination === null) return
    if (!Array.isArray(kept)) {
      if (combination.endpoint !== 'export') return
      this.totals.rows(file.path, kept.rows)
      return this.totals.rowSums(combination, kept)
    }
    const list = rowsAt(combination)?.list
    this.totals.take(combination, list === undefined ? read.document : { ...read.document, [list]: kept })
  }

  combinationOf({ path }: ManifestFile): Combination | null {
    return combinationAt(path, (key) => this.#names.get(key))
  }

  #note(file: ManifestFile, faults: readonly string[]): void {
    this.#foundFaults.note(
      file,
      faults.map((fault) => `${file.path}: ${fault}`),
    )
  }
}

type KeptRows = StreamedRowSums | ParsedDocument[]

/** The rows of a JSON, of a streamed export only their sums, as there may be millions; and the first row where its CSV differs. */
async function inParallel(json: FileReading | null, table: FileReading | null, combination: Combination | null) {
  const exported = combination?.endpoint === 'export' ? combination : null
  const kept: KeptRows = (exported && rowSumsOf(exported.type)) ?? []
  let difference: string | null = null
  let columns: readonly string[] = []
  const read = await inStep(json && jsonRows(json.next, rowsAt(combination)), table && readCsv(table.next), {
    batch: (rows) => (Array.isArray(kept) ? kept.push(...rows) : kept.add(rows as readonly ExportRow[])),
    header(fields) {
      columns = fields
      difference = exported && headerFault(exported.type, fields)
    },
    pair: (n, row, fields) => (difference ??= exported && rowFault(exported.type, columns, n, row, fields)),
  })
  return { read, kept, difference: difference as string | null }
}
