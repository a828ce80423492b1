// Owns whether numbers of people are as their release publishes people. Pure.
import type { ExportRow } from '../../contract/kinds/tables.ts'
import { publishedCount, publishedTotalUsers, type PeopleMode, type PublishedCount } from '../../contract/people.ts'
import type { Period } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import { isCount } from '../format/is-count.ts'

/** The last `totalUsers` is compared with other documents. */
const COLUMNS = ['newUsers', 'totalUsers', 'activeUsers', 'ideaAuthors', 'voters', 'commenters']
const METRICS: ReadonlySet<unknown> = new Set(['newUsers', 'activeUsers', 'totalUsers'])

/** Whether a mode publishes such a value. */
export function isPublished(value: unknown, mode: PeopleMode): value is PublishedCount {
  return value === null ? mode !== 'exact' : isCount(value) && publishedCount(value, mode) === value
}

/** Whether it has such a `stats.totalUsers`. */
export function isPublishedTotal(value: unknown, mode: PeopleMode): value is number {
  return isCount(value) && publishedTotalUsers(value, mode) === value
}

/** What is wrong in the users export, in at most one sentence. */
export function userCellFaults(path: string, rows: readonly ExportRow[], mode: PeopleMode): string[] {
  const wrong = rows.flatMap((row, i) =>
    COLUMNS.filter(
      (column) => !(column === 'totalUsers' && i === rows.length - 1) && !isPublished(row[column], mode),
    ).map((column) => `${column} of row ${i + 1} is ${String(row[column])}`),
  )
  return sentence(path, wrong, mode)
}

/** What is wrong in the overview export, in at most one sentence. */
export function overviewCellFaults(
  path: string,
  rows: readonly ExportRow[],
  period: Period,
  mode: PeopleMode,
): string[] {
  const wrong = rows.flatMap(({ metric, value, previousValue, changePercent }) => {
    if (!METRICS.has(metric)) return []
    const isRight = period === 'all' ? previousValue === null : isPublished(previousValue, mode)
    if (!isRight) return [`previousValue of ${String(metric)} is ${String(previousValue)}`]
    const isKnown = value !== null && previousValue !== null
    return isKnown || changePercent === null ? [] : [`changePercent of ${String(metric)} is ${String(changePercent)}`]
  })
  return sentence(path, wrong, mode)
}

function sentence(path: string, wrong: readonly string[], mode: PeopleMode): string[] {
  const [first, ...more] = wrong
  if (first === undefined) return []
  return [
    `${path}: ${first}, which is not how --people ${mode} publishes${more.length === 0 ? '' : `; the same of ${count(more.length)} more cells`}`,
  ]
}
