// Owns the making of the table of numbers of people.
import type { RowOf } from '../../contract/kinds/tables.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import type { Period } from '../../contract/windows.ts'
import type { PublishedPeople } from '../people.ts'
import type { TableMaking } from './making.ts'

export const usersTable: TableMaking<'users'> = {
  when: 'last',
  rows: ({ period }, { people }) => [userRows(period, people)],
}

export function userRows(period: Period, people: PublishedPeople): RowOf<'users'>[] {
  return people.buckets[period].map(({ startMs, ...counts }) => ({ bucket: formatTimestamp(startMs), ...counts }))
}
