// Owns writing exports, in JSON, CSV and that of Excel at once, as their rows come: those of ideas while they are read, those over time one set
// of ideas after the other. Knows no database.
import { createHash, type Hash } from 'node:crypto'
import { ideaRow, TABLES } from '../../analytics/kinds.ts'
import { csvHeader, EXCEL_ENCODING, excelHeader, toCsv, toExcel } from '../../contract/csv-text.ts'
import { exportHead, exportTail, STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { BY_CATEGORY_PATH, excelPath, hasCategoriesAlone, snapshotPath } from '../../contract/snapshot-paths.ts'
import { exportEndMs } from '../../contract/people.ts'
import type { IdeaFacts } from '../../model/facts.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { ownInterval, type Period, PERIODS, windowOf } from '../../contract/windows.ts'
import { ROWS } from '../../release/checks/kinds/register.ts'
import type { ExportCombination, Rows } from '../../release/quantities/rules.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { SnapshotStream } from '../../release/writing/snapshot-writer.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { Context } from './document-of.ts'

/** Of 52 MB of UTF-16, level 1 makes 7.9 MB in 0.13 s of processor time, level 6 makes 6.2 MB in 0.77 s. */
const GZIP_LEVEL = 1

type AboutExports = Pick<Context, 'asOfMs' | 'zone' | 'mode' | 'isSite'>

class ExportStream {
  #rows = 0
  readonly #asOfMs: number
  readonly #export: ExportCombination
  readonly #reported: Rows
  readonly #json: SnapshotStream
  readonly #csv: SnapshotStream
  /** The ideas once more. */
  readonly #excel: SnapshotStream | null
  readonly #byCategory: SnapshotStream | null
  readonly #content: Hash

  constructor(staging: Staging, combination: ExportCombination, { asOfMs, zone, mode, isSite }: AboutExports) {
    const { type, period } = combination
    this.#asOfMs = asOfMs
    this.#export = combination
    this.#reported = ROWS[type]()
    this.#json = staging.stream(snapshotPath({ ...combination, format: 'json' }), STAMP_TAIL_BYTES)
    const csvPath = snapshotPath({ ...combination, format: 'csv' })
    this.#csv = staging.stream(csvPath, 0)
    this.#byCategory = isSite && hasCategoriesAlone(csvPath) ? staging.stream(BY_CATEGORY_PATH, 0) : null
    this.#excel = isSite && type === 'ideas' ? staging.stream(excelPath(period), 0, GZIP_LEVEL) : null
    const { fromMs, toMs } = windowOf(period, exportEndMs(type, mode, asOfMs, zone))
    const from = fromMs === null ? null : formatTimestamp(fromMs)
    const head = exportHead({ type, period, from, to: formatTimestamp(toMs), ...zone.named })
    this.#content = createHash('sha256').update(head.hashed)
    this.#json.write(head.text)
    this.#csv.write(csvHeader(type))
    this.#excel?.write(excelHeader(type), EXCEL_ENCODING)
    this.#byCategory?.write(csvHeader(type))
  }

  /** Adds some rows, and waits until the disk has taken them: whoever makes rows waits for the disk, and memory stays bounded. */
  async add(rows: readonly ExportRow[]): Promise<void> {
    if (rows.length === 0) return
    // The text of the array without its brackets.
    const text = `${this.#rows === 0 ? '' : ','}${JSON.stringify(rows).slice(1, -1)}`
    this.#rows += rows.length
    this.#reported.add(rows)
    this.#json.write(text)
    this.#content.update(text)
    const csv = toCsv(this.#export.type, rows)
    this.#csv.write(csv)
    await this.#json.drain()
    await this.#csv.drain()
    this.#excel?.write(toExcel(this.#export.type, rows), EXCEL_ENCODING)
    await this.#excel?.drain()
    // Rows that come at once are of one set of ideas.
    if (rows[0]?.['category'] !== null) this.#byCategory?.write(csv)
    await this.#byCategory?.drain()
  }

  async end(generatedAt: string, reported: ReportedTotals): Promise<void> {
    const [rows, dataAsOf] = [this.#rows, formatTimestamp(this.#asOfMs)]
    reported.takeRows(this.#export, this.#reported, dataAsOf)
    const tail = exportTail(rows, dataAsOf, generatedAt)
    this.#json.write(tail.text)
    await this.#json.end({ rows, contentHash: this.#content.update(tail.hashed).digest('hex') })
    await this.#csv.end({ rows })
    await this.#excel?.end({ rows })
    await this.#byCategory?.end({ rows: null })
  }
}

export class IdeasExport {
  readonly #asOfMs: number
  readonly #siteUrl: string | null
  readonly #periods: readonly { readonly period: Period; readonly stream: ExportStream }[]

  constructor(staging: Staging, asOfMs: number, zone: TimeZone, siteUrl: string | null, isSite: boolean) {
    this.#asOfMs = asOfMs
    this.#siteUrl = siteUrl
    this.#periods = PERIODS.map((period) => ({
      period,
      stream: new ExportStream(
        staging,
        { endpoint: 'export', type: 'ideas', period },
        { asOfMs, zone, mode: 'exact', isSite },
      ),
    }))
  }

  /** Adds a batch, and waits until the disk has taken it: the database waits for the disk. */
  async add(ideas: readonly IdeaFacts[]): Promise<void> {
    for (const { period, stream } of this.#periods) {
      const rows: ExportRow[] = []
      for (const idea of ideas) {
        const row = ideaRow(idea, period, this.#asOfMs, this.#siteUrl)
        // Ideas come newest first: after the first one that is too old, all are.
        if (row === null) break
        rows.push(row)
      }
      await stream.add(rows)
    }
  }

  async end(generatedAt: string, reported: ReportedTotals): Promise<void> {
    for (const { stream } of this.#periods) await stream.end(generatedAt, reported)
  }
}

/** Any export but those of ideas. */
export async function writeExport(
  staging: Staging,
  combination: ExportCombination,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { type, period, interval = ownInterval(period) } = combination
  const making = TABLES[type]
  if (!('rows' in making)) return
  const stream = new ExportStream(staging, combination, context)
  for (const rows of making.rows({ period, interval }, context)) {
    signal.throwIfAborted()
    await stream.add(rows)
  }
  await stream.end(context.generatedAt, context.reported)
}
