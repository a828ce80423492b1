// Owns what the totals state, and the tables that repeat them.
import { isPublishedTotal, membersOf, isPublished, type Members } from '../../quantities/numbers.ts'
import { inWindow, type Metric } from '../../quantities/relations.ts'
import type { Collected, Stating } from '../../quantities/rules.ts'

/** By the names of fields, what they are the total of. */
export type Totals = Readonly<Record<string, Metric>>
export const TOTALS: Totals = {
  totalUsers: 'users',
  totalIdeas: 'ideas',
  totalVotes: 'votes',
  totalComments: 'comments',
  launchedIdeas: 'launchedIdeas',
  activeCategories: 'activeCategories',
}

export const stateStats: Stating<'stats'> = (into, path, document) =>
  stateTotals(into, TOTALS, path, membersOf(document['stats']), isPublishedTotal)

export function stateTotals(
  { all }: Collected,
  totals: Totals,
  path: string,
  values: Members,
  isRight = isPublished,
): void {
  for (const [field, metric] of Object.entries(totals))
    all.count(inWindow(metric, 'all'), `${field} of ${path}`, values[field], isRight)
}
