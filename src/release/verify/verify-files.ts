// Owns proving the files of a release one by one: each is read once and compared with the manifest, and with what the
// others state. Knows neither folder nor address.
import type { Combination } from '../../contract/kinds/register.ts'
import { EXPORT_TYPES, TABLES, type ExportRow } from '../../contract/kinds/tables.ts'
import { SEARCH_FILE, searchFiles } from '../../contract/search-files.ts'
import { BULK_PATH, combinationAt, IDEAS_WORKBOOK, isWorkbook, snapshotPath } from '../../contract/snapshot-paths.ts'
import { siteKindOf, type SiteKind } from '../../contract/site-paths.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { contentHashOf, type ManifestFile } from '../format/manifest.ts'
import { hash } from 'node:crypto'
import type { FoundRelease } from '../reading/release-reader.ts'
import { csvOfRows, headerFault } from './csv-of-rows.ts'
import type { FileReading, FoundFaults } from './file-reading.ts'
import { ROWS } from '../checks/kinds/register.ts'
import { jsonRows, type ParsedDocument, type ReadDocument } from './json-rows.ts'
import { ReportedTotals } from '../checks/reported-totals.ts'
import { documentFaults } from './validate-document.ts'
import { verifySiblings } from './verify-siblings.ts'
import { sheetOfRows, workbookEntries, type MadeSheet } from './verify-workbook.ts'
import { bulkEntries, zipFault } from './verify-zip.ts'

/** Of these every row is kept; whoever serves one must not decide how many. The largest list categories. */
const KEPT = EXPORT_TYPES.filter((type) => type !== 'ideas' && !type.endsWith('-by-category'))
const MAX_KEPT_BYTES = 64 << 20
/** No header is longer. */
const MAX_HEADER_BYTES = 1 << 12

type Exported = Extract<Combination, { readonly endpoint: 'export' }>

export class FileVerifier {
  readonly totals: ReportedTotals
  readonly #release: FoundRelease
  readonly #found: FoundFaults
  readonly #names: ReadonlyMap<string, string>
  readonly #listed: ReadonlyMap<string, ManifestFile>
  /** The sheets that the tables of all time make, by their names. */
  readonly #sheets = new Map<string, MadeSheet>()

  constructor(release: FoundRelease, found: FoundFaults) {
    this.#release = release
    this.#found = found
    const { options } = release.manifest
    this.totals = new ReportedTotals(options.people, timeZoneOf(options))
    this.#names = new Map(release.manifest.categories.map(({ name, key }) => [key, name]))
    this.#listed = new Map(release.manifest.files.map((file) => [file.path, file]))
  }

  /** A workbook must be verified after all tables. */
  verify(file: ManifestFile): Promise<void> {
    const kind = siteKindOf(file.path)
    if (kind !== null || file.path.endsWith('.csv')) return this.#bytes(file, kind)
    const combination = this.#combinationOf(file)
    return combination?.endpoint === 'export' ? this.#table(file, combination) : this.#document(file, combination)
  }

  /**
   * A file of the site, or a CSV, is compared by its bytes: a site is made from documents that are compared with each other, and of
   * a CSV its JSON tells the hash, where that has rows. Of the archive and the workbooks the tables are compared.
   */
  async #bytes(file: ManifestFile, kind: SiteKind | null): Promise<void> {
    const fault = await this.#whole(file, (reading) => this.#contentFault(reading))
    if (fault === undefined) return
    if (fault !== null) this.#note(file, fault)
    if (file.path !== BULK_PATH && !isWorkbook(file.path) && contentHashOf(file) !== file.sha256)
      this.#note(file, 'its content hash is not the manifest’s')
    const rows = file.path === IDEAS_WORKBOOK ? (this.#sheets.get('ideas')?.rows ?? file.rows) : null
    const made = rows === null ? '' : `, its table has ${rows}`
    if (kind !== null && file.rows !== rows) this.#note(file, `the manifest says ${file.rows} rows${made}`)
  }

