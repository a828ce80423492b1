// Owns proving the files of a release one by one: each is read once, a JSON together with its CSV, and compared with the
// manifest and with each other. Knows neither folder nor address.
import type { Combination } from '../../contract/kinds/register.ts'
import { TABLES, type ExportRow, type ExportType } from '../../contract/kinds/tables.ts'
import { BULK_PATH, combinationAt, tableOf } from '../../contract/snapshot-paths.ts'
import { siteKindOf, type SiteKind } from '../../contract/site-paths.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { contentHashOf, type ManifestFile } from '../format/manifest.ts'
import type { FoundRelease } from '../reading/release-reader.ts'
import { CsvOfRows } from './csv-of-rows.ts'
import { FileReading, type FoundFaults } from './file-reading.ts'
import { ROWS } from '../checks/kinds/register.ts'
import type { Rows } from '../quantities/rules.ts'
import { jsonRows, type ReadDocument } from './json-rows.ts'
import { ReportedTotals } from '../checks/reported-totals.ts'
import { documentFaults } from './validate-document.ts'
import { siblingFaults } from './verify-siblings.ts'
import { zipFault } from './verify-zip.ts'

/** A file, or the JSON and the CSV of an export. */
export type Unit = readonly [file: ManifestFile, csv?: ManifestFile]

/** Of which every row is kept; whoever serves one must not decide how many. The largest list categories. */
const KEPT: readonly string[] = ['overview', 'users', 'categories', 'history', 'revisions'] satisfies ExportType[]
const MAX_KEPT_BYTES = 64 << 20

export class FileVerifier {
  readonly totals: ReportedTotals
  readonly #release: FoundRelease
  readonly #foundFaults: FoundFaults
  readonly #names: ReadonlyMap<string, string>
  readonly #listed: ReadonlyMap<string, ManifestFile>

  constructor(release: FoundRelease, foundFaults: FoundFaults) {
    this.#release = release
    this.#foundFaults = foundFaults
    const { options } = release.manifest
    this.totals = new ReportedTotals(options.people, timeZoneOf(options))
    this.#names = new Map(release.manifest.categories.map(({ name, key }) => [key, name]))
    this.#listed = new Map(release.manifest.files.map((file) => [file.path, file]))
  }

  verify([file, csv]: Unit): Promise<void> {
    const kind = siteKindOf(file.path)
    return kind !== null || file.path.endsWith('.csv') ? this.#bytes(file, kind) : this.#read(file, csv ?? null)
  }

  /**
   * A file of the site, or a CSV whose JSON is missing, is compared by its bytes: a site is made from documents that are
   * compared with each other. Of the archive the tables are.
   */
  async #bytes(file: ManifestFile, kind: SiteKind | null): Promise<void> {
    const reading = FileReading.of(this.#release, file)
    try {
      const fault = file.path === BULK_PATH ? await zipFault(reading, this.#release.manifest) : null
      if (!(await this.#isWhole(reading))) return
      if (fault !== null) this.#note(file, [fault])
    } finally {
      await reading.close()
    }
    const table = this.#listed.get(tableOf(file.path) ?? '')
    if (file.path !== BULK_PATH && contentHashOf(file) !== file.sha256) this.#note(file, [OTHER_CONTENT])
    const other = table === undefined ? '' : `, ${table.path} has ${table.rows}`
    if (kind !== null && file.rows !== (table?.rows ?? null))
      this.#note(file, [`the manifest says ${file.rows} rows${other}`])
  }

  /** What was read of a file that is not whole counts for nothing. */
  async #read(file: ManifestFile, csv: ManifestFile | null): Promise<void> {
    const combination = this.combinationOf(file)
    if (combination?.endpoint === 'export' && KEPT.includes(combination.type) && file.bytes > MAX_KEPT_BYTES)
      return this.#note(file, [`${file.bytes} bytes, expected at most ${MAX_KEPT_BYTES}: nothing of it was read`])
    const json = FileReading.of(this.#release, file)
    const table = csv && FileReading.of(this.#release, csv)
    try {
      const { read, rows, difference } = await inParallel(json, table, combination)
      const document = (await this.#isWhole(json)) ? read : null
      const isWholeCsv = await this.#isWhole(table)
      if (document !== null) this.#json(file, document, combination, rows)
      if (csv !== null && isWholeCsv) this.#csv(csv, document, difference)
    } finally {
      await json.close()
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

  /**
   * @param json its JSON as it was read; null, or a sentence = nothing is known of its rows
   * @param difference the first one between both
   */
  #csv(file: ManifestFile, json: ReadDocument | string | null, difference: string | null): void {
    if (file.sha256 !== contentHashOf(file)) this.#note(file, [OTHER_CONTENT])
    if (json === null || typeof json === 'string') return
    if (json.rows !== file.rows) this.#note(file, [`the manifest says ${file.rows} rows, its JSON has ${json.rows}`])
    if (difference !== null) this.#note(file, [difference])
  }

  /** @param read the document, or why it is none */
  #json(file: ManifestFile, read: ReadDocument | string, combination: Combination | null, rows: Rows | null): void {
    if (typeof read === 'string') return this.#note(file, [read])
    this.#note(file, documentFaults(read, file, combination, this.#release.manifest))
    if (combination === null) return
    if (combination.endpoint !== 'export') this.totals.take(combination, read.document)
    else if (rows !== null) this.totals.takeRows(combination, rows, this.#release.manifest.dataAsOf)
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

const OTHER_CONTENT = 'its content hash is not the manifest’s'

/** What the rows of the JSON of an export say (there may be millions), and the first difference between them and its CSV. */
async function inParallel(json: FileReading, table: FileReading | null, combination: Combination | null) {
  const type = combination?.endpoint === 'export' ? combination.type : null
  const rows = type && ROWS[type]()
  const made = type && table && new CsvOfRows(type, table.next)
  const batches = jsonRows(json.next, type && { list: 'data', first: Object.keys(TABLES[type].columns)[0] ?? '' })
  for (;;) {
    const { done, value } = await batches.next()
    if (done === true) {
      await made?.end()
      return { read: value, rows, difference: made?.fault ?? null }
    }
    rows?.add(value as readonly ExportRow[])
    await made?.add(value as readonly ExportRow[])
  }
}
