// Owns which CSV the rows of a JSON make: the hash of it, because they come in batches and may be many. Knows no file.
import { createHash } from 'node:crypto'
import { EXPORT_COLUMNS } from '../../contract/columns.ts'
import { csvOf } from '../../contract/csv-text.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'

const END = '\r\n'

export class CsvOfRows {
  readonly #type: ExportType
  readonly #hash = createHash('sha256')
  #columns: readonly string[] = []
  #rows = 0
  #odd: string | null = null

  constructor(type: ExportType) {
    this.#type = type
  }

  /** The next rows. The columns are those of the first one. */
  add(rows: readonly ExportRow[]): void {
    if (this.#rows === 0) {
      this.#columns = Object.keys(rows[0] ?? {})
      this.#hash.update(`${this.#columns.join()}${END}`)
    }
    const keys = this.#columns.join()
    const odd = rows.findIndex((row) => Object.keys(row).join() !== keys)
    if (odd >= 0)
      this.#odd ??= `row ${this.#rows + odd + 1} of its JSON has the keys ${Object.keys(rows[odd] ?? {}).join()}`
    this.#hash.update(csvOf(this.#columns, rows))
    this.#rows += rows.length
  }

  /** What is wrong with a CSV of this hash, after the last rows; null = nothing, or there is no row. */
  fault(sha256: string): string | null {
    if (this.#rows === 0) return null
    if (!areColumns(this.#columns, this.#type))
      return `row 1 of its JSON has the keys ${this.#columns.join()}, expected ${EXPORT_COLUMNS[this.#type].join()}`
    const isSame = this.#hash.digest('hex') === sha256
    return this.#odd ?? (isSame ? null : `its header or one of its ${this.#rows} rows is not as in its JSON`)
  }
}

/** What is wrong with the CSV of no rows, whose JSON names no column; null = nothing. */
export function headerFault(csv: Buffer, type: ExportType): string | null {
  const [header = '', ...more] = csv.toString('utf8').split(END)
  if (!areColumns(header.split(','), type)) return `its header is ${header}, expected ${EXPORT_COLUMNS[type].join()}`
  return more.join() === '' ? null : 'it has more than the 0 rows of its JSON'
}

/** Another version may have more, or fewer: at the end. */
function areColumns(columns: readonly string[], type: ExportType): boolean {
  return EXPORT_COLUMNS[type].every((known, i) => known === (columns[i] ?? known))
}
