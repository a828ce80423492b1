// Owns the paths of the exports that a site has once more, in other formats. Knows no format and no file system.
import { combinationAt, snapshotPath } from './snapshot-paths.ts'
import { PERIODS, type Period } from './windows.ts'

/** All CSV of the release. */
export const BULK_PATH = 'bulk.zip'

/** The timeline of all time without the rows of all ideas, so that its rows may be added up and grouped. */
export const BY_CATEGORY_PATH = 'analytics/export/timeline/timeline-by-category.csv'

/** Whether a file is in it because it is a CSV. */
export function isTable(path: string): boolean {
  const combination = combinationAt(path, (key) => key)
  return combination?.endpoint === 'export' && combination.format === 'csv'
}

export function excelPath(period: Period): string {
  return `analytics/export/ideas/${period}.excel.csv`
}

const CSV_OF: ReadonlyMap<string, string> = new Map([
  ...PERIODS.map((period) => [excelPath(period), csvOf('ideas', period)] as const),
  // Releases of 1.0.0 have them.
  ['ideas.parquet', csvOf('ideas', 'all')],
  ['timeline.parquet', csvOf('timeline', 'all')],
])

/** Whether an export is the one that BY_CATEGORY_PATH is made of. */
export function hasCategoriesAlone(path: string): boolean {
  return path === csvOf('timeline', 'all')
}

function csvOf(type: 'ideas' | 'timeline', period: Period): string {
  return snapshotPath({ endpoint: 'export', type, period, format: 'csv' })
}

/** The CSV with the rows of such a file; null = it is none. */
export function tableOf(path: string): string | null {
  return CSV_OF.get(path) ?? null
}
