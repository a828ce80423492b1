// Owns how rows become a table that Excel opens by itself in every country: the cells of the CSV (csv-text.ts) end at a tab, because
// no list separator of a locale is one, and the file is UTF-16LE with a byte order mark, without which Excel would not look for tabs.
// A time is written as Excel reads it. Knows no file.
import { columnsOf } from './columns.ts'
import { csvCell } from './csv-text.ts'
import type { Cell, ExportRow, ExportType } from './kinds/tables.ts'

/** As Node and Python name it. */
export const EXCEL_ENCODING = 'utf16le'

const BYTE_ORDER_MARK = '\uFEFF'

export function excelHeader(type: ExportType): string {
  return BYTE_ORDER_MARK + record(columnsOf(type).map(({ name }) => name))
}

export function toExcel(type: ExportType, rows: readonly ExportRow[]): string {
  const columns = columnsOf(type)
  const cellOf = (row: ExportRow, { name, type: is }: (typeof columns)[number]): string =>
    is === 'datetime' ? excelTime(row[name]) : csvCell(name, row[name])
  return rows.map((row) => record(columns.map((column) => cellOf(row, column)))).join('')
}

/** A comma would end a cell in some programs. */
const QUOTED = /["\t,\r\n]/

function record(cells: readonly string[]): string {
  return `${cells.map((cell) => (QUOTED.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)).join('\t')}\r\n`
}

/** Excel knows no year before 1900, and takes the T and the Z for text. */
function excelTime(cell: Cell | undefined): string {
  const text = String(cell ?? '')
  return /^(?:19|[2-9]\d)\d\d-/.test(text) ? text.replace(/T(.*)\.\d{3}Z$/, ' $1') : text
}
