// Owns how rows become CSV: RFC 4180. In a text what a spreadsheet would run as a formula is made harmless. Knows no file.
import { stringify } from 'csv-stringify/sync'
import { TEXT_COLUMNS } from './columns.ts'
import type { Cell, ExportRow } from './kinds/tables.ts'

/** The records of some rows, each ending in CRLF, without the header. The columns are given, because another version may have others. */
export function csvOf(columns: readonly string[], rows: readonly ExportRow[]): string {
  const records = rows.map((row) => columns.map((column) => field(column, row[column])))
  return stringify(records, HOW)
}

export function csvHeader(columns: readonly string[]): string {
  return `${columns.join()}\r\n`
}

// By default csv-stringify writes `true` as 1 and `false` as nothing.
const CAST = { boolean: String, object: String }
/**
 * Every text is in quotes, not only where RFC 4180 wants them: a reader that finds none in the first rows may not look for any
 * in the others. Dates, times, numbers, booleans and what is empty have none.
 */
const HOW = { record_delimiter: '\r\n', quoted_string: true, quoted_empty: false, cast: CAST }

/** A date, or an instant in any year. */
const TIME = /^(?:\d{4}|[+-]\d{6})-\d\d-\d\d(?:T\d\d:\d\d:\d\d\.\d{3}Z)?$/

// OWASP, "CSV Injection": = + - @ begin a formula, tab and CR may; spreadsheets skip white space, what cannot be seen,
// and full-width twins are folded to ASCII on import.
const FORMULA = /^(?:[\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}]*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]|[\t\r])/u
const DECIMAL = /^-?\d+(?:\.\d+)?$/

/** Most cells have none of these characters, and then nothing else is looked for. */
const NOTED = /[=+\-@\t\r\uFF1D\uFF0B\uFF0D\uFF20]/
const SEPARATOR = /[;\t\r\n]/
// The same after a separator. A quote there opens the cell; what follows it may begin a formula, so it does not count either.
const FORMULA_INSIDE =
  /(?<=[;\t\r\n])(?=(?:(?![\t\r\n])["\p{White_Space}\p{Cf}\p{Default_Ignorable_Code_Point}])*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/gu

/**
 * A cell as csv-stringify takes it, to which only a `string` is a text. Of a column of another version the cell says which it is.
 * A formula in a text gets an apostrophe before it: at the beginning of the text, and after each character where a spreadsheet
 * whose list separator is `;` or TAB begins another cell, whatever the quotes say.
 */
function field(column: string, cell: Cell | undefined): unknown {
  if (typeof cell !== 'string') return cell
  if (!TEXT_COLUMNS.has(column) && TIME.test(cell)) return Object(cell)
  if (!NOTED.test(cell) || DECIMAL.test(cell)) return cell
  const inside = SEPARATOR.test(cell) ? cell.replaceAll(FORMULA_INSIDE, "'") : cell
  return FORMULA.test(cell) ? `'${inside}` : inside
}
