// Owns the rules of the table of what changed in past numbers.
import { REVISED, type RevisionRow } from '../../../contract/kinds/revisions.ts'
import type { ExportRow } from '../../../contract/kinds/tables.ts'
import { isCount } from '../../format/shape.ts'
import { MONTH } from '../../format/manifest.ts'
import { rowsIn, unpublishable } from '../../quantities/numbers.ts'
import { fewRows } from '../../quantities/rules.ts'

/** Days ascend; what was compared has a relation and two counts; numbers of people are there only where they are exact. */
export const revisionsRows = fewRows((into, path, rows) => {
  const { people } = into.all
  const exact = people === 'exact' ? [] : rows.flatMap(({ relation }, i) => (relation === 'users' ? [i + 1] : []))
  const wrong = exact.map((row) => `row ${row} has users`)
  into.unpublishable.push(...unpublishable(path, wrong, people))
  return revisionsFault(rows)
})

/** What is wrong with rows as such; null = nothing. */
function revisionsFault(rows: readonly ExportRow[]): string | null {
  let last = ''
  for (const [i, row] of rows.entries()) {
    const wrong = wrongColumn(row, last)
    if (wrong !== null) return `row ${i + 1}: its ${wrong} is ${JSON.stringify(row[wrong])}`
    last = String(row['date'])
  }
  return null
}

/** The rows of a JSON; null = it has none of revisions. */
export function revisionRowsOf(document: unknown): readonly RevisionRow[] | null {
  const rows = rowsIn(document) as readonly ExportRow[] | null
  return rows !== null && revisionsFault(rows) === null ? (rows as readonly RevisionRow[]) : null
}

function wrongColumn({ date, relation, month, was, is, accepted }: ExportRow, last: string): string | null {
  if (typeof date !== 'string' || !DAY.test(date) || date < last) return 'date'
  if (typeof accepted !== 'boolean') return 'accepted'
  const isNotCompared = relation === null
  if (!isNotCompared && !REVISED.some((one) => one === relation)) return 'relation'
  if (month !== null && (isNotCompared || !MONTH.test(String(month)))) return 'month'
  const isRight = (value: unknown): boolean => (isNotCompared ? value === null : isCount(value))
  return isRight(was) ? (isRight(is) ? null : 'is') : 'was'
}

const DAY = /^\d{4}-\d\d-\d\d$/
