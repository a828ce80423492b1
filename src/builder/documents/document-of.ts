// Owns the text of the document of one combination, from what was counted. Writes nothing.
import { createHash } from 'node:crypto'
import type { Counted } from '../../analytics/kinds/making.ts'
import { DOCUMENTS, TABLES } from '../../analytics/kinds/register.ts'
import { csvHeader, toCsv } from '../../contract/csv-text.ts'
import { STAMP_TAIL_BYTES, textAndHash } from '../../contract/document-text.ts'
import { KINDS, type Combination } from '../../contract/kinds/register.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'
import { exportEndMs } from '../../contract/people.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { windowOf, type Period } from '../../contract/windows.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'

export interface Made {
  readonly text: string
  readonly contentHash: string
  readonly rows: number | null
  /** Bytes at the end that siblings leave uncompressed. */
  readonly tail: number
}

/** What all documents of a release are made of. */
export interface Context extends Counted {
  readonly generatedAt: string
  readonly reported: ReportedTotals
}

/** The text of any combination that is not written row by row. */
export function documentOf(combination: Combination, context: Context): Made {
  if (combination.endpoint === 'export') return exportOf(combination, context)
  const document = DOCUMENTS[combination.endpoint].make(combination, context)
  context.reported.take(combination, document)
  const { list } = KINDS[combination.endpoint]
  const rows = list === undefined ? null : (document as Readonly<Record<string, readonly object[]>>)[list]
  return json(document, rows?.length ?? null, context.generatedAt)
}

type ExportCombination = Extract<Combination, { endpoint: 'export' }>

function exportOf(combination: ExportCombination, context: Context): Made {
  const { asOfMs, generatedAt, reported, mode } = context
  const { type, period, format } = combination
  const rows = rowsOf(combination, context)
  if (format === 'csv') {
    const text = csvHeader(type) + toCsv(type, rows)
    return { text, contentHash: createHash('sha256').update(text).digest('hex'), rows: rows.length, tail: 0 }
  }
  const { fromMs, toMs } = windowOf(period, exportEndMs(type, mode, asOfMs))
  const head = { type, period, from: fromMs === null ? null : formatTimestamp(fromMs), to: formatTimestamp(toMs) }
  const document = { ...head, data: rows, rowCount: rows.length, dataAsOf: formatTimestamp(asOfMs) }
  reported.take(combination, document)
  return json(document, rows.length, generatedAt)
}

/** The rows of an export that is not written row by row. */
export function rowsOf(
  { type, period }: { readonly type: ExportType; readonly period: Period },
  context: Counted,
): readonly ExportRow[] {
  const making = TABLES[type]
  if (!('rows' in making)) throw new TypeError(`the exports of type ${type} are written row by row`)
  return making.rows(period, context)
}

function json(document: object, rows: number | null, generatedAt: string): Made {
  return { ...textAndHash(document, generatedAt), rows, tail: STAMP_TAIL_BYTES }
}
