// Owns the rules of the table of what changed in past numbers.
import { REVISED } from '../../../contract/kinds/revisions.ts'
import { isTimestamp } from '../../../contract/timestamp.ts'
import type { ExportRow } from '../../../contract/kinds/tables.ts'
import { isCount, matches, wrongKey, type Check } from '../../format/shape.ts'
import { MONTH } from '../../format/manifest.ts'
import { unpublishable } from '../../quantities/numbers.ts'
import { fewRows } from '../../quantities/rules.ts'

const none: Check = (value) => value === null
const isDay: Check = (value) => typeof value === 'string' && isTimestamp(`${value}T00:00:00.000Z`)
const isMonth: Check = (value) => value === null || matches(MONTH)(value)
const ANY = { date: isDay, accepted: (value: unknown) => typeof value === 'boolean' }
const NOT_COMPARED = { ...ANY, relation: none, month: none, was: none, is: none }
const relation: Check = (value) => REVISED.some((one) => one === value)
const COMPARED = { ...ANY, relation, month: isMonth, was: isCount, is: isCount }

/** Days ascend; what was compared has a relation and two counts; numbers of people are there only where they are exact. */
export const revisionsRows = fewRows((into, path, rows) => {
  const { people } = into.all
  const exact = people === 'exact' ? [] : rows.flatMap((row, i) => (row['relation'] === 'users' ? [i + 1] : []))
  const cells = exact.map((row) => `row ${row} has users`)
  into.unpublishable.push(...unpublishable(path, cells, people))
  return revisionsFault(rows)
})

/** What is wrong with rows as such; null = nothing. */
export function revisionsFault(rows: readonly ExportRow[]): string | null {
  let last = ''
  for (const [i, row] of rows.entries()) {
    const date = String(row['date'])
    const wrong = date < last ? 'date' : wrongKey(row, row['relation'] === null ? NOT_COMPARED : COMPARED)
    if (wrong !== null) return `row ${i + 1}: its ${wrong} is ${JSON.stringify(row[wrong])}`
    last = date
  }
  return null
}
