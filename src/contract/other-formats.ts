// Owns the paths of the exports that a site has once more, in other formats. Knows no format and no file system.
import type { ExportType } from './kinds/tables.ts'
import { combinationAt, snapshotPath } from './snapshot-paths.ts'
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

export const PARQUET = '.parquet'

export function parquetPath(type: ParquetType): string {
  return `${type}${PARQUET}`
}

export function excelPath(period: Period): string {
  return `analytics/export/ideas/${period}.excel.csv`
}

const CSV_OF: ReadonlyMap<string, string> = new Map([
  ...PARQUET_TYPES.map((type) => [parquetPath(type), csvOf(type, 'all')] as const),
  ...PERIODS.map((period) => [excelPath(period), csvOf('ideas', period)] as const),
])

function csvOf(type: ParquetType, period: Period): string {
  return snapshotPath({ endpoint: 'export', type, period, format: 'csv' })
}

/** The CSV with the rows of such a file; null = it is none, or has all CSV. */
export function tableOf(path: string): string | null {
  return CSV_OF.get(path) ?? null
}

/** Each once. */
export const OTHER_FORMATS: readonly string[] = [BULK_PATH, ...CSV_OF.keys()]
