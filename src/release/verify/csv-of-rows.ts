// Owns proving that a CSV is what the rows of its JSON make, piece by piece. Knows no file.
import { EXPORT_COLUMNS } from '../../contract/columns.ts'
import { csvOf } from '../../contract/csv-text.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'
import { Pieces } from './pieces.ts'

const END = '\r\n'
/** No header is longer. */
const MAX_HEADER_BYTES = 1 << 12

export class CsvOfRows {
  /** The first difference; null = none so far. */
  fault: string | null = null
  readonly #type: ExportType
  readonly #pieces: Pieces
  #columns: readonly string[] | null = null
  #rows = 0

  /** @param next the next piece of the CSV; null = its end */
  constructor(type: ExportType, next: () => Promise<Buffer | null>) {
    this.#type = type
    this.#pieces = new Pieces(next)
  }

  /** The next rows of the JSON. */
  async add(rows: readonly ExportRow[]): Promise<void> {
    if (this.#columns === null) await this.#header()
    if (this.fault !== null) return
    const columns = this.#columns ?? []
    const odd = rows.findIndex((row) => Object.keys(row).join() !== columns.join())
    const expected = Buffer.from(csvOf(columns, rows))
    const found = await this.#pieces.take(expected.length)
    if (odd >= 0)
      this.fault = `row ${this.#rows + odd + 1} of its JSON has the keys ${Object.keys(rows[odd] ?? {}).join()}`
    else if (!found.equals(expected))
      this.fault = `of the rows ${this.#rows + 1} to ${this.#rows + rows.length} one is not as in its JSON`
    this.#rows += rows.length
  }

  /** After the last rows. */
  async end(): Promise<void> {
    if (this.fault === null && (await this.#pieces.take(1)).length > 0)
      this.fault = `it has more than the ${this.#rows} rows of its JSON`
  }

  /** Another version may have more columns, or fewer: at the end. */
  async #header(): Promise<void> {
    const head = await this.#pieces.take(MAX_HEADER_BYTES)
    const end = Math.max(0, head.indexOf(END))
    this.#pieces.putBack(head.subarray(end + END.length))
    const columns = head.toString('utf8', 0, end).split(',')
    const known = EXPORT_COLUMNS[this.#type]
    const shared = Math.min(columns.length, known.length)
    if (columns.slice(0, shared).join() !== known.slice(0, shared).join())
      this.fault = `its header is ${columns.join()}, expected ${known.join()}`
    this.#columns = columns
  }
}
