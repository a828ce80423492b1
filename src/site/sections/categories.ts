// Owns "categories": a table whose first column is also its chart, a bar for each category. Pure.
import { html, type Content, type Markup } from '../html.ts'
import type { CategoriesDocument, CategoryRow } from '../../contract/kinds/categories.ts'
import type { Period } from '../../contract/windows.ts'
import { inlineBar } from '../charts/bars.ts'
import { ENOUGH_TO_WIN, mostOf, winnerOf } from '../claims.ts'
import { categoryLink, categoryName, requestOf, shareText, sources } from '../drawing.ts'
import { periodOf, type Page } from '../page.ts'
import { isolatedText } from '../titles.ts'
import { section, table } from './section.ts'

const SHOWN = 20

/** The last 90 days; on a site without an idea in them, all time. */
function shownPeriod({ input }: Page): Period {
  return input.documents.categories['90d'].totals.ideas > 0 ? '90d' : 'all'
}

export function categories(page: Page): Markup {
  return categoriesOf(page, page.input.documents.categories[periodOf(page) ?? shownPeriod(page)])
}

export function categoriesOf(page: Page, document: CategoriesDocument): Markup {
  const { t } = page
  const w = t.w.categories
  const { period } = document
  const rows = document.categories.slice(0, SHOWN)
  const [first] = rows
  const span = t.w.activity.spans[period]
  const id = 'categories'
  const links = sources(
    page,
    w.heading,
    [`analytics/export/categories/${period}.csv`, `analytics/categories/${period}.json`],
    requestOf('/api/analytics/categories', { period }),
  )
  if (first === undefined || first.ideas === 0)
    return section({ id, heading: w.heading, lead: t.say(w.none, { span }), body: links, period })
  const rest = document.count - rows.length
  const body = html`${tableOf(page, document)}${rest > 0 && html`<p class="remark">${t.say(t.w.table.more, { file: 'CSV', n: rest })}</p>`}${links}`
  // Only of columns that are there.
  const notes = html`<p class="remark">${w.note} ${period === 'all' ? w.noteLaunched : w.noteBefore}</p>`
  return section({
    id,
    heading: w.heading,
    lead: [t.say(w.lead, { span }), ...findingsOf(page, document)].join(' '),
    notes,
    body,
    period,
  })
}

function tableOf(page: Page, document: CategoriesDocument): Markup {
  const { t } = page
  const w = t.w.categories
  const rows = document.categories.slice(0, SHOWN)
  const most = Math.max(1, ...rows.map(({ ideas }) => ideas))
  const before = document.period !== 'all'
  const columns = [
    { text: t.w.activity.category, isNumber: false },
    t.w.totals.ideas,
    ...(before ? [{ text: w.before, isMinor: true }, w.change] : []),
    t.w.totals.votes,
    t.w.totals.comments,
    w.launchedThen,
    // Young ideas are no failures.
    ...(before ? [] : [w.launchedOfThese]),
  ]
  const cells = rows.map((row): Content[] => [
    html`${categoryLink(page, row.category)}${inlineBar(row.ideas / most)}`,
    t.number(row.ideas),
    ...(before ? [t.number(row.previousIdeas ?? 0), signed(page, growthOf(row))] : []),
    t.number(row.votes),
    t.number(row.comments),
    t.number(row.launchedIdeas),
    ...(before ? [] : [shareText(t, row.launchedIdeas, row.ideas)]),
  ])
  return table('categories-table', t.w.activity.byCategory, columns, cells)
}

export function growthOf({ ideas, previousIdeas }: CategoryRow): number {
  return ideas - (previousIdeas ?? 0)
}

/** Which grew most, by ideas. */
export function mostGrown(rows: readonly CategoryRow[]): CategoryRow | null {
  const most = winnerOf(rows, growthOf)
  return most !== null && growthOf(most) > 0 && most.ideas >= ENOUGH_TO_WIN ? most : null
}

/** What is of all time grew from nothing. */
function findingsOf(page: Page, { period, categories: rows, totals }: CategoriesDocument): string[] {
  const { t } = page
  const w = t.w.categories
  const name = (row: CategoryRow): string => isolatedText(categoryName(page, row.category))
  const [first, grown] = [mostOf(rows, ({ ideas }) => ideas), period === 'all' ? null : mostGrown(rows)]
  return [
    ...(first === null ? [] : [t.say(w.first, { category: name(first), n: first.ideas, all: totals.ideas })]),
    ...(grown === null
      ? []
      : [t.say(w.grew, { category: name(grown), before: grown.previousIdeas ?? 0, now: grown.ideas })]),
  ]
}

/** The sign is a part of the text: a colour alone says nothing to many. */
function signed({ t }: Page, n: number): string {
  if (n === 0) return t.number(0)
  return `${n > 0 ? '+' : '\u2212'}${t.number(Math.abs(n))}`
}
