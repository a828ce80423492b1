// Owns what the numbers of each category state, as a document and as a table.
import type { Period } from '../../../contract/windows.ts'
import { countsOf, membersOf, objectsOf, sumOf, type Members } from '../../quantities/numbers.ts'
import { rowsOf } from '../../quantities/quantity.ts'
import { inWindow, LISTED, NESTED, previous } from '../../quantities/relations.ts'
import { fewRows, type Collected, type Stating } from '../../quantities/rules.ts'

/** What is also reported of the window before, and its fields. */
export const PREVIOUS = [
  ['ideas', 'previousIdeas'],
  ['votes', 'previousVotes'],
  ['comments', 'previousComments'],
] as const

export const stateCategories: Stating<'categories'> = (into, path, document, { period }) => {
  const whole = membersOf(document['totals'])
  for (const field of NESTED) into.all.count(inWindow(field, period), `totals.${field} of ${path}`, whole[field])
  into.all.count(inWindow('ideas', 'all'), `totals.totalIdeas of ${path}`, whole['totalIdeas'])
  if (period !== 'all')
    for (const [metric, field] of PREVIOUS)
      into.all.count(previous(metric, period), `totals.${field} of ${path}`, whole[field])
  const rows = objectsOf(document['categories'])
  into.all.count(LISTED, path, rows.length)
  stateSums(into, path, rows, period)
  const names = rows.map(({ category }) => String(category))
  into.all.of[`categories in ${period}`].state(path, rowsOf(names, rows.map(countsOf)))
}

function stateSums({ sums }: Collected, path: string, rows: readonly Members[], period: Period): void {
  for (const field of NESTED) sums.set(inWindow(field, period), path, sumOf(rows, field))
  sums.set(inWindow('ideas', 'all'), `totalIdeas of ${path}`, sumOf(rows, 'totalIdeas'))
  for (const [metric, field] of PREVIOUS) {
    // Before all time there is nothing.
    const counted = period === 'all' ? rows.filter((row) => row[field] !== null) : rows
    sums.set(previous(metric, period), path, sumOf(counted, field))
  }
}

export const categoriesChecks = fewRows((rows, into, path, { period }) => stateSums(into, path, rows, period))
