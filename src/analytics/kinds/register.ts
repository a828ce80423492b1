// Owns the register of what makes each kind of document: a kind of the contract that nothing makes does not compile.
import type { Combination } from '../../contract/kinds/register.ts'
import type { ExportType } from '../../contract/kinds/tables.ts'
import { categories, categoriesTable } from './categories.ts'
import { category } from './category.ts'
import { historyTable } from './history.ts'
import { ideasTable } from './ideas.ts'
import type { DocumentMaking, TableMaking } from './making.ts'
import { outcomes, outcomesTable } from './outcomes.ts'
import { overviewTable } from './overview.ts'
import { stats } from './stats.ts'
import { timeline, timelineTable } from './timeline.ts'
import { trending } from './trending.ts'
import { usersTable } from './users.ts'

export type Single = Exclude<Combination, { endpoint: 'export' }>

/** Each is called with its own combinations only. */
export const DOCUMENTS: Readonly<Record<Single['endpoint'], DocumentMaking<Single>>> = {
  stats,
  trending,
  categories,
  timeline,
  outcomes,
  category,
}

export const TABLES: { readonly [Type in ExportType]: TableMaking<Type> } = {
  overview: overviewTable,
  ideas: ideasTable,
  users: usersTable,
  categories: categoriesTable,
  timeline: timelineTable,
  outcomes: outcomesTable,
  history: historyTable,
}
