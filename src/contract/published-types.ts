// Owns the types that `import type { … } from 'public-analytics'` gives, for those who read the documents in TypeScript. Like the
// API they are kept by semantic versioning. Nothing here runs.
import type { Timestamp } from './timestamp.ts'

export type { CategoriesDocument, CategoryNumbers, CategoryRow } from './kinds/categories.ts'
export type { ExportDocument } from './kinds/export.ts'
export type { Cohort, Launched, OutcomesDocument, StatusRow } from './kinds/outcomes.ts'
export type { CategoryFile } from './kinds/register.ts'
export type { Cell, ExportRow, ExportType } from './kinds/tables.ts'
export type { StatsDocument } from './kinds/stats.ts'
export type { TimelineBucket, TimelineCounts, TimelineDocument } from './kinds/timeline.ts'
export type { TrendingDocument, TrendingIdea } from './kinds/trending.ts'
export type { Label } from './time-zone.ts'
export type { Timestamp } from './timestamp.ts'
export type { BoundedPeriod, Interval, Period } from './windows.ts'

/** What the API answers, and what a file of a release contains: `Answer<TrendingDocument>`. */
export type Answer<Document> = Document & {
  /** When the answer was made; its numbers are those of `dataAsOf`. */
  readonly generatedAt: Timestamp
  readonly version: string
}
