// Owns writing the ideas exports of every period at once, while the ideas come in. Knows no database.
import { ideaRow } from '../../analytics/exports.ts'
import type { ExportRow } from '../../contract/documents.ts'
import type { IdeaFacts } from '../../contract/facts.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { ExportStream } from './export-stream.ts'

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
