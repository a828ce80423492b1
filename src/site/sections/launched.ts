// Owns "recently launched": the latest launches that have a date. Pure.
import { DAY_MS } from '../../contract/windows.ts'
import { html, type Markup } from '../html.ts'
import type { LaunchedIdea } from '../input.ts'
import { ideaLink } from '../drawing.ts'
import type { Page } from '../page.ts'
import { folded, section } from './section.ts'
import { about } from './trending.ts'

const SHOWN = 8
export function launched(page: Page): Markup {
  const { launched: ideas, timelines } = page.input.documents
  return launchedOf(page, ideas.slice(0, SHOWN), timelines.all.undated.launchedIdeas)
}

/**
 * @param ideas newest first
 * @param undated how many are launched besides, nobody knows when
 */
export function launchedOf(page: Page, ideas: readonly LaunchedIdea[], undated: number): Markup {
  const { t } = page
  const w = t.w.launched
  if (ideas.length === 0) return section({ id: 'launched', heading: w.heading, lead: w.none, body: null })
  const list = (some: readonly LaunchedIdea[]): Markup =>
    html`<ul class="ideas">${some.map((idea) => entry(page, idea))}</ul>`
  const next = t.say(t.w.trending.next, { from: SHOWN + 1, to: ideas.length })
  const body = html`${list(ideas.slice(0, SHOWN))}${ideas.length > SHOWN && folded(next, list(ideas.slice(SHOWN)))}${undated > 0 && html`<p class="remark">${t.w.outcomes.withoutDate} (${t.number(undated)})</p>`}`
  return section({ id: 'launched', heading: w.heading, lead: w.lead, body })
}

function entry(page: Page, idea: LaunchedIdea): Markup {
  const { t } = page
  const w = t.w.launched
  const days = Math.max(0, Math.floor((Date.parse(idea.launchedAt) - Date.parse(idea.createdAt)) / DAY_MS))
  const took = days === 0 ? w.sameDay : t.count(w.after, days)
  return html`<li><div class="idea"><h3>${ideaLink(page, idea)}</h3><p class="meta">${about(page, { categories: idea.categories, status: null })}</p></div><p class="figures"><span class="figure whole"><time datetime="${idea.launchedAt}">${t.date(idea.launchedAt)}</time></span> <span class="figure">${took}</span> <span class="figure">${t.count(t.w.trending.votes, idea.votes)}</span></p></li>`
}
