// Owns gathering the documents that the site shows, when all have been written. Knows neither the site nor files.
import { historyRows, outcomesDocument, timelineDocument } from '../../analytics/kinds.ts'
import { overviewRows } from '../../analytics/overview.ts'
import { ownSpan } from '../../analytics/timeline.ts'
import type { IdeaLists } from '../../analytics/idea-lists.ts'
import { categoryKey } from '../../contract/category-name.ts'
import type { CategoriesDocument } from '../../contract/kinds/categories.ts'
import { BOUNDED_PERIODS, PERIODS } from '../../contract/windows.ts'
import { recordOf } from '../../model/record-of.ts'
import type { SiteDocuments } from '../../site/page/input.ts'
import { growthOf } from '../../site/sections/categories.ts'
import type { Context } from './exports.ts'

/** The period of the trending ideas on the page of a category. */
const PAGE_PERIOD = '90d'

/** A page shows fewer. More would be kept in memory while the manifest is made, and there may be 20,000. */
export const SITE_CATEGORIES = 100

/** The documents are made again from what was counted: nothing that was written is read. */
export function siteDocuments(context: Context, lists: IdeaLists): SiteDocuments {
  const { asOfMs, firstMonthMs, zone, categories, people, trending, stats, revisions } = context
  return {
    stats,
    outcomes: outcomesDocument(context),
    overview: recordOf(PERIODS, (period) => overviewRows(period, categories, people)),
    users: recordOf(PERIODS, (period) => people.userRows(period, zone)),
    trending: recordOf(BOUNDED_PERIODS, (period) => trending.document(period, null, asOfMs)),
    categories: recordOf(PERIODS, (period) => ofSite(categories.document(period, asOfMs))),
    timelines: recordOf(PERIODS, (period) => timelineDocument(ownSpan(period), context)),
    lastYear: categories.all.timeline.lastYear(),
    launched: lists.of(null).launched,
    newest: lists.newest,
    mappings: historyRows(context).filter((row, i, rows) => row.mapping !== rows[i - 1]?.mapping),
    revisions,
    ofCategories: lists.pages.map((name) => ({
      name,
      ...lists.of(name),
      key: categoryKey(name),
      numbers: recordOf(PERIODS, (period) => categories.numbers(name, period)),
      file: categories.file(name, firstMonthMs, asOfMs),
      lastYear: categories.of(name).timeline.lastYear(),
      trending: trending.document(PAGE_PERIOD, name, asOfMs),
    })),
  }
}

/** The first rows, and the one that grew most, which a page names; or two that grew alike, and then it names none. */
export function ofSite(document: CategoriesDocument): CategoriesDocument {
  const [first, rest] = [document.categories.slice(0, SITE_CATEGORIES), document.categories.slice(SITE_CATEGORIES)]
  const most = document.categories.reduce((highest, row) => Math.max(highest, growthOf(row)), 0)
  return { ...document, categories: [...first, ...rest.filter((row) => growthOf(row) === most).slice(0, 2)] }
}
