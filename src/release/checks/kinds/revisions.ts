// Owns the rules of the table of what changed in past numbers.
import { REVISED } from '../../../contract/kinds/revisions.ts'
import type { ExportRow } from '../../../contract/kinds/tables.ts'
import * as json from '../../format/json-check.ts'
import { Fault } from '../../quantities/numbers.ts'
import { fewRows } from '../../quantities/rules.ts'

const none: json.Check = (value) => value === null
const ANY = { date: json.isDate, accepted: json.isFlag }
const NOT_COMPARED = { ...ANY, relation: none, month: none, was: none, is: none }
const COMPARED = {
  ...ANY,
  relation: json.anyOf(REVISED),
  month: json.nullOr(json.such(json.isDate, (day) => day.endsWith('-01'))),
  was: json.isCount,
  is: json.isCount,
}

/** Days ascend; what was compared has a relation and two counts; numbers of people are there only where they are exact. */
export const revisionsChecks = fewRows((rows, into, path) => {
  const { people } = into.all
  const exact = people === 'exact' ? [] : rows.flatMap((row, i) => (row['relation'] === 'users' ? [i + 1] : []))
  const cells = exact.map((row) => `row ${row} has users`)
  into.notPublished(path, cells)
  const fault = revisionsFault(rows)
  if (fault !== null) throw new Fault(`${path}: ${fault}`)
})

/** What is wrong with rows as such; null = nothing. */
export function revisionsFault(rows: readonly ExportRow[]): string | null {
  let last = ''
  for (const [i, row] of rows.entries()) {
    const date = String(row['date'])
    const wrong = date < last ? 'date' : json.wrongKey(row, row['relation'] === null ? NOT_COMPARED : COMPARED)
    if (wrong !== null) return `row ${i + 1}: its ${wrong} is ${JSON.stringify(row[wrong])}`
    last = date
  }
  return null
}
