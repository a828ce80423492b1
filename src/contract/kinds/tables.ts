// Owns the register of tables, each a type of the export.
import { categories } from './categories.ts'
import { history } from './history.ts'
import { ideas } from './ideas.ts'
import type { TableKind } from './kind.ts'
import { outcomes } from './outcomes.ts'
import { overview } from './overview.ts'
import { revisions } from './revisions.ts'
import type { ObjectOf } from './shape.ts'
import { timeline } from './timeline.ts'
import { users } from './users.ts'

/** The tables in the order in which they are listed. */
const tables = {
  overview,
  ideas,
  users,
  categories: categories.table,
  timeline: timeline.table,
  'timeline-by-category': timeline.byCategory,
  outcomes: outcomes.table,
  'outcomes-by-category': outcomes.byCategory,
  history,
  revisions,
} as const

export type ExportType = keyof typeof tables
export const TABLES: Readonly<Record<ExportType, TableKind>> = tables
export const EXPORT_TYPES = Object.keys(TABLES) as readonly ExportType[]

/** A row of the export: its columns, in their order. */
export type RowOf<Type extends ExportType> = ObjectOf<(typeof tables)[Type]['columns']>

export type Cell = string | number | boolean | null
export type ExportRow = Readonly<Record<string, Cell>>
