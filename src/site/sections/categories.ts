// Owns "categories": a table whose first column is also its chart, a bar for each category. Pure.
import { html, type Markup } from '../page/html.ts'
import type { CategoriesDocument, CategoryRow } from '../../contract/kinds/categories.ts'
import type { Period } from '../../contract/windows.ts'
import { inlineBar } from '../charts/bars.ts'
import { ENOUGH_TO_WIN, mostOf, winnerOf } from '../page/claims.ts'
import { categoryLink, categoryName, shareText, sources } from '../page/drawing.ts'
import { periodOf, type Page } from '../page/page.ts'
import { isolatedText } from '../page/titles.ts'
import { moreIn, section, table } from './section.ts'

const SHOWN = 20

export function categoriesSection(page: Page): Markup {
  const { t } = page
  const w = t.w.categories
  const { categories: ofPeriods } = page.input.documents
  // The last 90 days; on a site without an idea in them, all time.
  const usual = ofPeriods['90d'].totals.ideas > 0 ? '90d' : 'all'
  const document = ofPeriods[periodOf(page) ?? usual]
  const { period } = document
  const rows = document.categories.slice(0, SHOWN)
  const span = t.span(period)
  const shown = { id: 'categories', heading: w.heading, period }
  const links = sources(page, w.heading, { endpoint: 'categories', period })
  if ((rows[0]?.ideas ?? 0) === 0) return section({ ...shown, lead: t.say(w.none, { span }), body: links })
  const body = html`${tableOf(page, period, rows)}${moreIn(page, 'CSV', document.count - rows.length)}${links}`
  // There are notes only for columns that are there.
  const notes = [w.note, period === 'all' ? w.noteLaunched : w.noteBefore]
  const lead = [t.say(w.lead, { span }), ...findingsOf(page, document)].join(' ')
  return section({ ...shown, lead, notes, body })
}

function tableOf(page: Page, period: Period, rows: readonly CategoryRow[]): Markup {
  const { t } = page
  const w = t.w.categories
  const most = Math.max(1, ...rows.map(({ ideas }) => ideas))
  const before = period !== 'all'
  return table(page, 'categories-table', t.w.activity.byCategory, rows, [
    [t.w.activity.category, (row) => html`${categoryLink(page, row.category)}${inlineBar(row.ideas / most)}`],
    [t.w.totals.ideas, ({ ideas }) => ideas],
    before && [w.before, ({ previousIdeas }) => previousIdeas ?? 0, 'minor'],
    before && [w.change, (row) => t.signed(growthOf(row))],
    [t.w.totals.votes, ({ votes }) => votes],
    [t.w.totals.comments, ({ comments }) => comments],
    [w.launchedThen, ({ launchedIdeas }) => launchedIdeas],
    // Young ideas that are not launched yet are no failures.
    !before && [w.launchedOfThese, ({ launchedIdeas, ideas }) => shareText(t, launchedIdeas, ideas)],
  ])
}

export function growthOf({ ideas, previousIdeas }: CategoryRow): number {
  return ideas - (previousIdeas ?? 0)
}

/** The category that grew most, by ideas. */
function mostGrown(rows: readonly CategoryRow[]): CategoryRow | null {
  const most = winnerOf(rows, growthOf)
  return most !== null && growthOf(most) > 0 && most.ideas >= ENOUGH_TO_WIN ? most : null
}

/** What readers may be told first. For all time no growth is told: everything grew from nothing. */
function findingsOf(page: Page, { period, categories: rows, totals }: CategoriesDocument): string[] {
  const { t } = page
  const w = t.w.categories
  const name = (row: CategoryRow): string => isolatedText(categoryName(page, row.category))
  const first = mostOf(rows, ({ ideas }) => ideas)
  const grown = period === 'all' ? null : mostGrown(rows)
  return [
    first && t.say(w.first, { category: name(first), n: first.ideas, all: totals.ideas }),
    grown && t.say(w.grew, { category: name(grown), before: grown.previousIdeas ?? 0, now: grown.ideas }),
  ].filter((finding) => finding !== null)
}
