// Owns the text of the document of one combination, from what was counted. Writes nothing.
import { createHash } from 'node:crypto'
import type { Categories } from '../../analytics/categories.ts'
import { csvHeader, toCsv } from '../../analytics/csv-text.ts'
import { categoryRows, userRows } from '../../analytics/exports.ts'
import { historyRow, publishAgain, withRow } from '../../analytics/history.ts'
import { overviewRows } from '../../analytics/overview.ts'
import type { PublishedPeople } from '../../analytics/people.ts'
import type { Trending } from '../../analytics/trending.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../contract/document-text.ts'
import { historyIn } from '../../contract/history.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { HistoryRow } from '../../contract/kinds/history.ts'
import type { Combination } from '../../contract/kinds/register.ts'
import type { StatsDocument } from '../../contract/kinds/stats.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { exportEndMs, type PeopleMode } from '../../contract/people.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { windowOf } from '../../contract/windows.ts'
import { countRecords } from '../../release/checks/csv-records.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'

export interface Made {
  readonly text: string
  readonly contentHash: string
  readonly rows: number | null
  /** Bytes at the end that siblings leave uncompressed. */
  readonly tail: number
}

/** The rows that were published before, and what this one's says of its mapping. */
export interface History {
  readonly earlier: readonly HistoryRow[]
  readonly mappingSha256: string
}

/** What all documents of a release are made of. */
export interface Context {
  readonly asOfMs: number
  /** How numbers of people are published. */
  readonly mode: PeopleMode
  readonly generatedAt: string
  readonly categories: Categories
  readonly trending: Trending
  readonly reported: ReportedTotals
  readonly firstMonthMs: number | null
  readonly people: Promise<PublishedPeople>
  /** Sorts the categories: made once for all documents that have these totals. */
  readonly stats: () => Promise<StatsDocument>
  readonly history: History | null
}

/** The text of any combination that is not streamed. */
export async function documentOf(combination: Combination, context: Context): Promise<Made> {
  const { asOfMs, generatedAt, categories, trending, reported, firstMonthMs } = context
  switch (combination.endpoint) {
    case 'stats': {
      const document = await context.stats()
      reported.take(combination, document)
      return json(document, null, generatedAt)
    }
    case 'trending': {
      const { period, category } = combination
      const document =
        category === null ? trending.ofAllIdeas(period, asOfMs) : trending.document(period, category, asOfMs)
      return json(document, document.count, generatedAt)
    }
    case 'categories': {
      const document = categories.document(combination.period, asOfMs)
      reported.take(combination, document)
      return json(document, document.count, generatedAt)
    }
    case 'timeline': {
      const document = categories.all.timeline.document(combination, null, firstMonthMs)
      reported.take(combination, { ...document, dataAsOf: formatTimestamp(asOfMs) })
      return json({ ...document, dataAsOf: formatTimestamp(asOfMs) }, document.count, generatedAt)
    }
    case 'outcomes': {
      const document = { ...categories.all.outcomes.document(null, asOfMs), dataAsOf: formatTimestamp(asOfMs) }
      reported.take(combination, document)
      return json(document, null, generatedAt)
    }
    case 'category': {
      const document = categories.file(combination.category, firstMonthMs, asOfMs)
      reported.take(combination, document)
      return json(document, null, generatedAt)
    }
    case 'export':
      return exportOf(combination, context)
  }
}

type ExportCombination = Extract<Combination, { endpoint: 'export' }>

async function exportOf(combination: ExportCombination, context: Context): Promise<Made> {
  const { asOfMs, generatedAt, reported, mode } = context
  const { type, period, format } = combination
  const rows = await rowsOf(combination, context)
  if (format === 'csv') {
    const text = csvHeader(type) + toCsv(type, rows)
    reported.rows(snapshotPath(combination), countRecords(text) - 1)
    return { text, contentHash: createHash('sha256').update(text).digest('hex'), rows: rows.length, tail: 0 }
  }
  const { fromMs, toMs } = windowOf(period, exportEndMs(type, mode, asOfMs))
  const head = { type, period, from: fromMs === null ? null : formatTimestamp(fromMs), to: formatTimestamp(toMs) }
  const document = { ...head, data: rows, rowCount: rows.length, dataAsOf: formatTimestamp(asOfMs) }
  reported.take(combination, document)
  return json(document, rows.length, generatedAt)
}

/** The rows of an export that is not streamed. */
export async function rowsOf(
  { type, period }: Pick<ExportCombination, 'type' | 'period'>,
  context: Context,
): Promise<readonly ExportRow[]> {
  const { categories, people } = context
  switch (type) {
    case 'overview':
      return overviewRows(period, categories, await people)
    case 'users':
      return userRows(period, await people)
    case 'categories':
      return categoryRows(period, categories)
    case 'history':
      return historyIn(await historyOf(context), period, context.asOfMs).map((row) => ({ ...row }))
    case 'ideas':
    case 'timeline':
    case 'outcomes':
      throw new TypeError(`the exports of type ${type} are written row by row`)
  }
}

async function historyOf(context: Context): Promise<readonly HistoryRow[]> {
  const { history, asOfMs, mode } = context
  if (history === null) return []
  const { accounts } = await context.people
  const own = historyRow(await context.stats(), accounts, asOfMs, history.mappingSha256)
  return withRow(publishAgain(history.earlier, mode), own)
}

function json(document: object, rows: number | null, generatedAt: string): Made {
  return { ...textAndHash(document, generatedAt), rows, tail: STAMP_TAIL_BYTES }
}
