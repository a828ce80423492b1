// Owns what other pages may show in a frame: the totals, and the first trending ideas of the week; and the snippet for it.
import type { ExportRow } from '../../contract/documents.ts'
import { html, webAddress, type Content } from '../html.ts'
import type { Language, SiteFile, SiteInput } from '../input.ts'
import { ELSEWHERE_WORDS } from './elsewhere-words.ts'
import { embedPage, newTab, shortSiteName } from './embed-frame.ts'
import { cutText } from './short-text.ts'

/** So that an embed stays below 10 KiB, whatever titles and addresses are. */
const MAX_IDEAS = 5
const MAX_IDEA_TITLE = 100
const MAX_CATEGORY = 30
const MAX_ADDRESS = 300

export const EMBEDS = {
  totals: { path: 'embed/totals.html', width: 480, height: 240 },
  trending: { path: 'embed/trending.html', width: 480, height: 320 },
} as const
export type EmbedName = keyof typeof EMBEDS

export function embedFiles(input: SiteInput): SiteFile[] {
  const [language = 'en'] = input.languages
  return [
    { path: EMBEDS.totals.path, text: totals(input, language) },
    { path: EMBEDS.trending.path, text: trending(input, language) },
  ]
}

export function embedTitle(input: SiteInput, name: EmbedName, language: Language): string {
  const words = ELSEWHERE_WORDS[language]
  const site = shortSiteName(input)
  return name === 'totals' ? words.totalsTitle(site) : words.trendingTitle(site)
}

/** @param base where the site is; '' = relative to the page that shows the snippet */
export function embedSnippet(input: SiteInput, name: EmbedName, language: Language, base: string): string {
  const { path, width, height } = EMBEDS[name]
  const title = embedTitle(input, name, language)
  return html`<iframe src="${base}${path}" title="${title}" width="${width}" height="${height}" loading="lazy" sandbox="allow-popups allow-popups-to-escape-sandbox"></iframe>`
    .text
}

const TOTALS = [
  ['ideas', 'totalIdeas'],
  ['votes', 'totalVotes'],
  ['comments', 'totalComments'],
  ['launched', 'totalLaunchedIdeas'],
] as const

function totals(input: SiteInput, language: Language): string {
  const words = ELSEWHERE_WORDS[language]
  const number = new Intl.NumberFormat(language)
  const change = new Intl.NumberFormat(language, { signDisplay: 'exceptZero' })
  const rows = new Map(input.documents.overview['30d'].map((row) => [row['metric'], row]))
  const tiles = TOTALS.map(([badge, metric]): Content => {
    const [value, added] = valueAndChange(rows.get(metric))
    return html`<div><dt>${words.badges[badge]}</dt><dd class="n">${value === null ? '–' : number.format(value)}</dd>${added !== null && html`<dd class="soft">${words.inLastDays(change.format(added))}</dd>`}</div>
`
  })
  return embedPage(input, language, embedTitle(input, 'totals', language), html`<dl>${tiles}</dl>`)
}

function valueAndChange(row: ExportRow | undefined): readonly [value: number | null, change: number | null] {
  const { value = null, previousValue = null } = row ?? {}
  if (typeof value !== 'number') return [null, null]
  return [value, typeof previousValue === 'number' ? value - previousValue : null]
}

function trending(input: SiteInput, language: Language): string {
  const words = ELSEWHERE_WORDS[language]
  const number = new Intl.NumberFormat(language)
  const { ideas } = input.documents.trending['7d']
  const items = ideas.slice(0, MAX_IDEAS).map((idea): Content => {
    const title = html`<bdi>${cutText(idea.title, MAX_IDEA_TITLE) || cutText(idea.id, MAX_CATEGORY)}</bdi>`
    const address = webAddress(idea.url, input.siteUrl)
    const isShort = address !== null && html`${address}`.text.length <= MAX_ADDRESS
    const votes = words.votesInWeek(`${number.format(idea.votes)} ${words.badges.votes}`)
    return html`<li>${isShort ? newTab(address, title) : title} <span class="soft"><bdi>${cutText(idea.category, MAX_CATEGORY)}</bdi> · ${votes}</span></li>
`
  })
  const list = items.length === 0 ? html`<p>${words.nothingTrending}</p>` : html`<ol>\n${items}</ol>`
  return embedPage(input, language, embedTitle(input, 'trending', language), list)
}
