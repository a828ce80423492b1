// Owns "launched": the latest launches that have a date, where anything was launched. Pure.
import type { LaunchedIdea } from '../../contract/kinds/ideas.ts'
import { DAY_MS, EARLIEST_DATE_MS } from '../../contract/windows.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import type { Page } from '../page/page.ts'
import type { Speech } from '../page/speech.ts'
import type { Timeline } from './activity.ts'
import { section } from './section.ts'
import { ideaText, openList } from './trending.ts'

const SHOWN = 8

/** @param ideas newest first @param timeline of all time, which says how many are launched besides, nobody knows when */
export function launchedSection(
  page: Page,
  ideas: readonly LaunchedIdea[] = page.input.documents.launched.slice(0, SHOWN),
  { undated }: Timeline = page.input.documents.timelines.all,
): Content {
  const { t } = page
  const w = t.w.launched
  const n = undated.launchedIdeas
  if (ideas.length === 0 && n === 0) return null
  const items = ideas.map((idea) => entry(page, idea))
  const body = html`${ideas.length > 0 && openList(page, 'ul', items, SHOWN)}${n > 0 && html`<p class="remark">${t.w.outcomes.withoutDate} (${t.number(n)})</p>`}`
  return section({ id: 'launched', heading: w.heading, lead: ideas.length === 0 ? w.none : w.lead, body })
}

function entry(page: Page, idea: LaunchedIdea): Markup {
  const { t } = page
  const took = tookText(t, idea)
  return html`<li>${ideaText(page, { ...idea, status: null })}<p class="figures"><span class="figure whole"><time datetime="${idea.launchedAt}">${t.date(idea.launchedAt)}</time></span> ${took !== null && html`<span class="figure">${took}</span> `}<span class="figure">${t.count(t.w.trending.votes, idea.votes)}</span></p></li>`
}

/** How long it took until the launch; null = when it was submitted is not known. */
export function tookText(t: Speech, { createdAt, launchedAt }: LaunchedIdea): string | null {
  const [createdMs, launchedMs] = [Date.parse(createdAt), Date.parse(launchedAt)]
  if (!(createdMs >= EARLIEST_DATE_MS && createdMs <= launchedMs)) return null
  const days = Math.floor((launchedMs - createdMs) / DAY_MS)
  return days === 0 ? t.w.launched.sameDay : t.count(t.w.launched.after, days)
}
