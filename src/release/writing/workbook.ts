// Owns writing a workbook (.xlsx): a sheet is a part beside the release while its rows come, until the archive takes it. Knows neither
// which tables nor what is in them.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { TimeZone } from '../../contract/time-zone.ts'
import { SHEET_TAIL, SheetText, sheetPath, workbookParts, type SheetColumn } from '../format/sheet-text.ts'
import type { Staging } from './staging.ts'
import { writeZip } from './zip-file.ts'

const partOf = (sheet: string): string => `.${sheet}.xml`

/** Begins a sheet, which has the rows that are added until its end. */
export function beginSheet(staging: Staging, sheet: string, columns: readonly SheetColumn[], zone: TimeZone) {
  const text = new SheetText(columns, zone)
  const part = staging.part(partOf(sheet))
  part.write(text.head())
  return {
    /** Resolves when the disk has taken what is due. */
    async add(rows: readonly ExportRow[]): Promise<void> {
      part.write(text.add(rows))
      await part.drain()
    },
    async end(): Promise<void> {
      part.write(SHEET_TAIL)
      await part.end({ rows: text.rows })
    },
  }
}

/**
 * @param sheets which were written
 * @param timeMs of all entries
 */
export async function writeWorkbook(staging: Staging, path: string, sheets: readonly string[], timeMs: number) {
  const { folder, parts } = staging
  const files = sheets.flatMap((sheet, i) => {
    const part = parts.find((one) => one.path === partOf(sheet))
    return part === undefined ? [] : { ...part, name: sheetPath(i) }
  })
  const rows = files.length === 1 ? (files[0]?.rows ?? null) : null
  await writeZip(staging.stream(path, 0), { folder, files, texts: workbookParts(sheets), timeMs, rows })
}
