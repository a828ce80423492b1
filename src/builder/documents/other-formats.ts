// Owns writing an export once more, for programs that read neither JSON nor CSV well: the ideas for Excel, all ideas and the
// timeline as Parquet. Knows no database.
import { timeColumns } from '../../contract/columns.ts'
import { csvHeader } from '../../contract/csv-text.ts'
import { EXCEL_ENCODING, ExcelCsv } from '../../contract/excel-csv.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'
import { OTHER_FORMATS, PARQUET, tableOf } from '../../contract/other-formats.ts'
import { ParquetFile } from '../../release/writing/parquet-file.ts'
import type { SnapshotStream } from '../../release/writing/snapshot-writer.ts'
import type { Staging } from '../../release/writing/staging.ts'

/** Of 52 MB of UTF-16, level 1 makes 7.9 MB in 0.13 s of processor time, level 6 makes 6.2 MB in 0.77 s. */
const GZIP_LEVEL = 1

export interface OtherFormat {
  /** Adds some rows, whose CSV is made already, and waits until the disk has taken what is due. */
  add(rows: readonly ExportRow[], csv: string): Promise<void>
  /** @param contentHash of the CSV: of its rows, another version of zlib makes other bytes */
  end(contentHash: string): Promise<void>
}

/** What a site has of an export beside its JSON and its CSV. */
export function otherFormats(staging: Staging, type: ExportType, csvPath: string): readonly OtherFormat[] {
  return OTHER_FORMATS.filter((path) => tableOf(path) === csvPath).map((path) =>
    path.endsWith(PARQUET)
      ? new ParquetFile(staging.uncoded(path), type)
      : new ExcelFile(staging.stream(path, 0, GZIP_LEVEL), type),
  )
}

class ExcelFile implements OtherFormat {
  readonly #stream: SnapshotStream
  readonly #excel: ExcelCsv
  #rows = 0

  constructor(stream: SnapshotStream, type: ExportType) {
    this.#stream = stream
    this.#excel = new ExcelCsv(timeColumns(type))
    stream.write(this.#excel.add(csvHeader(type)), EXCEL_ENCODING)
  }

  async add({ length }: readonly ExportRow[], csv: string): Promise<void> {
    this.#rows += length
    this.#stream.write(this.#excel.add(csv), EXCEL_ENCODING)
    await this.#stream.drain()
  }

  async end(): Promise<void> {
    this.#stream.write(this.#excel.end(), EXCEL_ENCODING)
    await this.#stream.end({ rows: this.#rows, contentHash: null })
  }
}
