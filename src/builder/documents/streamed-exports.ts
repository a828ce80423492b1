// Owns writing exports row by row, JSON and CSV at once: the ideas while they come in, then the exports over time, one
// set of ideas after the other. Knows no database.
import { createHash, type Hash } from 'node:crypto'
import { ideaRow } from '../../analytics/kinds/ideas.ts'
import { TABLES } from '../../analytics/kinds/register.ts'
import { csvHeader, toCsv } from '../../contract/csv-text.ts'
import { exportHead, exportTail, STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import type { Combination } from '../../contract/kinds/register.ts'
import { EXPORT_TYPES, TABLES as KINDS, type ExportRow, type ExportType } from '../../contract/kinds/tables.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { IdeaFacts } from '../../model/facts.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { INTERVALS_OF, ownInterval, type Period, PERIODS, windowOf } from '../../contract/windows.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import { rowSumsOf, type StreamedRowSums } from '../../release/checks/row-sums.ts'
import type { SnapshotStream } from '../../release/writing/snapshot-writer.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { Context as DocumentContext } from './document-of.ts'
import { writeParquet } from './other-formats.ts'

/** An export without its format. */
export type StreamedExport = Omit<Extract<Combination, { endpoint: 'export' }>, 'format'>

export class ExportStream {
  rows = 0
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
    this.#csv.write(toCsv(this.type, rows))
    await this.#json.drain()
    await this.#csv.drain()
  }

  async end(generatedAt: string, reported: ReportedTotals): Promise<void> {
    const { rows } = this
    if (this.#sums !== null) reported.rowSums(this.#export, this.#sums)
    const tail = exportTail(rows, formatTimestamp(this.#asOfMs), generatedAt)
    this.#json.write(tail.text)
    await this.#json.end({ rows, contentHash: this.#content.update(tail.hashed).digest('hex') })
    await this.#csv.end({ rows, contentHash: null })
  }
}

export class IdeasExport {
  readonly #asOfMs: number
  readonly #siteUrl: string | null
  readonly #periods: readonly { readonly period: Period; readonly stream: ExportStream }[]

  constructor(staging: Staging, asOfMs: number, siteUrl: string | null) {
    this.#asOfMs = asOfMs
    this.#siteUrl = siteUrl
    this.#periods = PERIODS.map((period) => ({
      period,
      stream: new ExportStream(staging, { endpoint: 'export', type: 'ideas', period }, asOfMs),
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

interface Context extends DocumentContext {
  readonly signal: AbortSignal
}

/** @param isSite the timeline is written as Parquet, too */
export async function writeRowsOverTime(staging: Staging, context: Context, isSite: boolean): Promise<void> {
  for (const type of EXPORT_TYPES) {
    const making = TABLES[type]
    if (!('parts' in making)) continue
    for (const period of PERIODS)
      for (const interval of KINDS[type].hasDays === true ? INTERVALS_OF[period] : [ownInterval(period)]) {
        const byDay = period === 'all' && interval === 'day' ? { interval } : {}
        const parts = making.parts({ period, interval }, context)
        await write(staging, { endpoint: 'export', type, period, ...byDay }, parts, context)
      }
  }
  if (isSite) await writeParquet(staging, 'timeline', context.signal)
}

/** @param parts the rows of one set of ideas after the other */
async function write(
  staging: Staging,
  combination: StreamedExport,
  parts: Iterable<readonly ExportRow[]>,
  { asOfMs, generatedAt, reported, signal }: Context,
): Promise<void> {
  const stream = new ExportStream(staging, combination, asOfMs)
  for (const rows of parts) {
    signal.throwIfAborted()
    await stream.add(rows)
  }
  await stream.end(generatedAt, reported)
}
