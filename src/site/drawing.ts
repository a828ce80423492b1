// Owns how the parts of a page name ideas, categories, files and requests. Pure; knows no document.
import { pagePath } from '../contract/site-paths.ts'
import { UNCATEGORIZED } from '../contract/category-name.ts'
import { ENOUGH_FOR_PERCENT } from './claims.ts'
import { html, webAddress, type Content, type Markup } from './html.ts'
import type { Page } from './page.ts'
import { cutTitle, isolated } from './titles.ts'

/** A category, and its key in paths. */
export interface Choice {
  readonly name: string
  readonly key: string
}

/** The title of an idea, which leads to it where the platform has an address for it. */
export function ideaLink({ input, t }: Page, idea: { readonly title: string; readonly url: string | null }): Markup {
  const cut = cutTitle(idea.title)
  const title = isolated(cut === '' ? t.w.trending.untitled : cut)
  const address = webAddress(idea.url, input.siteUrl)
  return address === null ? title : html`<a href="${address}">${title}</a>`
}

/** A name of a category: that of the ideas without one is a word of ours. */
export function categoryName({ t }: Pick<Page, 't'>, name: string): string {
  return name === UNCATEGORIZED ? t.w.categories.uncategorized : cutTitle(name)
}

/** The name, which leads to the page of the category where it has one. */
export function categoryLink(page: Page, name: string): Markup {
  const { input, t, root, view } = page
  const text = isolated(categoryName(page, name))
  const category = input.documents.ofCategories.find((one) => one.name === name)
  const isShown = view !== null && 'category' in view && view.category.key === category?.key
  if (category === undefined || isShown) return text
  return html`<a href="${root}${pagePath(t.language, input.languages, { category })}">${text}</a>`
}

/** What a section shows, and that it is of one category only. */
export function leadOf(page: Page, lead: string, category: Choice | null): Content {
  const { t } = page
  if (category === null) return lead
  const only = t.put(t.w.client.only, { category: html`<b>${isolated(categoryName(page, category.name))}</b>` })
  return html`${lead} ${only}`
}

/** A sign for the eye, on one line with what it stands before. */
export function sign(text: string): Markup {
  return html`<span aria-hidden="true">${text}\u00A0</span>`
}

export type Absence = keyof Page['t']['w']['dash']

/** In place of a number that is not there: who hears the page hears why. */
export function dash({ t }: Pick<Page, 't'>, why: Absence): Markup {
  return html`<span aria-hidden="true">–</span><span class="visually-hidden">${t.w.dash[why]}</span>`
}

/** A share in percent, or as the few that it is of. */
export function shareText(t: Page['t'], part: number, whole: number): string {
  return whole >= ENOUGH_FOR_PERCENT ? t.percent(part, whole) : t.say(t.w.table.part, { part, all: whole })
}

/** What a link of a short name is of, for who hears it alone. */
export function linkContext(of: string): Markup {
  return html`<span class="visually-hidden">: ${of}</span>`
}

/**
 * The files behind a section, and the request to the API that has the same answer.
 * @param of what the files are of
 */
export function sources(
  { t, root, input }: Page,
  of: string,
  paths: readonly string[],
  request: string,
  embed: string | null = null,
): Markup {
  const link = (path: string): Content =>
    html` <a href="${root}${path}">${path.endsWith('.csv') ? 'CSV' : 'JSON'}${linkContext(of)}</a>`
  const address = input.publicUrl === null ? `${root}${paths.at(-1) ?? ''}` : `${input.publicUrl}${request}`
  return html`<p class="sources"><span>${t.w.table.get}</span>${paths.map(link)} <button type="button" class="quiet live" data-copy="${address}">${input.publicUrl === null ? t.w.client.copyFile : t.w.client.copyRequest}</button>${embed !== null && html` ${embedButton(t.w, embed)}`} <span role="status"></span></p>`
}

/** @param name of the embed, which is in the section of downloads */
export function embedButton({ client }: Pick<Page['t']['w'], 'client'>, name: string): Markup {
  return html`<button type="button" class="quiet live" data-embed="embed-${name}">${client.embed}</button>`
}

/** A request to the API, from the root of the site. */
export function requestOf(path: string, parameters: Readonly<Record<string, string | null>> = {}): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? path : `${path}?${given.join('&')}`
}
