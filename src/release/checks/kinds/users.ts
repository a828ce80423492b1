// Owns what the table of numbers of people states.
import { isPublished, sumOf } from '../../quantities/numbers.ts'
import { DATED_USERS, inWindow } from '../../quantities/relations.ts'
import { fewRows } from '../../quantities/rules.ts'

const COLUMNS = ['newUsers', 'totalUsers', 'activeUsers', 'ideaAuthors', 'voters', 'commenters']

export const usersChecks = fewRows((rows, into, path, { period }) => {
  const { people } = into.all
  const last = rows.at(-1)
  // The last `totalUsers` is compared with other documents.
  const wrong = rows.flatMap((row, i) =>
    COLUMNS.filter((column) => !(column === 'totalUsers' && row === last) && !isPublished(row[column], people)).map(
      (column) => `${column} of row ${i + 1} is ${String(row[column])}`,
    ),
  )
  into.notPublished(path, wrong)
  // Rounded ones do not sum to what their sum is rounded to.
  if (people === 'exact' && wrong.length === 0) {
    const users = period === 'all' ? DATED_USERS : inWindow('users', period)
    into.all.count(users, `newUsers of ${path}`, sumOf(rows, 'newUsers'))
  }
  if (last !== undefined) into.all.count(inWindow('users', 'all'), `totalUsers of ${path}`, last['totalUsers'])
})
