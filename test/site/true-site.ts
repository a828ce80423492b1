// Owns judging a whole site in each of its languages: its marks, the forms of its measures, and sentences that look at more than the
// numbers that they name. Not a test.
import { expect } from 'vitest'
import { pagePath } from '../../src/contract/site-paths.ts'
import { BOUNDED_PERIODS, EARLIEST_DATE_MS, PERIODS } from '../../src/contract/windows.ts'
import type { IdeaFacts } from '../../src/model/facts.ts'
import type { SiteInput } from '../../src/site/page/input.ts'
import { pagesOf, type Page } from '../../src/site/page/page.ts'
import { siteFiles } from '../../src/site/site.ts'
import { plain, sectionOf } from './drawn-marks.ts'
import { activitySeries, cohortSeries, expectMarks, expectMarksOfFile, peopleSeries } from './every-mark.ts'
import { formsOf, measuresIn } from './measures.ts'

export function expectTrueSite(input: SiteInput, ideas: readonly IdeaFacts[]): void {
  const files = new Map(Array.from(siteFiles(input), ({ path, text }) => [path, text]))
  for (const [path, text] of files)
    if (path.endsWith('.html'))
      expect(/<title>([^<]*)<\/title>/.exec(text)?.[1], path).not.toMatch(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/)
  if (input.closed || ideas.length === 0) return
  const dated = ideas.map(({ createdAtMs }) => createdAtMs).filter((ms) => ms >= EARLIEST_DATE_MS)
  const earliestMs = dated.length === 0 ? null : dated.reduce((first, ms) => Math.min(first, ms))
  for (const page of pagesOf(input)) {
    for (const period of [null, ...PERIODS]) {
      const html = files.get(pagePath(page.t.language, input.languages, period === null ? null : { period })) ?? ''
      expectMarksOf(page, html, earliestMs)
      expectSentences(page, html, ideas)
    }
    for (const category of input.documents.ofCategories) {
      const html = files.get(pagePath(page.t.language, input.languages, { category })) ?? ''
      expectMarks(page, html, 'activity', activitySeries(page, 'all', earliestMs, category))
      expectMarks(page, html, 'outcomes', cohortSeries(page, category))
    }
    expectFiles(page, files, earliestMs)
    expect(formsOf(measuresIn(page, files))).toEqual([])
  }
}

function expectMarksOf(page: Page, html: string, earliestMs: number | null): void {
  const shown = PERIODS.find((one) => html.includes(`data-section="activity" data-period="${one}"`)) ?? 'all'
  expectMarks(page, html, 'activity', activitySeries(page, shown, earliestMs, null))
  expectMarks(page, html, 'outcomes', cohortSeries(page, null))
  expectMarks(page, html, 'people', peopleSeries(page, earliestMs))
}

function expectFiles(page: Page, files: ReadonlyMap<string, string>, earliestMs: number | null): void {
  const { input, folder, t } = page
  const index = files.get(pagePath(t.language, input.languages)) ?? ''
  const shown = PERIODS.find((one) => index.includes(`data-section="activity" data-period="${one}"`)) ?? 'all'
  const all = [
    ...activitySeries(page, shown, earliestMs, null),
    ...cohortSeries(page, null),
    ...peopleSeries(page, earliestMs),
  ]
  const drawn = all.filter(({ name, values }) =>
    (name === 'people' ? values.slice(-36) : values).some((n) => (n ?? 0) > 0),
  )
  const paths = [...files.keys()].filter((path) => path.startsWith(`${folder}charts/`))
  expect(paths.sort()).toEqual(drawn.map(({ name }) => `${folder}charts/${name}.svg`).sort())
  for (const series of drawn) expectMarksOfFile(page, files.get(`${folder}charts/${series.name}.svg`) ?? '', series)
}

function expectSentences(page: Page, html: string, ideas: readonly IdeaFacts[]): void {
  const { input, t } = page
  // Nothing is said of launches where there is none, and of comparisons where nothing was compared.
  const hasLaunches = ideas.some(({ launched }) => launched)
  expect([html.includes('<section id="launched"'), html.includes('href="#launched"')]).toEqual([
    hasLaunches,
    hasLaunches,
  ])
  const isSaid = input.isCompared && input.documents.revisions.length === 0
  expect(html.includes(t.w.past.nothing)).toBe(isSaid)
  // How many people are active is never said without a time.
  const tiles = [...sectionOf(html, 'totals').matchAll(/<li><h3>[^]*?<\/li>/g)].map(([tile]) => plain(tile))
  const active = tiles.find((tile) => tile.startsWith(t.w.totals.active)) ?? ''
  expect(BOUNDED_PERIODS.some((period) => active.includes(t.span(period)))).toBe(true)
  // What is called the most active says of which time, and since when.
  const trending = sectionOf(html, 'trending')
  const period = BOUNDED_PERIODS.find((one) => trending.includes(`data-period="${one}"`)) ?? '90d'
  const { from, count } = input.documents.trending[period]
  expect(plain(trending)).toContain(t.say(t.w.trending.heading, { span: t.span(period) }))
  if (count > 0) expect(plain(trending)).toContain(t.dateTime(from))
  // The share of all ideas that are launched is nowhere: young ideas would make it less.
  expect(plain(sectionOf(html, 'outcomes'))).toContain(
    t.say(t.w.outcomes.launchedOf, { launched: ideas.filter(({ launched }) => launched).length, n: ideas.length }),
  )
}