  async #contentFault(reading: FileReading<ManifestFile>): Promise<string | null> {
    const { file } = reading
    const { files, dataAsOf } = this.#release.manifest
    if (file.path === BULK_PATH) return zipFault(reading, bulkEntries(files), dataAsOf)
    const entries = isWorkbook(file.path) ? workbookEntries(file.path, files, this.#sheets) : null
    if (entries !== null) return typeof entries === 'string' ? entries : zipFault(reading, entries, dataAsOf)
    const combination = this.#combinationOf(file)
    if (combination?.endpoint !== 'export' || file.rows !== 0) return null
    return headerFault(await reading.take(MAX_HEADER_BYTES), combination.type)
  }

  async #document(file: ManifestFile, combination: Exclude<Combination, Exported> | null): Promise<void> {
    const read = await this.#json(file, combination, null)
    if (read !== null && combination !== null) this.totals.take(combination, read.document)
  }

  async #table(file: ManifestFile, combination: Exported): Promise<void> {
    const { type } = combination
    const { options, dataAsOf } = this.#release.manifest
    if (KEPT.includes(type) && file.bytes > MAX_KEPT_BYTES)
      return this.#note(file, `${file.bytes} bytes, expected at most ${MAX_KEPT_BYTES}: nothing of it was read`)
    const rows = ROWS[type]()
    const csv = csvOfRows(type)
    const isSheet = file.path === snapshotPath({ endpoint: 'export', type, period: 'all', format: 'json' })
    const sheet = isSheet ? sheetOfRows(type, timeZoneOf(options)) : null
    const search = isSheet && type === 'ideas' ? searchFiles(timeZoneOf(options)) : null
    const takers = [rows, csv, sheet, search]
    const [first = ''] = Object.keys(TABLES[type].columns)
    const read = await this.#json(file, combination, first, (batch) => {
      for (const one of takers) one?.add(batch as readonly ExportRow[])
    })
    if (read === null) return
    const made = (search?.files() ?? []).map(({ path, text }) => `${path} ${hash('sha256', text)}`)
    const listed = [...this.#listed.values()].filter(({ path }) => search !== null && SEARCH_FILE.test(path))
    const found = listed.map(({ path, sha256 }) => `${path} ${sha256}`).sort()
    // A release without pages has none.
    if (found.length > 0 && found.join() !== made.join())
      this.#note(file, 'the files of the search are not what its rows make')
    if (sheet !== null) this.#sheets.set(type, sheet.end())
    this.totals.takeRows(combination, rows, dataAsOf)
    this.#csv(file.path.replace(/\.json$/, '.csv'), read, csv)
  }

  /** null = it is not whole, or no document, which is noted: what was read of it counts for nothing. */
  async #json(
    file: ManifestFile,
    combination: Combination | null,
    first: string | null,
    take: (rows: readonly ParsedDocument[]) => void = () => {},
  ): Promise<ReadDocument | null> {
    const read = await this.#whole(file, ({ next }) => jsonRows(next, first, take))
    if (typeof read === 'string') this.#note(file, read)
    if (read === undefined || typeof read === 'string') return null
    this.#note(file, ...documentFaults(read, file, combination, this.#release.manifest))
    return read
  }

  #csv(path: string, { rows }: ReadDocument, made: ReturnType<typeof csvOfRows>): void {
    const file = this.#listed.get(path)
    if (file === undefined) return
    if (rows !== file.rows) this.#note(file, `the manifest says ${file.rows} rows, its JSON has ${rows}`)
    const fault = made.fault(file.sha256)
    if (fault !== null) this.#note(file, fault)
  }

  async #whole<T>(
    file: ManifestFile,
    work: (reading: FileReading<ManifestFile>) => Promise<T>,
  ): Promise<T | undefined> {
    const made = await this.#found.whole(this.#release, file, work)
    if (made !== undefined) await verifySiblings(this.#release, file, this.#found)
    return made
  }

  #combinationOf({ path }: ManifestFile): Combination | null {
    return combinationAt(path, (key) => this.#names.get(key))
  }

  #note({ path }: ManifestFile, ...faults: readonly string[]): void {
    this.#found.note(path, ...faults.map((fault) => `${path}: ${fault}`))
  }
}
