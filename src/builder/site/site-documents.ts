// Owns gathering the documents that the site shows, when all have been written. Knows neither the site nor files.
import { overviewRows } from '../../analytics/kinds/overview.ts'
import { userRows } from '../../analytics/kinds/users.ts'
import { ownSpan } from '../../analytics/timeline.ts'
import type { Launched } from '../../analytics/launched.ts'
import type { CategoriesDocument } from '../../contract/kinds/categories.ts'
import type { TimelineDocument } from '../../contract/kinds/timeline.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import type { BoundedPeriod, Period } from '../../contract/windows.ts'
import type { SiteDocuments } from '../../site/input.ts'
import { mostGrown } from '../../site/sections/categories.ts'
import type { Context } from '../documents/document-of.ts'

/** A page shows fewer. More would be kept in memory while the manifest is made: there may be 20,000. */
export const SITE_CATEGORIES = 100

/** They are made again from what was counted: nothing that was written is read. */
export function siteDocuments(context: Context, launched: Launched): SiteDocuments {
  const { asOfMs, categories, people, trending, firstMonthMs } = context
  const dataAsOf = formatTimestamp(asOfMs)
  const timeline = (period: Period): TimelineDocument => ({
    ...categories.all.timeline.document(ownSpan(period), null, firstMonthMs),
    dataAsOf,
  })
  const categoriesOf = (period: Period): CategoriesDocument => ofSite(categories.document(period, asOfMs))
  return {
    stats: context.stats,
    overview: byPeriod((period) => overviewRows(period, categories, people)),
    users: byPeriod((period) => userRows(period, people)),
    trending: byBounded((period) => trending.ofAllIdeas(period, asOfMs)),
    previousRanks: byBounded((period) => trending.previousRanks(period, asOfMs)),
    categories: byPeriod(categoriesOf),
    timelines: byPeriod(timeline),
    outcomes: { ...categories.all.outcomes.document(null, asOfMs), dataAsOf },
    launched: launched.take(),
  }
}

/** The first rows, and the one that grew most: a page names it, whichever it is. */
export function ofSite(document: CategoriesDocument): CategoriesDocument {
  const [first, rest] = [document.categories.slice(0, SITE_CATEGORIES), document.categories.slice(SITE_CATEGORIES)]
  const most = mostGrown(document.categories)
  return { ...document, categories: most !== null && rest.includes(most) ? [...first, most] : first }
}

function byBounded<T>(make: (period: BoundedPeriod) => T): Record<BoundedPeriod, T> {
  return { '24h': make('24h'), '7d': make('7d'), '30d': make('30d'), '90d': make('90d') }
}

function byPeriod<T>(make: (period: Period) => T): Record<Period, T> {
  return { ...byBounded(make), all: make('all') }
}
