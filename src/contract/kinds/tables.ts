// Owns the register of tables: the types of the export, in order. Everything that is known by type is derived from it.
import { categoriesTable } from './categories.ts'
import { historyTable } from './history.ts'
import { ideasTable } from './ideas.ts'
import type { TableKind } from './kind.ts'
import { outcomesTable } from './outcomes.ts'
import { overviewTable } from './overview.ts'
import type { ObjectOf } from './shape.ts'
import { timelineTable } from './timeline.ts'
import { usersTable } from './users.ts'

const KINDS = {
  overview: overviewTable,
  ideas: ideasTable,
  users: usersTable,
  categories: categoriesTable,
  timeline: timelineTable,
  outcomes: outcomesTable,
  history: historyTable,
} as const

export type ExportType = keyof typeof KINDS
export const TABLES: Readonly<Record<ExportType, TableKind>> = KINDS
export const EXPORT_TYPES = Object.keys(KINDS) as readonly ExportType[]

/** A row of the export: its columns, in their order. */
export type RowOf<Type extends ExportType> = ObjectOf<(typeof KINDS)[Type]['columns']>

/** A row of any export. */
export type Cell = string | number | boolean | null
export type ExportRow = Readonly<Record<string, Cell>>
