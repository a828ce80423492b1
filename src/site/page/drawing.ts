// Owns how the parts of a page name ideas, categories, files and requests. Pure; knows no document.
import { pagePath } from '../../contract/site-paths.ts'
import { UNCATEGORIZED } from '../../contract/category-name.ts'
import { ENDPOINTS, type Combination, type Query } from '../../contract/kinds/register.ts'
import type { OutcomesDocument } from '../../contract/kinds/outcomes.ts'
import { EXPORT_TYPES, type ExportType } from '../../contract/kinds/tables.ts'
import type { TrendingIdea } from '../../contract/kinds/trending.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { ENOUGH_FOR_PERCENT } from './claims.ts'
import { html, webAddress, type Content, type Markup } from './html.ts'
import type { Page } from './page.ts'
import { cutTitle, isolated } from './titles.ts'

/** The title of an idea, which leads to it where the platform has an address for it. */
export function ideaLink({ input, t }: Page, idea: Pick<TrendingIdea, 'title' | 'url'>): Markup {
  const cut = cutTitle(idea.title)
  const title = isolated(cut === '' ? t.w.trending.untitled : cut)
  const address = webAddress(idea.url, input.siteUrl)
  return address === null ? title : html`<a href="${address}">${title}</a>`
}

/** The name of a category as it is shown: ideas without one are called by a word of ours. */
export function categoryName({ t }: Page, name: string): string {
  return name === UNCATEGORIZED ? t.w.categories.uncategorized : cutTitle(name)
}

/** The name of a category, which leads to its page where it has one. */
export function categoryLink(page: Page, name: string): Markup {
  const { input, t, root, view } = page
  const text = isolated(categoryName(page, name))
  const category = input.documents.ofCategories.find((one) => one.name === name)
  const isShown = view !== null && 'category' in view && view.category.key === category?.key
  if (category === undefined || isShown) return text
  return html`<a href="${root}${pagePath(t.language, input.languages, { category })}">${text}</a>`
}

/** What a section shows, and that it is of one category only. */
export function leadOf(page: Page, lead: string, category: string | null): Content {
  const { t } = page
  if (category === null) return lead
  const only = t.put(t.w.client.only, { category: html`<b>${isolated(categoryName(page, category))}</b>` })
  return html`${lead} ${only}`
}

/** What a table is called: as the section with its numbers, if there is one. */
export function tableTitle({ w }: Page['t'], type: ExportType): string {
  const ofAll = type.replace('-by-category', '') as Exclude<ExportType, `${string}-by-category`>
  const sections = { ideas: w.totals.ideas, categories: w.categories.heading, timeline: w.activity.heading }
  const title = { ...w.downloads.types, ...sections }[ofAll]
  return ofAll === type ? title : `${title} – ${w.activity.byCategory}`
}

/** A sign for the eye, on one line with what it stands before. */
export function sign(text: string): Markup {
  return html`<span aria-hidden="true">${text}\u00A0</span>`
}

/** A share in percent, or as `2 of 5` where the whole is too small for a percentage. */
export function shareText(t: Page['t'], part: number, whole: number, rounded = Math.round): string {
  return whole >= ENOUGH_FOR_PERCENT ? t.percent(part, whole, rounded) : t.say(t.w.table.part, { part, all: whole })
}

/** How many were launched in their first year: at least so many, where some launches have no date. */
export function firstYearText(
  t: Page['t'],
  { ideas, launched, launchedUndated }: OutcomesDocument['firstYear'],
): string {
  return launchedUndated > 0 ? `≥\u00A0${shareText(t, launched, ideas, Math.floor)}` : shareText(t, launched, ideas)
}

/** What a link with a short name is about, for a reader who hears it alone. */
export function linkContext(of: string): Markup {
  return html`<span class="visually-hidden">: ${of}</span>`
}

/** The query behind an answer of the API, or behind the rows of a table. */
type Shown = Exclude<Query | Combination, { readonly endpoint: 'category' }>

/** The parameters that are in an address, where they have a value. */
const PARAMETERS = ['type', 'period', 'category']

/**
 * The files behind a section, and the request to the API that has the same answer. A table with the same rows is there for all ideas only.
 * @param of what the files are about
 */
export function sources({ t, root, input }: Page, of: string, shown: Shown, embed: string | null = null): Markup {
  const { client, table } = t.w
  const type = EXPORT_TYPES.find((one) => one === ('type' in shown ? shown.type : shown.endpoint))
  const period = 'period' in shown ? shown.period : 'all'
  const isOfAll = !('category' in shown) || shown.category === null
  const json = snapshotPath(shown)
  const link = (path: string, name: string): Content => html` <a href="${root}${path}">${name}${linkContext(of)}</a>`
  const csv =
    type !== undefined && isOfAll && link(snapshotPath({ endpoint: 'export', type, period, format: 'csv' }), 'CSV')
  const given = Object.entries(shown).flatMap(([name, value]): [string, string][] =>
    PARAMETERS.includes(name) && value !== null ? [[name, String(value)]] : [],
  )
  const query = given.length === 0 ? '' : `?${new URLSearchParams(given).toString()}`
  const address =
    input.publicUrl === null ? `${root}${json}` : `${input.publicUrl}${ENDPOINTS[shown.endpoint].path}${query}`
  return html`<p class="sources"><span>${table.get}</span>${csv}${link(json, 'JSON')} <button type="button" class="quiet live" data-copy="${address}">${input.publicUrl === null ? client.copyFile : client.copyRequest}</button>${embed !== null && html` ${embedButton(t.w, embed)}`} <span role="status"></span></p>`
}

/** @param name that of the embed, which is in the section of downloads */
export function embedButton({ client }: Pick<Page['t']['w'], 'client'>, name: string): Markup {
  return html`<button type="button" class="quiet live" data-embed="embed-${name}">${client.embed}</button>`
}
