// Owns what readers can take elsewhere: the feed that the head names, and the lines that show an embed or a badge. Pure.
import { categoryFile } from '../../contract/site-paths.ts'
import { html, markup, type Content, type Markup } from '../page/html.ts'
import type { CategoryView } from '../page/input.ts'
import { languageBase, pageOf, type Page } from '../page/page.ts'
import { categoryEmbedTitle, embedLines, embedSnippet, embedTitle } from '../embeds/embeds.ts'
import { section } from './section.ts'

export const FEEDS = ['launched', 'new', 'changes'] as const
export type FeedName = (typeof FEEDS)[number]

export function feedPath({ folder }: Page, name: FeedName): string {
  return `${folder}feeds/${name}.atom`
}

/** The link to a feed, for the head. Feeds need the public address. */
export function feedLink(page: Page, name: FeedName, path = feedPath(page, name)): Content {
  const { input, t, root } = page
  return (
    input.publicUrl !== null &&
    html`<link rel="alternate" type="application/atom+xml" title="${t.w.downloads.feeds[name]}" href="${root}${path}">
`
  )
}

/** The same beside what is in the feed. */
export function feedLine(page: Page, name: FeedName): Content {
  const link = html`<a href="${page.root}${feedPath(page, name)}">${page.t.w.downloads.feeds[name]}</a>`
  return page.input.publicUrl !== null && html`<p class="sources">${link}</p>`
}

/** What other pages can show, with the lines to copy. */
export function shareSection(page: Page): Markup {
  const { t, input } = page
  const w = t.w.downloads
  const base = languageBase(page)
  const embeds = (['totals', 'trending'] as const).map((name) => ({
    name: embedTitle(page, name),
    id: `embed-${name}`,
    code: embedSnippet(page, name, base),
  }))
  const badge = html`<img src="${base}badges/ideas.svg" alt="${t.w.totals.ideas}">`.text
  const feed = input.publicUrl === null ? [] : [{ name: w.feeds.launched, code: `${base}feeds/launched.atom` }]
  return html`<h3 id="share">${w.share}</h3>${linesToCopy(page, [...embeds, { name: w.badge, code: badge }, ...feed])}${embedDialog(page)}`
}

/** The lines of an embed in a dialog: where scripts run, a button beside what the embed shows opens it. */
function embedDialog({ t: { w } }: Page): Markup {
  const { embed, embedText, copy, close } = w.client
  return html`<dialog aria-labelledby="embed-heading"><h2 id="embed-heading">${embed}</h2><p>${embedText}</p><p role="status"></p><form method="dialog"><button type="button">${copy}</button> <button type="submit">${close}</button> <a class="target" href="#share">${w.downloads.share}</a></form></dialog>`
}

/** The same for a category: its embed and its feed are in the first language of the site. */
export function shareOf(page: Page, category: CategoryView): Markup {
  const { t, input, root } = page
  const { publicUrl } = input
  const [embed, feed] = (['embed.html', 'launched.atom'] as const).map((name) => categoryFile(category.key, name))
  const title = categoryEmbedTitle(pageOf(input), category)
  const link = (path = '', name: string): Markup =>
    html`<a class="target" href="${root}${path}" hreflang="${input.languages[0]}">${name}</a>`
  const code = embedLines('totals', `${publicUrl === null ? root : `${publicUrl}/`}${embed}`, title)
  const body = html`${linesToCopy(page, [{ name: link(embed, title), code }])}${publicUrl !== null && html`<p>${link(feed, t.w.downloads.feeds.launched)}</p>`}`
  return section({ id: 'share', heading: t.w.client.embed, lead: t.w.client.embedText, body })
}

type Lines = readonly { readonly name: Content; readonly code: string; readonly id?: string }[]

function linesToCopy({ t, input }: Page, parts: Lines): Content {
  const isRelative = input.publicUrl === null
  return html`${isRelative && html`<p class="unfilled">${t.w.downloads.fillIn}</p>`}${parts.map(
    ({ name, code, id }) =>
      html`<p>${name}</p><pre tabindex="0"><code${isRelative && markup(' data-relative')}${id !== undefined && html` id="${id}"`}>${code}</code></pre>`,
  )}`
}
