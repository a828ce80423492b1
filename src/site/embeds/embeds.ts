// Owns what other pages may show in a frame: the totals, and the first trending ideas of the week; and the snippet for it.
import { TIMELINE_COUNTS, type TimelineCounts } from '../../contract/kinds/timeline.ts'
import { categoryFile } from '../../contract/site-paths.ts'
import { categoryName } from '../page/drawing.ts'
import { html, webAddress, type Content } from '../page/html.ts'
import type { CategoryView, SiteFile } from '../page/input.ts'
import type { Page } from '../page/page.ts'
import { cutTitle, unmarked } from '../page/titles.ts'
import { embedPage, newTab, shortSiteName } from './embed-frame.ts'

/**
 * Where each embed is. The height of its frame is that of the longest content in 320 CSS pixels, in any language: a wider frame needs
 * less. A browser measures it in test/site/embeds/embeds-in-chromium.test.ts.
 */
export const EMBEDS = {
  totals: { path: 'embed/totals.html', height: 440 },
  trending: { path: 'embed/trending.html', height: 540 },
} as const
export type EmbedName = keyof typeof EMBEDS

/** These keep an embed below 10 KiB, whatever titles and addresses are. */
const MAX_IDEAS = 5
const MAX_IDEA_TITLE = 100
const MAX_CATEGORY = 40
const MAX_ADDRESS = 300

export function embedFiles(page: Page): SiteFile[] {
  return [
    { path: `${page.folder}${EMBEDS.totals.path}`, text: totals(page) },
    { path: `${page.folder}${EMBEDS.trending.path}`, text: trending(page) },
  ]
}

export function embedTitle({ input, t }: Page, name: EmbedName): string {
  return t.say(t.w.elsewhere[name], { site: shortSiteName(input), span: t.span('7d') })
}

/** @param address may be relative to the page that shows the lines */
export function embedLines(name: EmbedName, address: string, title: string): string {
  return html`<iframe src="${address}" title="${title}" width="100%" height="${EMBEDS[name].height}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    .text
}

/** @param base where what is in the language is, with a slash at its end */
export function embedSnippet(page: Page, name: EmbedName, base: string): string {
  return embedLines(name, `${base}${EMBEDS[name].path}`, embedTitle(page, name))
}

/** The totals of a category. */
export function categoryEmbed(page: Page, category: CategoryView): SiteFile {
  const text = embedPage(
    page,
    categoryEmbedTitle(page, category),
    tiles(page, category.numbers, category.file.timelines.all.undated),
    'index.html',
  )
  return { path: categoryFile(category.key, 'embed.html'), text }
}

export function categoryEmbedTitle(page: Page, { name }: CategoryView): string {
  const { input, t } = page
  const site = `${unmarked(short(categoryName(page, name), MAX_CATEGORY))} – ${shortSiteName(input)}`
  return t.say(t.w.elsewhere.totals, { site })
}

function totals(page: Page): string {
  const { all, '30d': month } = page.input.documents.categories
  const { undated } = page.input.documents.timelines.all
  return embedPage(page, embedTitle(page, 'totals'), tiles(page, { all: all.totals, '30d': month.totals }, undated))
}

function tiles(
  { t }: Page,
  { all, '30d': month }: Pick<CategoryView['numbers'], 'all' | '30d'>,
  undated: TimelineCounts,
): Content {
  const w = t.w.totals
  const tile = (
    counted: keyof TimelineCounts,
  ): Content => html`<div><dt>${w[counted]}</dt><dd class="n">${t.number(all[counted])}</dd>${all[counted] > undated[counted] && html`<dd class="soft">${t.count(w.added[counted], month[counted], { time: w.times['30d'] })}</dd>`}</div>
`
  return html`<dl>\n${TIMELINE_COUNTS.map(tile)}</dl>`
}

function trending(page: Page): string {
  const { input, t } = page
  const { untitled, votes } = t.w.trending
  const items = input.documents.trending['7d'].ideas.slice(0, MAX_IDEAS).map((idea): Content => {
    const title = html`<bdi>${short(idea.title, MAX_IDEA_TITLE) || untitled}</bdi>`
    const address = webAddress(idea.url, input.siteUrl)
    const isShort = address !== null && html`${address}`.text.length <= MAX_ADDRESS
    return html`<li><span class="title">${isShort ? newTab(address, title) : title}</span> <span class="soft"><bdi>${short(categoryName(page, idea.category), MAX_CATEGORY)}</bdi><span>· ${t.count(votes, idea.votes)}</span></span></li>
`
  })
  const list =
    items.length === 0 ? html`<p>${t.say(t.w.trending.none, { span: t.span('7d') })}</p>` : html`<ol>\n${items}</ol>`
  return embedPage(page, embedTitle(page, 'trending'), list)
}

function short(text: string, max: number): string {
  return cutTitle(text, max, 2 * max)
}
