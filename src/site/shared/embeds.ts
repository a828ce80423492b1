// Owns what other pages may show in a frame: the totals, and the first trending ideas of the week; and the snippet for it.
import { categoryName } from '../drawing.ts'
import { html, webAddress, type Content } from '../html.ts'
import type { SiteFile, SiteInput } from '../input.ts'
import { inEachLanguage, type Speech } from '../speech.ts'
import { cutTitle } from '../titles.ts'
import { embedPage, newTab, shortSiteName } from './embed-frame.ts'
import { embedLines, EMBEDS, type EmbedName } from './embed-sizes.ts'

/** So that an embed stays below 10 KiB, whatever titles and addresses are. */
const MAX_IDEAS = 5
const MAX_IDEA_TITLE = 100
const MAX_CATEGORY = 40
const MAX_ADDRESS = 300

export function embedFiles(input: SiteInput): SiteFile[] {
  return inEachLanguage(input, (t, folder) => [
    { path: `${folder}${EMBEDS.totals.path}`, text: totals(input, t) },
    { path: `${folder}${EMBEDS.trending.path}`, text: trending(input, t) },
  ])
}

export function embedTitle(input: SiteInput, t: Speech, name: EmbedName): string {
  return t.say(t.w.elsewhere[name], { site: shortSiteName(input) })
}

/** @param base as of `embedLines` */
export function embedSnippet(input: SiteInput, t: Speech, name: EmbedName, base: string): string {
  return embedLines(name, base, embedTitle(input, t, name))
}

function totals(input: SiteInput, t: Speech): string {
  const { ideas, votes, comments, launched, added } = t.w.totals
  const tiles = [
    [ideas, 'totalIdeas'],
    [votes, 'totalVotes'],
    [comments, 'totalComments'],
    [launched, 'totalLaunchedIdeas'],
  ] as const
  const rows = new Map(input.documents.overview['30d'].map((row) => [row['metric'], row]))
  const list = tiles.map(([label, metric]): Content => {
    const { value, previousValue } = rows.get(metric) ?? {}
    if (typeof value !== 'number') return html`<div><dt>${label}</dt><dd class="n">–</dd></div>\n`
    // Both are counted from what exists now, so nothing is ever lost in between.
    const more = typeof previousValue === 'number' && t.count(added, value - previousValue)
    return html`<div><dt>${label}</dt><dd class="n">${t.number(value)}</dd>${more !== false && html`<dd class="soft">${more}</dd>`}</div>
`
  })
  return embedPage(input, t, embedTitle(input, t, 'totals'), html`<dl>\n${list}</dl>`)
}

function trending(input: SiteInput, t: Speech): string {
  const { untitled, votes } = t.w.trending
  const items = input.documents.trending['7d'].ideas.slice(0, MAX_IDEAS).map((idea): Content => {
    const title = html`<bdi>${short(idea.title, MAX_IDEA_TITLE) || untitled}</bdi>`
    const address = webAddress(idea.url, input.siteUrl)
    const isShort = address !== null && html`${address}`.text.length <= MAX_ADDRESS
    return html`<li><span class="title">${isShort ? newTab(address, title) : title}</span> <span class="soft"><bdi>${short(categoryName({ t }, idea.category), MAX_CATEGORY)}</bdi><span>· ${t.count(votes, idea.votes)}</span></span></li>
`
  })
  const list = items.length === 0 ? html`<p>${t.w.elsewhere.quiet}</p>` : html`<ol>\n${items}</ol>`
  return embedPage(input, t, embedTitle(input, t, 'trending'), list)
}

function short(text: string, max: number): string {
  return cutTitle(text, max, 2 * max)
}
