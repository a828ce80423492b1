// Owns the register of the rules of each kind: a kind of the contract of which nobody says what it states does not compile.
import type { Combination } from '../../../contract/kinds/register.ts'
import type { ExportType } from '../../../contract/kinds/tables.ts'
import { stateCategories, categoriesChecks } from './categories.ts'
import { historyChecks } from './history.ts'
import { ideasChecks } from './ideas.ts'
import { stateOutcomes, stateCategoryOutcomes, outcomesChecks, outcomesByCategoryChecks } from './outcomes.ts'
import { overviewChecks } from './overview.ts'
import { revisionsChecks } from './revisions.ts'
import type { ExportRows, Stating, StatingMember } from '../../quantities/rules.ts'
import { stateStats } from './stats.ts'
import { stateTimeline, timelineChecks, timelineByCategoryChecks, stateCategoryTimelines } from './timeline.ts'
import { usersChecks } from './users.ts'

export const STATED: { readonly [E in Exclude<Combination['endpoint'], 'category' | 'export'>]: Stating<E> } = {
  stats: stateStats,
  // Nothing that another document states.
  trending: () => {},
  categories: stateCategories,
  timeline: stateTimeline,
  outcomes: stateOutcomes,
}

/** The file of a category. */
export const OF_CATEGORY: readonly StatingMember[] = [stateCategoryOutcomes, stateCategoryTimelines]

export const ROWS: Readonly<Record<ExportType, () => ExportRows>> = {
  overview: overviewChecks,
  ideas: ideasChecks,
  users: usersChecks,
  categories: categoriesChecks,
  timeline: timelineChecks,
  'timeline-by-category': timelineByCategoryChecks,
  outcomes: outcomesChecks,
  'outcomes-by-category': outcomesByCategoryChecks,
  history: historyChecks,
  revisions: revisionsChecks,
}
