// Owns whether the cells of people that no other document repeats are as their release publishes people. Pure.
import type { ExportRow } from '../../contract/documents.ts'
import { rangeOf, type PeopleMode } from '../../contract/people.ts'
import type { Period } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'

/** The sum of `newUsers` and the last `totalUsers` are compared with other documents. */
const COLUMNS = ['totalUsers', 'activeUsers', 'ideaAuthors', 'voters', 'commenters']
const METRICS: ReadonlySet<unknown> = new Set(['newUsers', 'activeUsers', 'totalUsers'])

/** What is wrong in the users export, in at most one sentence. */
export function userCellFaults(path: string, rows: readonly ExportRow[], mode: PeopleMode): string[] {
  const wrong = rows.flatMap((row, i) =>
    COLUMNS.filter(
      (column) => !(column === 'totalUsers' && i === rows.length - 1) && rangeOf(row[column], mode) === null,
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
    const isRight = period === 'all' ? previousValue === null : rangeOf(previousValue, mode) !== null
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
