// Owns streaming the ideas exports, JSON and CSV of every period at once, while the ideas come in. Knows no database.
import { createHash, type Hash } from 'node:crypto'
import { csvHeader, toCsv } from '../../analytics/csv-text.ts'
import { ideaRow } from '../../analytics/exports.ts'
import { exportHead, exportTail, STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import type { ExportRow } from '../../contract/documents.ts'
import type { IdeaFacts } from '../../contract/facts.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { PERIODS, windowOf, type Period } from '../../contract/windows.ts'
import { countRecords } from '../../release/checks/csv-records.ts'
import { IdeaRowSums, type ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { SnapshotStream } from '../../release/writing/snapshot-writer.ts'
import type { Staging } from '../../release/writing/staging.ts'

interface PeriodExport {
  readonly period: Period
  readonly json: SnapshotStream
  readonly csv: SnapshotStream
  readonly content: Hash
  readonly sums: IdeaRowSums
  csvRows: number
}

export class IdeasExport {
  readonly #asOfMs: number
  readonly #siteUrl: string | null
  readonly #periods: readonly PeriodExport[]

  constructor(stage: Staging, asOfMs: number, siteUrl: string | null) {
    this.#asOfMs = asOfMs
    this.#siteUrl = siteUrl
    this.#periods = PERIODS.map((period) => {
      const combination = { endpoint: 'export', type: 'ideas', period } as const
      const json = stage.stream(snapshotPath({ ...combination, format: 'json' }), STAMP_TAIL_BYTES)
      const csv = stage.stream(snapshotPath({ ...combination, format: 'csv' }), 0)
      const { fromMs, toMs } = windowOf(period, asOfMs)
      const from = fromMs === null ? null : formatTimestamp(fromMs)
      const head = exportHead({ type: 'ideas', period, from, to: formatTimestamp(toMs) })
      json.write(head.text)
      csv.write(csvHeader('ideas'))
      const content = createHash('sha256').update(head.hashed)
      return { period, json, csv, content, sums: new IdeaRowSums(), csvRows: 0 }
    })
  }

  /** Adds a batch, and waits until the disk has taken it: the database waits for the disk, and memory stays bounded. */
  async add(ideas: readonly IdeaFacts[]): Promise<void> {
    for (const one of this.#periods) {
      const rows: ExportRow[] = []
      for (const idea of ideas) {
        const row = ideaRow(idea, one.period, this.#asOfMs, this.#siteUrl)
        // Ideas come newest first: after the first one that is too old, all are.
        if (row === null) break
        rows.push(row)
      }
      if (rows.length === 0) continue
      // The text of the array without its brackets.
      const text = `${one.sums.rows === 0 ? '' : ','}${JSON.stringify(rows).slice(1, -1)}`
      one.sums.add(rows)
      one.json.write(text)
      one.content.update(text)
      const csv = toCsv('ideas', rows)
      one.csvRows += countRecords(csv)
      one.csv.write(csv)
      await one.json.drain()
      await one.csv.drain()
    }
  }

  async end(generatedAt: string, reported: ReportedTotals): Promise<void> {
    for (const { period, json, csv, content, sums, csvRows } of this.#periods) {
      const { rows } = sums
      reported.ideaRows(period, sums)
      reported.rows('ideas', period, 'csv', csvRows)
      const tail = exportTail(rows, formatTimestamp(this.#asOfMs), generatedAt)
      json.write(tail.text)
      await json.end({ rows, contentHash: content.update(tail.hashed).digest('hex') })
      await csv.end({ rows, contentHash: null })
    }
  }
}
