// Owns what the site is made from: the documents of one release and what its operator says of it. Types only; knows no file,
// no clock, no database and no manifest.
import type { CategoriesDocument, CategoryNumbers } from '../../contract/kinds/categories.ts'
import type { OutcomesDocument } from '../../contract/kinds/outcomes.ts'
import type { RevisionRow } from '../../contract/kinds/revisions.ts'
import type { StatsDocument } from '../../contract/kinds/stats.ts'
import type { CategoryFile } from '../../contract/kinds/register.ts'
import type { ExportRow } from '../../contract/kinds/tables.ts'
import type { TimelineCounts, TimelineDocument } from '../../contract/kinds/timeline.ts'
import type { LaunchedIdea, ListedIdea } from '../../contract/kinds/ideas.ts'
import type { TrendingDocument } from '../../contract/kinds/trending.ts'
import type { PeopleMode } from '../../contract/people.ts'
import type { SiteOptions } from '../../contract/site-options.ts'
import type { Label } from '../../contract/time-zone.ts'
import type { Timestamp } from '../../contract/timestamp.ts'
import type { BoundedPeriod, Period } from '../../contract/windows.ts'

/** The documents as they are published, without `generatedAt` and `version`. */
export interface SiteDocuments {
  readonly stats: StatsDocument
  readonly outcomes: OutcomesDocument
  /** Rows of the exports; people are rounded or null as `people` says. */
  readonly overview: Readonly<Record<Period, readonly ExportRow[]>>
  readonly users: Readonly<Record<Period, readonly ExportRow[]>>
  /** The trending ideas of all ideas. */
  readonly trending: Readonly<Record<BoundedPeriod, TrendingDocument>>
  /** The first SITE_CATEGORIES rows, and those that grew most (two at most); `count` is that of all rows. */
  readonly categories: Readonly<Record<Period, CategoriesDocument>>
  /** The timelines of all ideas, each period in its own buckets. */
  readonly timelines: Readonly<Record<Period, TimelineDocument>>
  /** Dated launches, newest first, at most 50. */
  readonly launched: readonly LaunchedIdea[]
  /** The newest ideas of the last seven days, newest first, at most 200. */
  readonly newest: readonly ListedIdea[]
  readonly lastYear: LastYear | null
  /** The first day of the history, and each since which another mapping has counted. */
  readonly mappings: readonly { readonly date: string }[]
  /** What changed in past numbers, the newest last. */
  readonly revisions: readonly RevisionRow[]
  /** The categories that have pages, the largest first. */
  readonly ofCategories: readonly CategoryView[]
}

/** What was counted this year, and in the same days of last year; `from` is the first day, and `to` the last one. */
export type LastYear = Readonly<Record<'now' | 'before', TimelineCounts & Readonly<Record<'from' | 'to', Label>>>>

/** What the page of a category shows. */
export interface CategoryView {
  readonly name: string
  readonly key: string
  readonly numbers: Readonly<Record<Period, CategoryNumbers>>
  readonly file: CategoryFile
  readonly lastYear: LastYear | null
  /** The trending ideas of the last 90 days. */
  readonly trending: TrendingDocument
  /** Dated launches, newest first, at most 50. */
  readonly launched: readonly LaunchedIdea[]
  /** The ideas with most votes of all time, most first, at most 10. */
  readonly mostVoted: readonly ListedIdea[]
}

export interface SiteDataFile {
  readonly path: string
  readonly bytes: number
  readonly rows: number | null
}

/** `publicUrl`: null = not known: absolute addresses are left out. `languages`: at least one. */
export interface SiteInput extends Pick<SiteOptions, 'publicUrl' | 'languages'> {
  readonly words: Omit<SiteOptions, 'publicUrl' | 'languages'>
  /** The platform itself (`--site-url`). */
  readonly siteUrl: string | null
  readonly dataAsOf: Timestamp
  readonly nextUpdateAt: Timestamp
  /** Whether the platform is closed to visitors, so that every list is empty. */
  readonly closed: boolean
  /** The time of the release that closed it; absent for an open site. */
  readonly closedSince?: Timestamp | undefined
  /** Whether the numbers are invented. */
  readonly demo: boolean
  readonly people: PeopleMode
  /** The time zone (IANA) in which days are cut and times are written. */
  readonly timeZone: string
  readonly programVersion: string
  readonly mappingName: string
  /** Rows that are left out, or count without what is wrong; null = how many is not published. */
  readonly ignored: readonly { readonly relation: string; readonly rows: number | null }[]
  readonly documents: SiteDocuments
  /** The data files of the release, in the order of their paths. */
  readonly files: readonly SiteDataFile[]
  /** The months that have an archive (`YYYY-MM`), the newest first. */
  readonly months: readonly string[]
  /** Whether past numbers were compared with those of an earlier release. */
  readonly isCompared: boolean
  /** The last line of the log of days; null = it has none yet. */
  readonly logged: string | null
  /** Paths from the root of the release. */
  readonly assets: { readonly css: string; readonly js: string }
}

/** What is said of the data wherever it goes. */
export type DescribedSite = Omit<SiteInput, 'documents' | 'files' | 'assets'>

export interface SiteFile {
  readonly path: string
  readonly text: string
}
