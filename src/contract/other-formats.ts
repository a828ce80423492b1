// Owns the paths of the exports that a site has once more, in other formats. Knows no format and no file system.
import type { ExportType } from './kinds/tables.ts'
import { combinationAt } from './snapshot-paths.ts'
import { PERIODS, type Period } from './windows.ts'

/** All CSV of the release. */
export const BULK_PATH = 'bulk.zip'

/** Whether a file is in it because it is a CSV. */
export function isTable(path: string): boolean {
  const combination = combinationAt(path, (key) => key)
  return combination?.endpoint === 'export' && combination.format === 'csv'
}

/** The exports whose rows of all time are a Parquet file. */
export const PARQUET_TYPES = ['ideas', 'timeline'] as const satisfies readonly ExportType[]
export type ParquetType = (typeof PARQUET_TYPES)[number]

export function parquetPath(type: ParquetType): string {
  return `${type}.parquet`
}

export function excelPath(period: Period): string {
  return `analytics/export/ideas/${period}.excel.csv`
}

export const OTHER_FORMATS: readonly string[] = [
  BULK_PATH,
  ...PARQUET_TYPES.map(parquetPath),
  ...PERIODS.map(excelPath),
]
