// Owns writing one export, JSON and CSV at once, while its rows come in. Knows neither what a row is nor a database.
import { createHash, type Hash } from 'node:crypto'
import { csvHeader, toCsv } from '../../analytics/csv-text.ts'
import { exportHead, exportTail, STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import type { ExportRow } from '../../contract/documents.ts'
import type { ExportType } from '../../contract/endpoints.ts'
import { snapshotPath, type Combination } from '../../contract/snapshot-paths.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { windowOf } from '../../contract/windows.ts'
import { countRecords } from '../../release/checks/csv-records.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import { rowSumsOf, type StreamedRowSums } from '../../release/checks/row-sums.ts'
import type { SnapshotStream } from '../../release/writing/snapshot-writer.ts'
import type { Staging } from '../../release/writing/staging.ts'

/** An export without its format. */
export type StreamedExport = Omit<Extract<Combination, { endpoint: 'export' }>, 'format'>

export class ExportStream {
  rows = 0
  #csvRows = 0
  readonly #asOfMs: number
  readonly #export: StreamedExport
  readonly #sums: StreamedRowSums | null
  readonly #json: SnapshotStream
  readonly #csv: SnapshotStream
  readonly #content: Hash

  constructor(staging: Staging, combination: StreamedExport, asOfMs: number) {
    this.#asOfMs = asOfMs
    this.#export = combination
    this.#sums = rowSumsOf(combination.type)
    this.#json = staging.stream(snapshotPath({ ...combination, format: 'json' }), STAMP_TAIL_BYTES)
    this.#csv = staging.stream(snapshotPath({ ...combination, format: 'csv' }), 0)
    const { type, period } = combination
    const { fromMs, toMs } = windowOf(period, asOfMs)
    const from = fromMs === null ? null : formatTimestamp(fromMs)
    const head = exportHead({ type, period, from, to: formatTimestamp(toMs) })
    this.#content = createHash('sha256').update(head.hashed)
    this.#json.write(head.text)
    this.#csv.write(csvHeader(type))
  }

  get type(): ExportType {
    return this.#export.type
  }

  /** Adds some rows, and waits until the disk has taken them: whoever makes rows waits for the disk, and memory stays bounded. */
  async add(rows: readonly ExportRow[]): Promise<void> {
    if (rows.length === 0) return
    // The text of the array without its brackets.
    const text = `${this.rows === 0 ? '' : ','}${JSON.stringify(rows).slice(1, -1)}`
    this.rows += rows.length
    this.#sums?.add(rows)
    this.#json.write(text)
    this.#content.update(text)
    const csv = toCsv(this.type, rows)
    this.#csvRows += countRecords(csv)
    this.#csv.write(csv)
    await this.#json.drain()
    await this.#csv.drain()
  }

  async end(generatedAt: string, reported: ReportedTotals): Promise<void> {
    const { rows } = this
    reported.rows(snapshotPath({ ...this.#export, format: 'csv' }), this.#csvRows)
    reported.rows(snapshotPath({ ...this.#export, format: 'json' }), rows)
    if (this.#sums !== null) reported.rowSums(this.#export, this.#sums)
    const tail = exportTail(rows, formatTimestamp(this.#asOfMs), generatedAt)
    this.#json.write(tail.text)
    await this.#json.end({ rows, contentHash: this.#content.update(tail.hashed).digest('hex') })
    await this.#csv.end({ rows, contentHash: null })
  }
}
