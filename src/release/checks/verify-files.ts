// Owns proving the files of a release one by one: each is read once, a JSON together with its CSV, and compared with the
// manifest and with each other. Knows neither folder nor address.
import type { ExportRow } from '../../contract/documents.ts'
import { combinationAt, type Combination } from '../../contract/snapshot-paths.ts'
import type { ManifestFile } from '../format/manifest.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { readCsv } from './csv-records.ts'
import { FileReading } from './file-reading.ts'
import type { Findings } from './findings.ts'
import { inStep } from './in-step.ts'
import { jsonRows, type ParsedDocument, type ReadDocument } from './json-rows.ts'
import { IdeaRowSums, ReportedTotals } from './reported-totals.ts'
import { documentFaults, headerFault, rowFault, rowsAt } from './validate-document.ts'
import { siblingFaults } from './verify-siblings.ts'

/** A file, or a JSON and its CSV. */
export type Unit = readonly [file: ManifestFile, csv?: ManifestFile]

export class FileVerifier {
  readonly totals: ReportedTotals = new ReportedTotals()
  readonly #release: FoundRelease
  readonly #findings: Findings
  readonly #names: ReadonlyMap<string, string>

  constructor(release: FoundRelease, findings: Findings) {
    this.#release = release
    this.#findings = findings
    this.#names = new Map(release.manifest.categories.map(({ name, key }) => [key, name]))
  }

  async verify([file, csv]: Unit): Promise<void> {
    if (file.path.endsWith('.csv')) return this.#read(null, file)
    if (csv === undefined || this.#combinationOf(file)?.endpoint === 'export') return this.#read(file, csv ?? null)
    await this.#read(file, null)
    await this.#read(null, csv)
  }

  /** Of a file that is not whole, nothing that was read counts. */
  async #read(file: ManifestFile | null, csv: ManifestFile | null): Promise<void> {
    const combination = this.#combinationOf(file)
    const json = file && FileReading.of(this.#release, file)
    const table = csv && FileReading.of(this.#release, csv)
    const rows = new Rows(combination)
    const comparison = new Comparison(combination)
    try {
      const read = await inStep(json && jsonRows(json.next, rowsAt(combination)), table && readCsv(table.next), {
        batch: (batch) => rows.add(batch),
        header: (cells) => comparison.header(cells),
        pair: (row, cells) => comparison.pair(row, cells),
      })
      const document = (await this.#isWhole(json)) ? read.left : null
      const isWholeCsv = await this.#isWhole(table)
      if (json !== null && document !== null) this.#json(json.file, document, rows)
      if (table === null || !isWholeCsv) return
      this.#csv(table, read.rows, read.right)
      // Another number of rows is a fault of its own, found where counts are compared.
      if (typeof document === 'object' && document?.rows === read.rows) this.#note(table.file, comparison.faults)
    } finally {
      await json?.close()
      await table?.close()
    }
  }

  /** Whether the file and its siblings are what the manifest says; if not, why is noted. */
  async #isWhole(reading: FileReading<ManifestFile> | null): Promise<boolean> {
    if (reading === null) return false
    const faults = await this.#findings.unlessUnread(() => reading.faults())
    this.#findings.bytes += reading.bytes
    this.#findings.note(reading.file, faults ?? [])
    if (faults === null || faults.length > 0) return false
    this.#findings.note(reading.file, await siblingFaults(this.#release, reading.file, this.#findings))
    return true
  }

  /** @param fault why not all of it could be read as CSV */
  #csv({ file, ending }: FileReading<ManifestFile>, rows: number, fault: string | null): void {
    const faults = file.sha256 === file.contentHash ? [] : ['its content hash is not the manifest’s']
    if (ending.toString() !== '\r\n') faults.push('it does not end in CRLF')
    if (fault !== null) faults.push(fault)
    if (rows !== file.rows) faults.push(`${rows} rows, the manifest says ${file.rows}`)
    this.#note(file, faults)
    const combination = this.#combinationOf(file)
    if (combination?.endpoint === 'export') this.totals.rows(combination.type, combination.period, 'csv', rows)
  }

  /** @param read the document, or why it is none */
  #json(file: ManifestFile, read: ReadDocument | string, rows: Rows): void {
    if (typeof read === 'string') return this.#note(file, [read])
    this.#note(file, documentFaults(read, file, this.#combinationOf(file), this.#release.manifest))
    rows.report(this.totals, read.document)
  }

  #combinationOf(file: ManifestFile | null): Combination | null {
    return file && combinationAt(file.path, (key) => this.#names.get(key))
  }

  #note(file: ManifestFile, faults: readonly string[]): void {
    this.#findings.note(
      file,
      faults.map((fault) => `${file.path}: ${fault}`),
    )
  }
}

/** Compares the records of a CSV with the rows of its JSON; only exports have both. */
class Comparison {
  readonly #combination: Combination | null
  #row = 0
  #first: string | null = null

  constructor(combination: Combination | null) {
    this.#combination = combination
  }

  /** The first difference, if any. */
  get faults(): readonly string[] {
    return this.#first === null ? [] : [this.#first]
  }

  header(cells: readonly string[]): void {
    if (this.#combination?.endpoint === 'export') this.#first = headerFault(this.#combination.type, cells)
  }

  pair(row: ParsedDocument, cells: readonly string[]): void {
    this.#row += 1
    if (this.#combination?.endpoint === 'export')
      this.#first ??= rowFault(this.#combination.type, this.#row, row, cells)
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

  report(totals: ReportedTotals, document: ParsedDocument): void {
    const combination = this.#combination
    if (combination === null) return
    if (combination.endpoint === 'export' && combination.type === 'ideas')
      return totals.ideaRows(combination.period, this.#sums)
    const list = rowsAt(combination)?.list
    totals.take(combination, list === undefined ? document : { ...document, [list]: this.#all })
  }
}
