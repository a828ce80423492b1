// Owns "categories": a table whose first column is also its chart, a bar for each category. Pure.
import { html, type Content, type Markup } from '../html.ts'
import type { CategoriesDocument } from '../../contract/documents.ts'
import type { Period } from '../../contract/windows.ts'
import { inlineBar } from '../charts/bars.ts'
import { categoryName, sources, type Page } from '../page.ts'
import { isolated, isolatedText } from '../titles.ts'
import { section, table } from './section.ts'

const SHOWN = 20

/** The last 90 days; on a site without an idea in them, all time. */
function shownPeriod({ input }: Page): Period {
  return input.documents.categories['90d'].totals.ideas > 0 ? '90d' : 'all'
}

export function categories(page: Page): Markup {
  const { t, input } = page
  const w = t.w.categories
  const period = shownPeriod(page)
  const document = input.documents.categories[period]
  const rows = document.categories.slice(0, SHOWN)
  const [first] = rows
  if (first === undefined || first.ideas === 0)
    return section({ id: 'categories', heading: w.heading, lead: w.none, body: null, period })
  const finding = t.say(w.first, {
    category: isolatedText(categoryName(page, first.category)),
    n: first.ideas,
    all: document.totals.ideas,
  })
  const rest = document.count - rows.length
  const body = html`${tableOf(page, document, period)}${rest > 0 && html`<p class="remark">${t.count(w.rest, rest)}</p>`}${sources(
    page,
    [
      [t.w.table.csv, `analytics/export/categories/${period}.csv`],
      [t.w.table.json, `analytics/categories/${period}.json`],
    ],
  )}`
  return section({
    id: 'categories',
    heading: w.heading,
    lead: html`${t.say(w.lead, { span: t.w.activity.spans[period] })} ${finding}`,
    notes: html`<p class="remark">${w.note}</p>`,
    body,
    period,
  })
}

function tableOf(page: Page, document: CategoriesDocument, period: Period): Markup {
  const { t } = page
  const w = t.w.categories
  const rows = document.categories.slice(0, SHOWN)
  const most = Math.max(1, ...rows.map(({ ideas }) => ideas))
  const before = period !== 'all'
  const columns = [
    { text: w.category, isNumber: false },
    { text: w.ideas },
    ...(before ? [{ text: w.before }] : []),
    { text: w.votes },
    { text: w.comments },
    { text: w.launched },
    { text: w.rate },
  ]
  const cells = rows.map((row): Content[] => [
    html`${isolated(categoryName(page, row.category))}${inlineBar(row.ideas / most)}`,
    t.number(row.ideas),
    ...(before ? [t.number(row.previousIdeas ?? 0)] : []),
    t.number(row.votes),
    t.number(row.comments),
    t.number(row.launchedIdeas),
    t.percent(row.launchSuccessRate),
  ])
  return table('categories-table', w.caption, columns, cells)
}
