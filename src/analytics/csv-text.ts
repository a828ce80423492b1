// Owns how rows become CSV: RFC 4180, with cells that a spreadsheet would run as a formula made harmless.
import { stringify } from 'csv-stringify/sync'
import { EXPORT_COLUMNS, TEXT_COLUMNS, type Cell, type ExportRow } from '../contract/documents.ts'
import type { ExportType } from '../contract/endpoints.ts'

// OWASP, "CSV Injection": = + - @ begin a formula, tab and CR may; spreadsheets skip white space, what cannot be seen,
// and full-width twins are folded to ASCII on import.
const FORMULA = /^(?:[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/u
const DECIMAL = /^-?\d+(?:\.\d+)?$/

function cellText(column: string, cell: Cell | undefined): string {
  if (cell === null || cell === undefined) return ''
  const text = String(cell)
  return TEXT_COLUMNS.has(column) && FORMULA.test(text) && !DECIMAL.test(text) ? `'${text}` : text
}

/** The records of some rows, each ending in CRLF, without the header. */
export function csvRecords(type: ExportType, rows: readonly ExportRow[]): string {
  const columns = EXPORT_COLUMNS[type]
  return toText(rows.map((row) => columns.map((column) => cellText(column, row[column]))))
}

export function csvHeader(type: ExportType): string {
  return toText([[...EXPORT_COLUMNS[type]]])
}

// Cells come as finished text: of csv-stringify's defaults only delimiter and quotes fit (record end LF, dates as epoch,
// `false` empty). quote_record_delimiter: it looks for the whole record end, but a lone CR or LF must be quoted, too.
function toText(records: readonly (readonly string[])[]): string {
  return stringify(records as string[][], { record_delimiter: '\r\n', quote_record_delimiter: true })
}
