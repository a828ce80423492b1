// Owns which workbooks the tables of a release make: the hash of a sheet, because its rows come in batches and may be many, and the
// entries of each workbook. Knows no file.
import { createHash } from 'node:crypto'
import { columnsOf } from '../../contract/columns.ts'
import type { ExportRow, ExportType } from '../../contract/kinds/tables.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { ownInterval } from '../../contract/windows.ts'
import { fileBytesOf, type ManifestFile } from '../format/manifest.ts'
import { SHEET_TAIL, SheetText, sheetPath, workbookParts, type SheetColumn } from '../format/sheet-text.ts'
import { COLUMNS_SHEET, sheetsOf } from '../format/workbooks.ts'
import type { KnownEntries, KnownEntry } from './verify-zip.ts'

export interface MadeSheet {
  readonly rows: number
  readonly bytes: number
  readonly sha256: string
}

/** The columns are those of the first row. */
export function sheetOfRows(type: ExportType, zone: TimeZone) {
  const hash = createHash('sha256')
  let [bytes, text] = [0, null as SheetText | null]
  const take = (piece: string): void => {
    bytes += Buffer.byteLength(piece)
    hash.update(piece)
  }
  return {
    add(rows: readonly ExportRow[]): void {
      if (text === null) take((text = new SheetText(columnsIn(type, rows[0]), zone)).head())
      // Each by itself: whoever serves the table decides how long they are together.
      for (const row of rows) take(text.add([row]))
    },
    /** What the rows make, after the last of them. */
    end(): MadeSheet {
      take(SHEET_TAIL)
      return { rows: text?.rows ?? 0, bytes, sha256: hash.digest('hex') }
    },
  }
}

/** Another version may have other columns at the end. */
function columnsIn(type: ExportType, row: ExportRow | undefined): readonly SheetColumn[] {
  const known = columnsOf(type, ownInterval('all'))
  if (row === undefined) return known
  return Object.keys(row).map((name) => known.find((column) => column.name === name) ?? { name, type: 'string' })
}

/** Or what is wrong with it; null = one of its tables was not whole, which is noted of the table: of the workbook nothing can be told. */
export function workbookEntries(
  path: string,
  files: readonly ManifestFile[],
  made: ReadonlyMap<string, MadeSheet>,
): KnownEntries | string | null {
  const sheets = sheetsOf(path, files)
  const unmade = sheets.find((sheet): sheet is ExportType => sheet !== COLUMNS_SHEET && !made.has(sheet))
  if (unmade !== undefined) {
    const table = snapshotPath({ endpoint: 'export', type: unmade, period: 'all', format: 'json' })
    return files.some((file) => file.path === table) ? null : `its table ${table} is not there`
  }
  const entries = new Map<string, KnownEntry>(
    workbookParts(sheets).map(({ name, text }) => [name, fileBytesOf(name, text)]),
  )
  for (const [i, sheet] of sheets.entries()) {
    const known = made.get(sheet)
    entries.set(sheetPath(i), known === undefined ? null : { ...known, title: `sheet ${sheet}` })
  }
  return entries
}
