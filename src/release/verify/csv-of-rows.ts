// Owns which CSV the rows of a JSON make: the hash of it, because they come in batches and may be many. Knows no file.
import { createHash } from 'node:crypto'
import { EXPORT_COLUMNS } from '../../contract/columns.ts'
import { csvHeader, csvOf } from '../../contract/csv-text.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'

export function csvOfRows(type: ExportType) {
  const hash = createHash('sha256')
  let columns: readonly string[] = []
  let rowCount = 0
  let odd: string | null = null
  return {
    /** The next rows. The columns are those of the first one. */
    add(rows: readonly ExportRow[]): void {
      if (rowCount === 0) {
        columns = Object.keys(rows[0] ?? {})
        hash.update(csvHeader(columns))
      }
      const keys = columns.join()
      const at = rows.findIndex((row) => Object.keys(row).join() !== keys)
      if (at >= 0) odd ??= `row ${rowCount + at + 1} of its JSON has the keys ${Object.keys(rows[at] ?? {}).join()}`
      hash.update(csvOf(columns, rows))
      rowCount += rows.length
    },
    /** What is wrong with a CSV of this hash, after the last rows; null = nothing, or there is no row. */
    fault(sha256: string): string | null {
      if (rowCount === 0) return null
      if (!areColumns(columns, type))
        return `row 1 of its JSON has the keys ${columns.join()}, expected ${EXPORT_COLUMNS[type].join()}`
      const isSame = hash.digest('hex') === sha256
      return odd ?? (isSame ? null : `its header or one of its ${rowCount} rows is not as in its JSON`)
    },
  }
}

/** What is wrong with the CSV of no rows, whose JSON names no column; null = nothing. */
export function headerFault(csv: Buffer, type: ExportType): string | null {
  const [header = '', ...more] = csv.toString('utf8').split('\r\n')
  if (!areColumns(header.split(','), type)) return `its header is ${header}, expected ${EXPORT_COLUMNS[type].join()}`
  return more.join() === '' ? null : 'it has more than the 0 rows of its JSON'
}

/** Another version may have more, or fewer: at the end. */
function areColumns(columns: readonly string[], type: ExportType): boolean {
  return EXPORT_COLUMNS[type].every((known, i) => known === (columns[i] ?? known))
}
