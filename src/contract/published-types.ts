// Owns the types that `import type { … } from 'public-analytics'` gives, for those who read the documents in TypeScript. Like the
// API they are kept by semantic versioning. Nothing here runs.
import type { ExportHead, ExportRow } from './documents.ts'
import type { Timestamp } from './timestamp.ts'

export type {
  CategoriesDocument,
  CategoryFile,
  CategoryNumbers,
  CategoryRow,
  Cell,
  Cohort,
  ExportRow,
  Launched,
  OutcomesDocument,
  StatsDocument,
  StatusRow,
  TimelineBucket,
  TimelineCounts,
  TimelineDocument,
  TrendingDocument,
  TrendingIdea,
} from './documents.ts'
export type { ExportType } from './endpoints.ts'
export type { Timestamp } from './timestamp.ts'
export type { BoundedPeriod, Interval, Period } from './windows.ts'

/** What the API answers, and what a file of a release contains: `Answer<TrendingDocument>`. */
export type Answer<Document> = Document & {
  /** Of the answer, not of its numbers: those are of `dataAsOf`. */
  readonly generatedAt: Timestamp
  readonly version: string
}

/** An export in JSON. Its rows have the columns of its type. */
export interface ExportDocument extends ExportHead {
  readonly data: readonly ExportRow[]
  readonly rowCount: number
  readonly dataAsOf: Timestamp
}
