// Owns the page of a category: all of it since the beginning, what was launched of it, and its numbers in each period. Pure.
import type { ListedIdea } from '../../contract/kinds/ideas.ts'
import { TIMELINE_COUNTS } from '../../contract/kinds/timeline.ts'
import { categoryFile, type Language } from '../../contract/site-paths.ts'
import { PERIODS, type Period } from '../../contract/windows.ts'
import { categoryName } from '../page/drawing.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import type { CategoryView, SiteInput } from '../page/input.ts'
import { layout } from '../page/layout.ts'
import { pageOf, type Page } from '../page/page.ts'
import { activitySection } from '../sections/activity.ts'
import { lastYearSection } from '../sections/last-year.ts'
import { launchedSection } from '../sections/launched.ts'
import { outcomesSection } from '../sections/outcomes.ts'
import { section, table, type DrawnColumn } from '../sections/section.ts'
import { feedLink, shareOf } from '../sections/sharing.ts'
import { ideaText, trendingSection } from '../sections/trending.ts'
import { viewsSection } from '../sections/views.ts'
import { isolated } from '../page/titles.ts'
import { notices } from './index-page.ts'

export function categoryPage(input: SiteInput, language: Language, category: CategoryView): string {
  const page = pageOf(input, language, { category })
  const { t } = page
  const name = categoryName(page, category.name)
  const { file } = category
  return layout({
    page,
    title: `${name} – ${input.words.title}`,
    heading: html`${isolated(name)} – ${input.words.title}`,
    description: `${name}: ${t.say(t.w.page.description, { time: t.dateTime(input.dataAsOf) })}`,
    head: feedLink(page, 'launched', categoryFile(category.key, 'launched.atom')),
    nav: null,
    main: html`${notices(page)}${viewsSection(page)}${periodsOf(page, category)}${launchedSection(page, category.launched, file.timelines.all)}${votedOf(page, category.mostVoted)}${outcomesSection(page, file.outcomes, file.timelines.all)}${lastYearSection(page, category.lastYear, file.timelines.all.undated, file.outcomes)}${activitySection(page, file.timelines.all)}${trendingSection(page, category.trending)}${shareOf(page, category)}`,
  })
}

function periodsOf(page: Page, { numbers, key }: CategoryView): Markup {
  const { t, root } = page
  const { category: w, totals } = t.w
  const periods = table(page, 'periods-table', totals.heading, PERIODS, [
    [t.w.activity.period, (period) => t.w.activity.periods[period]],
    ...TIMELINE_COUNTS.map((name): DrawnColumn<Period> => [totals[name], (period) => numbers[period][name]]),
  ])
  const json = html`<p class="sources"><span>${t.w.table.get}</span> <a href="${root}analytics/category/${key}.json">JSON</a></p>`
  const body = html`${periods}${json}`
  return section({ id: 'periods', heading: w.heading, lead: w.lead, body })
}

function votedOf(page: Page, ideas: readonly ListedIdea[]): Content {
  const { t } = page
  const w = t.w.category
  const entry = (idea: ListedIdea): Markup =>
    html`<li>${ideaText(page, { ...idea, categories: [] })}<p class="figures"><span class="figure">${t.count(t.w.trending.votes, idea.votes)}</span> <span class="figure">${t.count(t.w.trending.comments, idea.comments)}</span></p></li>`
  const body = html`<ul class="ideas">${ideas.map(entry)}</ul>`
  return ideas.length > 0 && section({ id: 'most-voted', heading: w.voted, lead: w.votedLead, body })
}
