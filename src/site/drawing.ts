// Owns what the parts that the client draws again are given, and how they name ideas, categories and files. Pure; knows no
// document.
import { UNCATEGORIZED } from '../contract/uncategorized.ts'
import { html, webAddress, type Content, type Markup } from './html.ts'
import type { SiteInput } from './input.ts'
import type { Speech } from './speech.ts'
import { cutTitle, isolated } from './titles.ts'
import type { DRAWN } from './words/drawn.ts'
import type { Catalogue } from './words/en.ts'

/** The words of the parts that the client draws again. */
export type DrawnWords = Pick<Catalogue, (typeof DRAWN)[number]> & {
  readonly page: Pick<Catalogue['page'], 'utc' | 'mixed'>
}

export interface Drawing {
  readonly t: Speech<DrawnWords>
  readonly input: Pick<SiteInput, 'siteUrl' | 'publicUrl'>
  /** From the page to the root of the release: '' or '../'. */
  readonly root: string
}

/** One of the categories that can be chosen. */
export interface Choice {
  readonly name: string
  readonly key: string
}

/** The title of an idea, which leads to it where the platform has an address for it. */
export function ideaLink({ input, t }: Drawing, idea: { readonly title: string; readonly url: string | null }): Markup {
  const cut = cutTitle(idea.title)
  const title = isolated(cut === '' ? t.w.trending.untitled : cut)
  const address = webAddress(idea.url, input.siteUrl)
  return address === null ? title : html`<a href="${address}">${title}</a>`
}

/** A name of a category: that of the ideas without one is a word of ours. */
export function categoryName({ t }: Pick<Drawing, 't'>, name: string): string {
  return name === UNCATEGORIZED ? t.w.categories.uncategorized : cutTitle(name)
}

/** What a section shows, and that it is of one category only. */
export function leadOf(drawing: Drawing, lead: string, category: Choice | null): Content {
  const { t } = drawing
  if (category === null) return lead
  const only = t.put(t.w.client.only, { category: html`<b>${isolated(categoryName(drawing, category.name))}</b>` })
  return html`${lead} ${only}`
}

/** A sign for the eye, on one line with what it stands before. */
export function sign(text: string): Markup {
  return html`<span aria-hidden="true">${text}\u00A0</span>`
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
  { t, root, input }: Drawing,
  of: string,
  paths: readonly string[],
  request: string,
  embed: string | null = null,
): Markup {
  const { csv, json, get } = t.w.table
  const link = (path: string): Content =>
    html` <a href="${root}${path}">${path.endsWith('.csv') ? csv : json}${linkContext(of)}</a>`
  const address = input.publicUrl === null ? `${root}${paths.at(-1) ?? ''}` : `${input.publicUrl}${request}`
  return html`<p class="sources"><span>${get}</span>${paths.map(link)} <button type="button" class="quiet live" data-copy="${address}">${t.w.client.copyAddress}</button>${embed !== null && html` ${embedButton(t.w, embed)}`}</p>`
}

/** @param name of the file to embed */
export function embedButton({ client }: Pick<DrawnWords, 'client'>, name: string): Markup {
  return html`<button type="button" class="quiet live" data-embed="${name}">${client.embed}</button>`
}

/** A request to the API, from the root of the site. */
export function requestOf(path: string, parameters: Readonly<Record<string, string | null>> = {}): string {
  const given = Object.entries(parameters).flatMap(([name, value]) =>
    value === null ? [] : [`${name}=${encodeURIComponent(value)}`],
  )
  return given.length === 0 ? path : `${path}?${given.join('&')}`
}
