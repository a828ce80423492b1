// Owns the ideas by their day: "launched", the latest launches that have a date, where anything was launched; and "new". Pure.
import type { LaunchedIdea, ListedIdea } from '../../contract/kinds/ideas.ts'
import type { Timestamp } from '../../contract/timestamp.ts'
import { DAY_MS, EARLIEST_DATE_MS } from '../../contract/windows.ts'
import { sources } from '../page/drawing.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import type { Page } from '../page/page.ts'
import type { Speech } from '../page/speech.ts'
import type { Timeline } from './activity.ts'
import { moreIn, section } from './section.ts'
import { feedLine } from './sharing.ts'
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
  const items = ideas.map((idea) => entry(page, idea, idea.launchedAt, tookText(t, idea)))
  const body = html`${ideas.length > 0 && openList(page, 'ul', items, SHOWN)}${n > 0 && html`<p class="remark">${t.w.outcomes.withoutDate} (${t.number(n)})</p>`}`
  return section({ id: 'launched', heading: w.heading, lead: ideas.length === 0 ? w.none : w.lead, body })
}

/** The period of the ideas that are new. */
export const NEW = '7d'
const NEW_SHOWN = 10

export function newSection(page: Page): Content {
  const { t, input, view } = page
  const { newest, categories } = input.documents
  if (view !== null || newest.length === 0) return null
  const { totals, from } = categories[NEW]
  const { heading, lead } = t.w.new
  const items = newest.slice(0, NEW_SHOWN).map((idea) => entry(page, idea, idea.createdAt))
  const links = sources(page, heading, { endpoint: 'export', type: 'ideas', period: NEW, format: 'json' })
  const body = html`<ul class="ideas">${items}</ul>${moreIn(page, 'CSV', totals.ideas - items.length)}${links}${feedLine(page, 'new')}`
  const when = t.dateTime(from ?? input.dataAsOf)
  return section({ id: 'new', heading, lead: t.say(lead, { n: totals.ideas, when }), period: NEW, body })
}

/** @param took how long it took until then */
function entry(page: Page, idea: ListedIdea, time: Timestamp, took: string | null = null): Markup {
  const { t } = page
  return html`<li>${ideaText(page, { ...idea, status: null })}<p class="figures"><span class="${took === null ? 'figure' : 'figure whole'}"><time datetime="${time}">${t.date(time)}</time></span> ${took !== null && html`<span class="figure">${took}</span> `}<span class="figure">${t.count(t.w.trending.votes, idea.votes)}</span></p></li>`
}

/** How long it took until the launch; null = when it was submitted is not known. */
export function tookText(t: Speech, { createdAt, launchedAt }: LaunchedIdea): string | null {
  const [createdMs, launchedMs] = [Date.parse(createdAt), Date.parse(launchedAt)]
  if (!(createdMs >= EARLIEST_DATE_MS && createdMs <= launchedMs)) return null
  const days = Math.floor((launchedMs - createdMs) / DAY_MS)
  return days === 0 ? t.w.launched.sameDay : t.count(t.w.launched.after, days)
}
