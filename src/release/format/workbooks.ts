// Owns which sheets a workbook has: that follows from the files of its release. Pure.
import { EXPORT_TYPES, type ExportType } from '../../contract/kinds/tables.ts'
import { IDEAS_WORKBOOK, snapshotPath } from '../../contract/snapshot-paths.ts'
import type { ManifestFile } from './manifest.ts'
import { MAX_SHEET_ROWS } from './sheet-text.ts'

/** The first sheet of tables.xlsx, which says what the data is and what the columns mean. */
export const COLUMNS_SHEET = 'columns'

/** A table that has no room in a sheet has none: a sheet that lacks some of its rows would give other sums. */
export function sheetsOf(
  path: string,
  files: readonly Pick<ManifestFile, 'path' | 'rows'>[],
): readonly (ExportType | typeof COLUMNS_SHEET)[] {
  if (path === IDEAS_WORKBOOK) return ['ideas']
  const rows = new Map(files.map((file) => [file.path, file.rows ?? 0]))
  const hasRoom = (type: ExportType): boolean => {
    const csv = snapshotPath({ endpoint: 'export', type, period: 'all', format: 'csv' })
    return (rows.get(csv) ?? Infinity) <= MAX_SHEET_ROWS
  }
  return [COLUMNS_SHEET, ...EXPORT_TYPES.filter((type) => type !== 'ideas' && hasRoom(type))]
}
