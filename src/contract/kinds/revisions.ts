// Owns the table of what changed in past numbers: what later builds found otherwise than it was published.
import { day, firstDayOf, flag, orNull, text, type ObjectOf, whole } from './shape.ts'

/** What a release keeps counted for the next one, and what is compared. */
export const REVISED = ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const

const columns = {
  date: day('The day of the release that had it first, in its time zone.'),
  relation: orNull(
    text('What was counted.', { pattern: `^(${REVISED.join('|')})$`, description: REVISED.join(', ') }),
    'notCompared',
  ),
  month: orNull(firstDayOf('The month of their dates, by its first day, in the time zone.'), 'noDateOfRows'),
  was: orNull(whole('How many there were before the changes of the day.'), 'notCompared'),
  is: orNull(whole('How many there were after them.'), 'notCompared'),
  accepted: flag('Whether an operator accepted a change of the day (`--accept-revision`).'),
}
/** One month of one relation that changed on one day; without relation: a build of the day was not compared by month. */
export type RevisionRow = ObjectOf<typeof columns>

export const revisions = {
  title: 'Revisions',
  rows: 'One row for each day, kind of number and month whose past changed, in the order of the days.',
  lists: 'other',
  columns,
} as const
