// Owns the register of kinds: documents, tables, or both. The exports are of all tables. Everything that is known by kind is
// derived from it.
import { categories } from './categories.ts'
import { history } from './history.ts'
import { ideas } from './ideas.ts'
import { categoryPath, type DocumentKind, type TableKind } from './kind.ts'
import { outcomes, type CategoryOutcomes } from './outcomes.ts'
import { overview } from './overview.ts'
import { revisions } from './revisions.ts'
import type { ObjectOf } from './shape.ts'
import { stats } from './stats.ts'
import { timeline, type CategoryTimelines } from './timeline.ts'
import { trending } from './trending.ts'
import { users } from './users.ts'

export type { Cohort, Launched, OutcomesDocument, StatusRow } from './outcomes.ts'

/** The answers of several kinds for a category, of which each answer takes one. */
export type CategoryFile = CategoryTimelines & CategoryOutcomes

export interface CategoryCombination {
  readonly endpoint: 'category'
  readonly category: string
}

const ofCategory: DocumentKind<never, CategoryCombination> = {
  files: [['analytics/category/<key>.json', 'timelines and outcomes of a category']],
  combinations: (names) => names.map((name) => ({ endpoint: 'category', category: name })),
  lists: () => 'other',
  path: (one, keyOf) => categoryPath(keyOf(one.category)),
}

const category = { document: ofCategory }
const KINDS = {
  stats,
  trending,
  overview,
  ideas,
  users,
  categories,
  timeline,
  outcomes,
  category,
  history,
  revisions,
} as const
type Kinds = typeof KINDS

/** By kind, what it has of this: a document, or a table. */
type Having<What extends 'document' | 'table'> = {
  readonly [
    K in keyof Kinds as Kinds[K] extends Readonly<Record<What, unknown>> ? K : never
  ]: Kinds[K] extends Readonly<Record<What, infer T>> ? T : never
}

function having<What extends 'document' | 'table'>(what: What): Having<What> {
  const found = Object.entries<object>(KINDS).filter(([, kind]) => what in kind)
  return Object.fromEntries(found.map(([name, kind]) => [name, kind[what as keyof object]])) as unknown as Having<What>
}

export const DOCUMENTS: Having<'document'> = having('document')

export type ExportType = keyof Having<'table'>
/** The types of the export, in order. */
export const TABLES: Readonly<Record<ExportType, TableKind>> = having('table')
export const EXPORT_TYPES = Object.keys(TABLES) as readonly ExportType[]

/** A row of the export: its columns, in their order. */
export type RowOf<Type extends ExportType> = ObjectOf<Having<'table'>[Type]['columns']>

/** A row of any export. */
export type Cell = string | number | boolean | null
export type ExportRow = Readonly<Record<string, Cell>>
