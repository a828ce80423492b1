// Owns writing exports once more, for programs that read neither JSON nor CSV well: the ideas for Excel, the ideas and the
// timeline as Parquet. Made from the files that are written, while the database counts people. Knows no database.
import { StringDecoder } from 'node:string_decoder'
import { join } from 'node:path'
import { timeColumns } from '../../contract/columns.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { EXCEL_ENCODING, ExcelCsv } from '../../contract/excel-csv.ts'
import { excelPath, parquetPath, type ParquetType } from '../../contract/other-formats.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import { jsonRows } from '../../release/verify/json-rows.ts'
import { rowsAt } from '../../release/verify/validate-document.ts'
import type { ManifestFile } from '../../release/format/manifest.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { ParquetFile } from '../../release/writing/parquet-file.ts'
import { readBack } from '../../release/writing/read-back.ts'
import type { Staging } from '../../release/writing/staging.ts'

/** Of 52 MB of UTF-16, level 1 makes 7.9 MB in 0.13 s of processor time, level 6 makes 6.2 MB in 0.77 s. */
const GZIP_LEVEL = 1

/** Of the ideas exports, which are written. */
export async function writeIdeasInOtherFormats(staging: Staging, signal: AbortSignal): Promise<void> {
  for (const period of PERIODS) await writeExcel(staging, period, signal)
  await writeParquet(staging, 'ideas', signal)
}

async function writeExcel(staging: Staging, period: Period, signal: AbortSignal): Promise<void> {
  const csv = fileAt(staging, snapshotPath({ endpoint: 'export', type: 'ideas', period, format: 'csv' }))
  const stream = staging.stream(excelPath(period), 0, GZIP_LEVEL)
  const decoder = new StringDecoder('utf8')
  const excel = new ExcelCsv(timeColumns('ideas'))
  for (const piece of readBack(join(staging.folder, csv.path), 0, csv.bytes)) {
    signal.throwIfAborted()
    stream.write(excel.add(decoder.write(piece)), EXCEL_ENCODING)
    await stream.drain()
  }
  stream.write(excel.end(), EXCEL_ENCODING)
  await stream.end({ rows: csv.rows, contentHash: null })
}

/** All rows of one type of export, in the order of its CSV. */
export async function writeParquet(staging: Staging, type: ParquetType, signal: AbortSignal): Promise<void> {
  const all = { endpoint: 'export', type, period: 'all' } as const
  const json = fileAt(staging, snapshotPath({ ...all, format: 'json' }))
  const csv = fileAt(staging, snapshotPath({ ...all, format: 'csv' }))
  const parquet = new ParquetFile(staging.uncoded(parquetPath(type)), type)
  const pieces = readBack(join(staging.folder, json.path), 0, json.bytes)
  try {
    const rows = jsonRows(async () => pieces.next().value ?? null, rowsAt({ ...all, format: 'json' }))
    for (;;) {
      signal.throwIfAborted()
      const { done, value } = await rows.next()
      if (done !== true) await parquet.add(value as readonly ExportRow[])
      else if (typeof value === 'object') break
      else throw new ReleaseError('write', `cannot read back ${json.path}: ${value}`)
    }
  } finally {
    // Read to its end or not, the file is closed.
    pieces.return(undefined)
  }
  // The same rows: another version of zlib gives other bytes for them.
  await parquet.end(csv.contentHash)
}

function fileAt(staging: Staging, path: string): ManifestFile {
  const file = staging.file(path)
  if (file === null) throw new Error(`${path} is not written yet`)
  return file
}
