// Owns writing exports in JSON, in CSV and as a sheet at once, as their rows come: those of ideas while they are read,
// those over time one category after the other. Knows no database.
import { createHash } from 'node:crypto'
import { publishedIdea, TABLE_MAKERS, type DocumentData } from '../../analytics/kinds.ts'
import { columnsOf, EXPORT_COLUMNS } from '../../contract/columns.ts'
import { csvHeader, csvOf } from '../../contract/csv-text.ts'
import { aroundList, STAMP_TAIL_BYTES } from '../../contract/document-text.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { searchFiles } from '../../contract/search-files.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { exportEndMs } from '../../contract/people.ts'
import type { IdeaFacts } from '../../model/facts.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { ownInterval, PERIODS, windowOf, writtenWindow } from '../../contract/windows.ts'
import { ROWS } from '../../release/checks/kinds/register.ts'
import type { ExportCombination } from '../../release/quantities/rules.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { beginSheet } from '../../release/writing/workbook.ts'

/** What all documents of a release are made of. */
export interface Context extends DocumentData {
  readonly generatedAt: string
  readonly reported: ReportedTotals
  /** Whether the release is a website, too. */
  readonly isSite: boolean
}

type AboutExports = Pick<Context, 'asOfMs' | 'zone' | 'mode' | 'isSite' | 'generatedAt' | 'reported'>

function exportStream(staging: Staging, exported: ExportCombination, about: AboutExports) {
  const { asOfMs, zone, mode, isSite, generatedAt, reported } = about
  const { type, period, interval = ownInterval(period) } = exported
  const ownRows = ROWS[type]()
  const json = staging.stream(snapshotPath({ ...exported, format: 'json' }), STAMP_TAIL_BYTES)
  const csv = staging.stream(snapshotPath({ ...exported, format: 'csv' }), 0)
  const isAll = period === 'all' && interval === ownInterval(period)
  const sheet = isSite && isAll ? beginSheet(staging, type, columnsOf(type, interval), zone) : null
  const search = sheet !== null && type === 'ideas' ? searchFiles(zone) : null
  const window = writtenWindow(period, exportEndMs(type, mode, asOfMs, zone))
  const head = aroundList({ type, period, ...window, ...zone.named }, 'data')
  const content = createHash('sha256').update(head.hashed.before)
  json.write(head.text.before)
  csv.write(csvHeader(EXPORT_COLUMNS[type]))
  let rowCount = 0
  return {
    /** Adds some rows, and waits until the disk has taken them: whoever makes rows waits for the disk, and memory stays bounded. */
    async add(rows: readonly ExportRow[]): Promise<void> {
      if (rows.length === 0) return
      // The text of the array without its brackets.
      const text = `${rowCount === 0 ? '' : ','}${JSON.stringify(rows).slice(1, -1)}`
      rowCount += rows.length
      ownRows.add(rows)
      json.write(text)
      content.update(text)
      csv.write(csvOf(EXPORT_COLUMNS[type], rows))
      await json.drain()
      await csv.drain()
      await sheet?.add(rows)
      search?.add(rows)
    },
    async end(): Promise<void> {
      const [rows, dataAsOf] = [rowCount, formatTimestamp(asOfMs)]
      reported.takeRows(exported, ownRows, dataAsOf)
      const tail = aroundList({ data: [], rowCount, dataAsOf }, 'data', generatedAt)
      json.write(tail.text.after)
      await json.end({ rows, contentHash: content.update(tail.hashed.after).digest('hex') })
      await csv.end({ rows })
      await sheet?.end()
      // Readers wait for these: 14 % less in three times the processor time, 0.1 s for 20,000 ideas.
      for (const { path, text } of search?.files() ?? [])
        await staging.put(path, text, { rows: null, tail: 0, brQuality: 7 })
    },
  }
}

/** The exports of ideas, for every period. */
export function ideasExport(staging: Staging, about: Omit<AboutExports, 'mode'>, siteUrl: string | null) {
  const streams = PERIODS.map((period) => {
    const stream = exportStream(staging, { endpoint: 'export', type: 'ideas', period }, { ...about, mode: 'exact' })
    return { period, stream, fromMs: windowOf(period, about.asOfMs).fromMs ?? Number.NEGATIVE_INFINITY }
  })
  return {
    /** Adds a batch, and waits until the disk has taken it: the database waits for the disk. */
    async add(ideas: readonly IdeaFacts[]): Promise<void> {
      for (const { period, stream, fromMs } of streams) {
        const rows: ExportRow[] = []
        for (const idea of ideas) {
          // Ideas come newest first: after the first one that is too old, all are.
          if (idea.createdAtMs < fromMs) break
          rows.push(publishedIdea(idea, period, siteUrl))
        }
        await stream.add(rows)
      }
    },
    async end(): Promise<void> {
      for (const { stream } of streams) await stream.end()
    },
  }
}

/** Writes any export but those of ideas. */
export async function writeExport(
  staging: Staging,
  combination: ExportCombination,
  context: Context,
  signal: AbortSignal,
): Promise<void> {
  const { type, period, interval = ownInterval(period) } = combination
  const making = TABLE_MAKERS[type]
  if (!('rows' in making)) return
  const stream = exportStream(staging, combination, context)
  for (const rows of making.rows({ period, interval }, context)) {
    signal.throwIfAborted()
    await stream.add(rows)
  }
  await stream.end()
}
