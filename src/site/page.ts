// Owns what every part of a page is given: the documents, the language, and how it addresses the other files of the release. Pure.
import { UNCATEGORIZED } from '../contract/category-name.ts'
import { pagePath } from '../contract/site-paths.ts'
import { html, webAddress, type Content, type Markup } from './html.ts'
import type { Language, SiteDataFile, SiteInput } from './input.ts'
import { speechOf, type Speech } from './speech.ts'
import { cutTitle, isolated } from './titles.ts'

export interface Page {
  readonly input: SiteInput
  readonly t: Speech
  /** From the page to the root of the release: '' or '../'. */
  readonly root: string
  readonly files: ReadonlyMap<string, SiteDataFile>
}

export function pageOf(input: SiteInput, language: Language): Page {
  const depth = pagePath(language, input.languages).split('/').length - 1
  const files = new Map(input.files.map((file) => [file.path, file]))
  return { input, t: speechOf(language), root: '../'.repeat(depth), files }
}

/** The title of an idea, which leads to it where the platform has an address for it. */
export function ideaLink({ input, t }: Page, idea: { readonly title: string; readonly url: string | null }): Markup {
  const cut = cutTitle(idea.title)
  const title = isolated(cut === '' ? t.w.trending.untitled : cut)
  const address = webAddress(idea.url, input.siteUrl)
  return address === null ? title : html`<a href="${address}">${title}</a>`
}

/** A name of a category: that of the ideas without one is a word of ours. */
export function categoryName({ t }: Page, name: string): string {
  return name === UNCATEGORIZED ? t.w.categories.uncategorized : cutTitle(name)
}

export function time(page: Page, timestamp: string): Markup {
  return html`<time datetime="${timestamp}">${page.t.dateTime(timestamp)}</time>`
}

/** The files behind a section, by what each is called. */
export function sources(page: Page, paths: readonly (readonly [name: string, path: string])[]): Markup {
  const links = paths.map(([name, path]): Content => html` <a href="${page.root}${path}" data-address>${name}</a>`)
  return html`<p class="sources"><span>${page.t.w.table.get}</span>${links}</p>`
}
