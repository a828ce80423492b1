// Owns the register of the rules of each kind: a kind of the contract of which nobody says what it states does not compile.
import type { Combination } from '../../../contract/kinds/register.ts'
import type { ExportType } from '../../../contract/kinds/tables.ts'
import { categories, categoriesRows } from './categories.ts'
import { historyRows } from './history.ts'
import { ideasRows } from './ideas.ts'
import { outcomes, outcomesOfCategory, outcomesRows } from './outcomes.ts'
import { overviewRows } from './overview.ts'
import { revisionsRows } from './revisions.ts'
import type { Rows, Stating, StatingMember } from '../../quantities/rules.ts'
import { stats } from './stats.ts'
import { timeline, timelineRows, timelinesOfCategory } from './timeline.ts'
import { usersRows } from './users.ts'

/** Whole documents. */
export const STATED: { readonly [E in Exclude<Combination['endpoint'], 'category' | 'export'>]: Stating<E> } = {
  stats,
  // Nothing that another document states.
  trending: () => {},
  categories,
  timeline,
  outcomes,
}

/** The file of a category. */
export const OF_CATEGORY: readonly StatingMember[] = [outcomesOfCategory, timelinesOfCategory]

/** Exports. */
export const ROWS: Readonly<Record<ExportType, () => Rows>> = {
  overview: overviewRows,
  ideas: ideasRows,
  users: usersRows,
  categories: categoriesRows,
  timeline: timelineRows,
  outcomes: outcomesRows,
  history: historyRows,
  revisions: revisionsRows,
}
