// Owns "most active ideas": a list in the order of their points, the first of them open, more folded. Pure.
import type { TrendingDocument, TrendingIdea } from '../../contract/kinds/trending.ts'
import { BOUNDED_PERIODS, type BoundedPeriod } from '../../contract/windows.ts'
import { html, type Markup } from '../page/html.ts'
import { categoryLink, ideaLink, leadOf, sign, sources } from '../page/drawing.ts'
import { periodOf, type Page } from '../page/page.ts'
import { cutTitle, isolated } from '../page/titles.ts'
import { folded, section } from './section.ts'

const OPEN = 10
const SHOWN = 20

/** The period to show: a week; on a site where nothing happened for so long, the shortest longer time in which something did. */
export function trendingPeriod(page: Page): BoundedPeriod {
  const chosen = periodOf(page)
  // There are no trends of all time.
  if (chosen !== null) return chosen === 'all' ? '90d' : chosen
  const longer = BOUNDED_PERIODS.slice(BOUNDED_PERIODS.indexOf('7d'))
  return longer.find((period) => page.input.documents.trending[period].count > 0) ?? '90d'
}

/** @param document by default that of all ideas in the period of the page */
export function trendingSection(page: Page, document = page.input.documents.trending[trendingPeriod(page)]): Markup {
  const { t } = page
  const w = t.w.trending
  const { period, category, from, ideas } = document
  const embed = category === null ? 'trending' : null
  const span = t.span(period)
  const heading = t.say(w.heading, { span })
  const links = sources(page, heading, { endpoint: 'trending', period, category }, embed)
  const said = ideas.length === 0 ? t.say(w.none, { span }) : t.say(w.lead, { when: t.dateTime(from) })
  const shown = { id: 'trending', heading, lead: leadOf(page, said, category), period }
  if (ideas.length === 0) return section({ ...shown, body: links })
  const items = ideas.slice(0, SHOWN).map((idea) => entry(page, document, idea))
  const body = html`${openList(page, 'ol', items, OPEN)}${links}`
  return section({ ...shown, notes: [w.note], body })
}

function entry(page: Page, { from }: TrendingDocument, idea: TrendingIdea): Markup {
  const { t } = page
  const w = t.w.trending
  return html`<li value="${idea.rank}"><span class="rank" aria-hidden="true">${idea.rank}</span>${ideaText(page, idea)}<p class="figures"><span class="figure">${t.count(w.votes, idea.votes)}</span> <span class="figure">${t.count(w.comments, idea.comments)}</span> ${move(page, idea, from)}</p></li>`
}

/** The first of a list, and the rest folded. */
export function openList({ t }: Page, element: 'ol' | 'ul', items: readonly Markup[], open: number): Markup {
  const list = (some: readonly Markup[]): Markup =>
    element === 'ol' ? html`<ol class="ideas">${some}</ol>` : html`<ul class="ideas">${some}</ul>`
  const rest = t.say(t.w.trending.next, { from: open + 1, to: items.length })
  return html`${list(items.slice(0, open))}${items.length > open && folded(rest, list(items.slice(open)))}`
}

/** The title of an idea, its categories and its status, each isolated from the text around it. */
export function ideaText(page: Page, idea: Pick<TrendingIdea, 'title' | 'url' | 'categories' | 'status'>): Markup {
  const names = idea.categories.map((name) => html`<span class="tag">${categoryLink(page, name)}</span> `)
  const { status } = idea
  const shown = status !== null && html`<span class="status">${isolated(cutTitle(status))}</span>`
  return html`<div class="idea"><h3>${ideaLink(page, idea)}</h3><p class="meta">${names}${shown}</p></div>`
}

/** The change of its points in numbers, because points can grow while an idea falls behind others. */
function move({ t }: Page, { score, previousScore, createdAt }: TrendingIdea, from: string): Markup {
  const w = t.w.trending
  if (createdAt >= from) return html`<span class="move">${sign('★')}${w.fresh}</span>`
  return html`<span class="move points">${t.say(w.points, { now: score, before: previousScore })}</span>`
}
