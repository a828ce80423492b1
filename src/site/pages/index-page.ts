// Owns the page, and that of the search: its sections in their order, and what it says of the site as a whole. Pure.
import { html, markup, type Markup } from '../page/html.ts'
import type { SiteInput } from '../page/input.ts'
import type { Language } from '../../contract/site-paths.ts'
import type { Period } from '../../contract/windows.ts'
import { layout } from '../page/layout.ts'
import { pageOf, timeElement, type Page } from '../page/page.ts'
import { activitySection } from '../sections/activity.ts'
import { categoriesSection } from '../sections/categories.ts'
import { countingSection } from '../sections/counting.ts'
import { downloadsSection } from '../sections/downloads.ts'
import { lastYearSection } from '../sections/last-year.ts'
import { launchedSection, newSection } from '../sections/launched.ts'
import { outcomesSection } from '../sections/outcomes.ts'
import { peopleSection } from '../sections/people.ts'
import { searchSection } from '../sections/search.ts'
import { feedLink, FEEDS } from '../sections/sharing.ts'
import { totalsSection } from '../sections/totals.ts'
import { trendingPeriod, trendingSection } from '../sections/trending.ts'
import { viewsSection } from '../sections/views.ts'
import { datasetJsonLd } from '../catalogues/json-ld.ts'

/** @param period in which all is shown; null = each part as usual */
export function indexPage(input: SiteInput, language: Language, period: Period | null = null): string {
  const page = pageOf(input, language, period === null ? null : { period })
  const { t } = page
  const of = period === null ? '' : ` – ${t.w.activity.periods[period]}`
  const jsonLd = datasetJsonLd(input)
  const parts = isBare(input) ? [] : partsOf(page)
  const shown =
    parts.length > 0
      ? html`${viewsSection(page)}${totalsSection(page)}${parts.map(([, part]) => part)}`
      : !input.closed && html`${totalsSection(page)}${downloadsSection(page)}${countingSection(page)}`
  // This is for programs: the data set as search engines know one, after the feeds. Both need the public address.
  const dataset =
    jsonLd !== null &&
    html`<script type="application/ld+json">${markup(jsonLd)}</script>
`
  return layout({
    page,
    title: `${input.words.title}${of}`,
    description: t.say(t.w.page.description, { time: t.dateTime(input.dataAsOf) }),
    head: [FEEDS.map((name) => feedLink(page, name)), dataset],
    nav: parts.length > 0 && contents(page, parts),
    main: html`${notices(page)}${shown}`,
  })
}

/** The search alone, at an address of its own. */
export function searchPage(input: SiteInput, language: Language): string {
  const page = pageOf(input, language, { own: 'search/index' })
  const title = `${page.t.w.search.heading} – ${input.words.title}`
  const main = html`${notices(page)}${viewsSection(page)}${searchSection(page)}`
  return layout({ page, title, heading: input.words.title, description: title, nav: null, main })
}

/** Whether the site has no idea to show, so that there is nothing to lead to. */
export function isBare(input: SiteInput): boolean {
  return input.closed || input.documents.stats.stats.totalIdeas === 0
}

type Parts = ReturnType<typeof partsOf>

/** The sections that have something to show. */
function partsOf(page: Page) {
  return PARTS.map(([id, sectionOf]) => [id, sectionOf(page)] as const).filter(([, part]) => part !== null)
}

/** The sections that the contents name, by their anchors. */
const PARTS = [
  ['search', searchSection],
  ['launched', launchedSection],
  ['new', newSection],
  ['lastYear', lastYearSection],
  ['activity', activitySection],
  ['trending', trendingSection],
  ['categories', categoriesSection],
  ['outcomes', outcomesSection],
  ['people', peopleSection],
  ['downloads', downloadsSection],
  ['counting', countingSection],
] as const

function contents(page: Page, parts: Parts): Markup {
  const { t } = page
  const headingOf = (id: Parts[number][0]): string => t.say(t.w[id].heading, { span: t.span(trendingPeriod(page)) })
  return html`<nav class="contents" aria-label="${t.w.page.contents}"><ul>${parts.map(([id]) => html`<li><a href="#${id}">${headingOf(id)}</a></li>${id === 'downloads' && html`<li><a href="#share">${t.w.downloads.share}</a></li>`}`)}</ul></nav>
`
}

export function notices(page: Page): Markup {
  const { input, t } = page
  const w = t.w.page
  return html`<p class="as-of">${t.put(w.asOf, { time: timeElement(page, input.dataAsOf) })} ${t.put(w.next, { time: timeElement(page, input.nextUpdateAt) })}</p>
<p class="notice late" role="status" data-text="${w.stale}"></p>
${input.demo && html`<p class="notice">${w.demo}</p>`}${input.closed && html`<p class="notice">${w.closed}</p>`}${!input.closed && isBare(input) && html`<p class="notice">${w.empty}</p>`}
`
}
