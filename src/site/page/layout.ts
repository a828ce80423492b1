// Owns the frame of every page: head, header, navigation and footer. Pure; knows no section.
import { html, markup, type Content, type Markup } from './html.ts'
import { PAGE_POLICY, pagePath, type Language } from '../../contract/site-paths.ts'
import type { Page } from './page.ts'
import { CATALOGUES } from './speech.ts'
import { licenceAddress } from './licence.ts'
import { unmarked } from './titles.ts'

export interface Shell {
  readonly page: Page
  /** The title in the tab, in bookmarks and for search engines. */
  readonly title: string
  /** The same as the heading of the page, with markup. */
  readonly heading?: Content
  readonly description: string
  /** The path from the root of the release, for a page in one language. */
  readonly path?: string
  readonly nav: Content
  readonly main: Content
  /** Further elements of the head. */
  readonly head?: Content
}

export function layout(shell: Shell): string {
  const { page, title, heading = title, nav, main } = shell
  const { input, t, root } = page
  const w = t.w.page
  const { publisher, logo } = input.words
  const by =
    publisher !== null && html`<p class="byline">${t.put(w.by, { publisher: html`<bdi>${publisher}</bdi>` })}</p>`
  return html`<!doctype html>
<html lang="${t.language}">
${head(shell)}
<body data-as-of="${input.dataAsOf}" data-next-update-at="${input.nextUpdateAt}" data-few="${t.w.totals.few}" data-keys="${t.w.client.arrows}" data-copied="${t.w.client.copied}" data-not-copied="${t.w.client.notCopied}">
<a class="skip" href="#main">${w.skip}</a>
<header><div class="masthead">${logo !== null && html`<img src="${root}logo.svg" alt="" width="48" height="48">`}<div><h1>${heading}</h1>${by}</div>${languages(shell)}</div></header>
${nav}<main id="main">
${main}</main>
${footer(page)}
</body>
</html>
`.text
}

function head({ page, path: given, head: more, ...said }: Shell): Markup {
  const { input, t, view, root } = page
  const { assets, publicUrl, words } = input
  const [title, description] = [unmarked(said.title), unmarked(said.description)]
  const absolute = (to: string): string => `${publicUrl ?? ''}/${to.replace(/(?:^|(?<=\/))index\.html$/, '')}`
  const path = given ?? pagePath(t.language, input.languages, view)
  const addressOf = (to: string): string => (publicUrl === null ? `${root}${to}` : absolute(to))
  const alternate = (other: Language): Markup =>
    html`<link rel="alternate" hreflang="${other}" href="${addressOf(pagePath(other, input.languages, view))}">
`
  const alternates = given === undefined && input.languages.length > 1 && input.languages.map(alternate)
  return html`<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${markup(PAGE_POLICY)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<meta name="description" content="${description}">
${
  publicUrl !== null &&
  html`<link rel="canonical" href="${absolute(path)}">
<meta property="og:type" content="website">
<meta property="og:title" content="${title}">
<meta property="og:description" content="${description}">
<meta property="og:url" content="${absolute(path)}">
<meta property="og:locale" content="${t.locale.replace('-', '_')}">
<meta property="og:site_name" content="${words.publisher ?? words.title}">
`
}${alternates}<link rel="icon" href="${root}favicon.svg" type="image/svg+xml">
<link rel="stylesheet" href="${root}${assets.css}">
<script type="module" src="${root}${assets.js}"></script>
${more}</head>`
}

/** Links to the same page in another language: the reference is in one only. */
function languages({ page, path }: Shell): Content {
  const { input, t, view, root } = page
  if (path !== undefined || input.languages.length < 2) return null
  const link = (language: Language): Markup => {
    const name = CATALOGUES[language].language
    return language === t.language
      ? html`<li><span aria-current="true" lang="${language}">${name}</span></li>`
      : html`<li><a href="${root}${pagePath(language, input.languages, view)}" lang="${language}" hreflang="${language}">${name}</a></li>`
  }
  return html`<nav class="languages" aria-label="${t.w.page.languages}"><ul>${input.languages.map(link)}</ul></nav>`
}

function footer({ input, t }: Page): Markup {
  const { contact, license, publisher } = input.words
  const w = t.w.footer
  return html`<footer><ul>${publisher !== null && html`<li>${publisher}</li>`}${contact !== null && html`<li><a href="${contact}">${w.contact}</a></li>`}${
    license !== null && html`<li>${w.license}: <a href="${licenceAddress(license)}" rel="license">${license}</a></li>`
  }${input.siteUrl !== null && html`<li><a href="${input.siteUrl}">${w.site}</a></li>`}</ul><p>${t.say(w.made, { version: input.programVersion })}</p></footer>`
}
