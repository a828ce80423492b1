// Owns "trending ideas": a list in the order of their points, the first of them open, more folded. Pure.
import type { TrendingDocument, TrendingIdea } from '../../contract/kinds/trending.ts'
import { BOUNDED_PERIODS, type BoundedPeriod } from '../../contract/windows.ts'
import { html, type Content, type Markup } from '../html.ts'
import { categoryLink, ideaLink, leadOf, sign, sources } from '../drawing.ts'
import { periodOf, type Page } from '../page.ts'
import { cutTitle, isolated } from '../titles.ts'
import { folded, section } from './section.ts'

const OPEN = 10
export const SHOWN = 20

/** A week; on a site where nothing happened for so long, the shortest longer time in which something did. */
function shownPeriod({ input }: Page): BoundedPeriod {
  const longer = BOUNDED_PERIODS.slice(BOUNDED_PERIODS.indexOf('7d'))
  return longer.find((period) => input.documents.trending[period].count > 0) ?? '90d'
}

export function trending(page: Page): Markup {
  const chosen = periodOf(page)
  // There are no trends of all time.
  const period = chosen === 'all' ? '90d' : (chosen ?? shownPeriod(page))
  return trendingOf(page, page.input.documents.trending[period])
}

export function trendingOf(page: Page, document: TrendingDocument): Markup {
  const { t } = page
  const w = t.w.trending
  const { period, category, ideas } = document
  const span = t.w.activity.spans[period]
  const id = 'trending'
  const embed = category === null ? 'trending' : null
  const links = sources(page, w.heading, { endpoint: 'trending', period, category }, embed)
  if (ideas.length === 0) {
    const lead = leadOf(page, t.say(w.none, { span }), category)
    return section({ id, heading: w.heading, lead, body: links, period })
  }
  const list = (from: number, to: number): Markup =>
    html`<ol class="ideas">${ideas.slice(from, to).map((idea) => entry(page, document, idea))}</ol>`
  const body = html`${list(0, OPEN)}${ideas.length > OPEN && folded(t.say(w.next, { from: OPEN + 1, to: Math.min(SHOWN, ideas.length) }), list(OPEN, SHOWN))}${links}`
  const lead = leadOf(page, t.say(w.lead, { span }), category)
  return section({ id, heading: w.heading, lead, notes: html`<p class="remark">${w.note}</p>`, body, period })
}

function entry(page: Page, { from }: TrendingDocument, idea: TrendingIdea): Markup {
  const { t } = page
  const w = t.w.trending
  return html`<li value="${idea.rank}"><span class="rank" aria-hidden="true">${idea.rank}</span><div class="idea"><h3>${ideaLink(page, idea)}</h3><p class="meta">${about(page, idea)}</p></div><p class="figures"><span class="figure">${t.count(w.votes, idea.votes)}</span> <span class="figure">${t.count(w.comments, idea.comments)}</span> ${move(page, idea, from)}</p></li>`
}

/** Its categories and its status, each isolated from the text around it. */
export function about(page: Page, { categories, status }: Pick<TrendingIdea, 'categories' | 'status'>): Content {
  const names = categories.map((name) => html`<span class="tag">${categoryLink(page, name)}</span> `)
  return html`${names}${status !== null && html`<span class="status">${isolated(cutTitle(status))}</span>`}`
}

/** In numbers: points can grow while an idea falls behind others. */
function move({ t }: Page, { score, previousScore, createdAt }: TrendingIdea, from: string): Markup {
  const w = t.w.trending
  if (createdAt >= from) return html`<span class="move">${sign('★')}${w.fresh}</span>`
  return html`<span class="move points">${t.say(w.points, { now: score, before: previousScore })}</span>`
}
