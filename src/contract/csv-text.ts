// Owns how rows become CSV: RFC 4180, of cells that csv-cell.ts has the text of.
import { stringify } from 'csv-stringify/sync'
import { csvCell } from './csv-cell.ts'
import { EXPORT_COLUMNS } from './columns.ts'
import type { ExportRow, ExportType } from './kinds/tables.ts'

/** The records of some rows, each ending in CRLF, without the header. */
export function toCsv(type: ExportType, rows: readonly ExportRow[]): string {
  return csvOf(EXPORT_COLUMNS[type], rows)
}

/** The same with columns that another version may have. */
export function csvOf(columns: readonly string[], rows: readonly ExportRow[]): string {
  return toText(rows.map((row) => columns.map((column) => csvCell(column, row[column]))))
}

export function csvHeader(type: ExportType): string {
  return toText([[...EXPORT_COLUMNS[type]]])
}

// Cells come as finished text: of csv-stringify's defaults only delimiter and quotes fit (record end LF, dates as epoch,
// `false` empty). quote_record_delimiter: it looks for the whole record end, but a lone CR or LF must be quoted, too.
function toText(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][], { record_delimiter: '\r\n', quote_record_delimiter: true })
}
