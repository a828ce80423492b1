// Owns the file of a category: the answers of timeline and outcomes for it, of which each answer takes one.
import { categoryPath, type DocumentKind } from './kind.ts'
import type { CategoryOutcomes } from './outcomes.ts'
import type { CategoryTimelines } from './timeline.ts'

export type CategoryFile = CategoryTimelines & CategoryOutcomes

export interface CategoryCombination {
  readonly endpoint: 'category'
  readonly category: string
}

export const category: DocumentKind<never, CategoryCombination> = {
  files: [['analytics/category/<key>.json', 'timelines and outcomes of a category']],
  combinations: (categories) => categories.map((name) => ({ endpoint: 'category', category: name })),
  listsContent: () => true,
  path: (one, keyOf) => categoryPath(keyOf(one.category)),
}
