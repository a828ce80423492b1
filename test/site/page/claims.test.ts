// Every claim of the page (src/site/page/claims.ts, src/site/sections) on generated sites, of all ideas and of each category, in a
// language that is drawn: it is made exactly where its rule allows it, and then it is true of the ideas. Most of these sites have ties, months
// alone, a single launch, growth or decline.
// real test: 300 sites take seconds.
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { publishedCategories } from '../../../src/analytics/categories.ts'
import { changePercent } from '../../../src/analytics/ratio.ts'
import type { CategoriesDocument } from '../../../src/contract/kinds/categories.ts'
import type { TimelineDocument } from '../../../src/contract/kinds/timeline.ts'
import type { TrendingDocument } from '../../../src/contract/kinds/trending.ts'
import { LANGUAGES } from '../../../src/contract/site-paths.ts'
import { timeZoneOf } from '../../../src/contract/time-zone.ts'
import { BOUNDED_PERIODS, EARLIEST_DATE_MS, PERIODS } from '../../../src/contract/windows.ts'
import type { IdeaFacts } from '../../../src/model/facts.ts'
import { categoryName } from '../../../src/site/page/drawing.ts'
import { pageOf, periodOf, type Page } from '../../../src/site/page/page.ts'
import { indexPage } from '../../../src/site/pages/index-page.ts'
import { activitySection } from '../../../src/site/sections/activity.ts'
import { changeText } from '../../../src/site/sections/totals.ts'
import { outcomesSection } from '../../../src/site/sections/outcomes.ts'
import { trendingSection } from '../../../src/site/sections/trending.ts'
import { datesOf } from '../../support/event-counts.ts'
import { AS_OF_MS, countedIdeas, siteInput } from '../../support/site-input.ts'
import { ideasOf, OVERTAKEN, sites, STEADY, UNDATED_MS } from '../generated-sites.ts'

const DAY_MS = 86_400_000
/** The days of all ideas are the same in each: AS_OF_MS is in the afternoon of UTC. */
const TIME_ZONES = ['UTC', 'Europe/Berlin', 'Asia/Tokyo', 'America/New_York']

/** Text as it is heard, without charts. */
const plain = (html: string): string =>
  html
    .replaceAll(/<svg[^]*?<\/svg>|<[^>]+>/g, '')
    .replaceAll('&#39;', "'")
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')
    .replaceAll(/[\u2066-\u2069]/g, '')
const textsOf = (html: string, element: RegExp): string[] => [...html.matchAll(element)].map(([found]) => plain(found))
const sectionOf = (page: string, id: string): string => new RegExp(`<section id="${id}"[^]*?</section>`).exec(page)![0]
const spaced = (...texts: readonly (string | false | null)[]): string => texts.filter(Boolean).join(' ')

/** A maximum has one winner of at least five. */
function onlyHighest<T>(candidates: readonly T[], valueOf: (one: T) => number): T | null {
  const [first, second] = [...candidates].sort((a, b) => valueOf(b) - valueOf(a))
  if (first === undefined || second === undefined || candidates.length < 5) return null
  return valueOf(first) > valueOf(second) ? first : null
}
const enough = <T>(one: T | null, countOf: (one: T) => number): T | null =>
  one !== null && countOf(one) >= 10 ? one : null

const seen = new Map<string, number>()
const note = (claim: string, isMade: unknown): void => {
  if (isMade !== null && isMade !== false) seen.set(claim, (seen.get(claim) ?? 0) + 1)
}

function activityFindings(
  { t, input }: Page,
  { period, interval, buckets, undated }: Omit<TimelineDocument, 'dataAsOf'>,
) {
  const w = t.w.activity
  const days = { '24h': 1, '7d': 7, '30d': 30, '90d': 90, all: Infinity }[period]
  const clock = new Intl.DateTimeFormat('sv', { timeZone: input.timeZone, dateStyle: 'short', timeStyle: 'medium' })
  const written = (ms: number): string => (interval === 'hour' ? new Date(ms).toISOString() : clock.format(ms))
  const from = days === Infinity ? '' : written(AS_OF_MS - days * DAY_MS)
  // A bucket ends where the next one begins; the last one is not over.
  const whole = buckets.filter(
    ({ bucket }, i) => bucket >= from && (buckets[i + 1]?.bucket ?? 'later') <= written(AS_OF_MS),
  )
  return (['votes', 'comments', 'ideas', 'launchedIdeas'] as const).map((series) => {
    const isHere = buckets.some((bucket) => bucket[series] > 0)
    if (!isHere) return period === 'all' && undated[series] > 0 ? '' : w.none
    const highest = enough(
      onlyHighest(whole, (bucket) => bucket[series]),
      (bucket) => bucket[series],
    )
    const isTopped = buckets.some((bucket) => bucket[series] > (highest?.[series] ?? Infinity))
    note('no peak, because a bucket that is not whole is higher', isTopped)
    const peak = isTopped ? null : highest
    note('peak', peak)
    const when = peak === null ? '' : interval === 'day' ? t.day(peak.bucket) : t.bucket(peak.bucket, interval)
    const last = whole.at(-1)
    return spaced(
      peak !== null && t.say(w.peak[interval], { n: peak[series], when }),
      last !== undefined && buckets.length > 2 && t.say(w.last[interval], { n: last[series] }),
    )
  })
}

function categoriesLead(page: Page, { period, categories: rows, totals }: CategoriesDocument): string {
  const { t } = page
  const w = t.w.categories
  const span = t.span(period)
  if (rows.every(({ ideas }) => ideas === 0)) return t.say(w.none, { span })
  const growth = (row: (typeof rows)[number]): number => row.ideas - (row.previousIdeas ?? 0)
  const first = enough(
    onlyHighest(rows, ({ ideas }) => ideas),
    ({ ideas }) => ideas,
  )
  const highest = period === 'all' ? null : enough(onlyHighest(rows, growth), ({ ideas }) => ideas)
  const grown = highest !== null && growth(highest) > 0 ? highest : null
  note('category with most ideas', first)
  note('category that grew most', grown)
  const name = (row: (typeof rows)[number]): string => categoryName(page, row.category)
  return spaced(
    t.say(w.lead, { span }),
    first !== null && t.say(w.first, { category: name(first), n: first.ideas, all: totals.ideas }),
    grown !== null && t.say(w.grew, { category: name(grown), before: grown.previousIdeas ?? 0, now: grown.ideas }),
  )
}

const launchedOf = ({ t }: Page, ideas: readonly IdeaFacts[]): string =>
  t.say(t.w.outcomes.launchedOf, { n: ideas.length, launched: ideas.filter(({ launched }) => launched).length })

/** How many ideas are not launched, and how many of them are a year old; nothing where there is none. */
function openIdeas({ t }: Page, ideas: readonly IdeaFacts[]): string {
  const open = ideas.filter(({ launched }) => !launched)
  const isOld = ({ createdAtMs }: IdeaFacts): boolean =>
    createdAtMs >= EARLIEST_DATE_MS && createdAtMs <= AS_OF_MS - 365 * DAY_MS
  return open.length === 0 ? '' : t.say(t.w.outcomes.openIdeas, { n: open.length, old: open.filter(isOld).length })
}

function outcomeFacts({ t }: Page, ideas: readonly IdeaFacts[], category: string | null) {
  const w = t.w.outcomes
  const running = new Date(AS_OF_MS).getUTCFullYear()
  /** Of launches within a year, of the ideas of each year that has been over for one. */
  const medians = [2, 3, 4, 5].map((back) => {
    const year = running - back
    const ages = ideas
      .filter((idea) => new Date(idea.createdAtMs).getUTCFullYear() === year && isLaunchedInYear(idea))
      .map((idea) => (idea.launchedAtMs! - idea.createdAtMs) / DAY_MS)
      .sort((a, b) => a - b)
    const place = (ages.length - 1) / 2
    return { year, ages, median: ((ages[Math.floor(place)] ?? 0) + (ages[Math.ceil(place)] ?? 0)) / 2 }
  })
  const found = medians.find(({ ages }) => ages.length >= 5)
  note('median', found !== undefined)
  const shown =
    found === undefined || found.median >= 10 ? Math.ceil(found?.median ?? 0) : Math.ceil(found.median * 10) / 10
  if (found !== undefined)
    // What the sentence says; the published median has two decimals.
    expect(found.ages.filter((days) => days <= shown + 0.005).length).toBeGreaterThanOrEqual(found.ages.length / 2)
  const old = ideas.filter(isYearOld)
  const known = old.filter(isLaunchedInYear).length
  const open = old.filter((idea) => idea.launched && idea.launchedAtMs === null).length
  const isFew = old.length < 30
  note('percentage of fewer than 30', isFew)
  note('percentage', !isFew)
  const parts = t.say(t.w.table.part, { part: known, all: old.length })
  const more = open === 0 ? [] : [`${w.withoutDate} (${t.number(open)})`]
  const set = category === null ? w.firstYearText : t.say(w.firstYearIn, { category })
  // Launches without a date may have been in the first year.
  const least = open === 0 ? '' : '≥\u00A0'
  const ofFirstYear = isFew
    ? [`${least}${parts}`, set, ...more]
    : [
        `${least}${t.percent(known, old.length, open === 0 ? Math.round : Math.floor)}`,
        set,
        [parts, ...more].join('. '),
      ]
  return [
    `${w.firstYear}${old.length === 0 ? t.w.absent.notYet : ofFirstYear.join('')}`,
    `${w.daysLabel}${found === undefined ? t.w.absent.notKnown : `${t.days(shown)}${t.say(w.days, { year: String(found.year) })}${t.w.totals.launchedIdeas} (${t.number(found.ages.length)})`}`,
  ]
}

const YEAR_MS = 365 * DAY_MS
const isYearOld = ({ createdAtMs }: IdeaFacts): boolean =>
  createdAtMs !== UNDATED_MS && createdAtMs <= AS_OF_MS - YEAR_MS
const isLaunchedInYear = ({ createdAtMs, launched, launchedAtMs }: IdeaFacts): boolean =>
  launched && launchedAtMs !== null && launchedAtMs - createdAtMs <= YEAR_MS

/** Young ideas cannot make the newer year the worse one, nor launches that nobody dated. */
function yearsCompared({ t }: Page, ideas: readonly IdeaFacts[]): string {
  const running = new Date(AS_OF_MS).getUTCFullYear()
  const yearOf = ({ createdAtMs }: IdeaFacts): number => new Date(createdAtMs).getUTCFullYear()
  const dated = ideas.filter(({ createdAtMs }) => createdAtMs !== UNDATED_MS)
  const last = [1, 2, 3, 4]
    .map((n) => running - n)
    .find((year) => dated.filter((idea) => yearOf(idea) === year).every(isYearOld))!
  const shareOf = (year: number): string | null => {
    const own = dated.filter((idea) => yearOf(idea) === year)
    if (own.length < 30 || own.some((idea) => idea.launched && idea.launchedAtMs === null)) return null
    return t.percent(own.filter(isLaunchedInYear).length, own.length)
  }
  const [share, beforeShare] = [shareOf(last), shareOf(last - 1)]
  note('years', share !== null && beforeShare !== null)
  if (share === null || beforeShare === null) return ''
  return t.say(t.w.outcomes.yearsFinding, { year: String(last), share, before: String(last - 1), beforeShare })
}

function tileNews(page: Page, ideas: readonly IdeaFacts[]): string[] {
  const { t } = page
  const w = t.w.totals
  const chosen = periodOf(page)
  const period = chosen === null || chosen === 'all' ? '30d' : chosen
  const days = { '24h': 1, '7d': 7, '30d': 30, '90d': 90 }[period]
  const say = (message: string, values: object): string => t.say(message, { ...values, time: w.times[period] })
  const created = ideas.map(({ createdAtMs }) => createdAtMs)
  const dates = {
    ideas: created,
    votes: ideas.flatMap(({ votes }) => datesOf(votes)),
    comments: ideas.flatMap(({ comments }) => datesOf(comments)),
    launchedIdeas: ideas.flatMap(({ launched, launchedAtMs }) => (launched ? [launchedAtMs] : [])),
  }
  return (Object.keys(dates) as (keyof typeof dates)[]).map((kind) => {
    const all: readonly (number | null)[] = dates[kind]
    const since = (age: number): number => all.filter((ms) => ms !== null && ms >= AS_OF_MS - age * DAY_MS).length
    const [now, before, ago] = [since(days), since(2 * days) - since(days), since(365 + days) - since(365)]
    // Of what has no date nobody knows whether it is new.
    if (!all.some((ms) => ms !== null && ms >= EARLIEST_DATE_MS)) return ''
    const hasYear = created.some((ms) => ms >= EARLIEST_DATE_MS && ms < AS_OF_MS - (365 + days) * DAY_MS)
    note('a year ago', hasYear && ago > 0)
    const longAgo = hasYear ? say(w.yearAgo, { n: ago }) : ''
    const percent = t.percent(Math.abs(now - before), before)
    const isPercent = before >= 30 && percent !== t.percent(0, 1)
    note('change in percent', isPercent && now !== before)
    note('change of few', before > 0 && before < 30 && now !== before)
    const much = isPercent ? percent : t.number(Math.abs(now - before))
    const change =
      before === 0
        ? say(w.noneBefore, {})
        : now === before
          ? say(w.same, {})
          : now > before
            ? `▲\u00A0${say(w.more, { much })}`
            : `▼\u00A0${say(w.less, { much })}`
    return `${t.count(w.added[kind], now, { time: w.times[period] })}, ${change}${longAgo}`
  })
}

function moves({ t }: Page, { ideas, from }: TrendingDocument): string[] {
  const w = t.w.trending
  return ideas
    .slice(0, 20)
    .map(({ score, previousScore, createdAt }) =>
      createdAt >= from ? `★\u00A0${w.fresh}` : t.say(w.points, { now: score, before: previousScore }),
    )
}

/** Of each figure, also one that says nothing. */
const findings = (of: string): string[] => textsOf(of, /(?<=<\/h3>)(?:<p>[^]*?<\/p>)?(?=<\/figcaption>)/g)
const years = (of: string): string => textsOf(of, /<p>[^<]*<\/p>(?=<div class="scroll"[^>]*years-table)/g).join('')
const facts = (of: string): string[] => textsOf(of, /<li><h3>[^]*?<\/li>/g)
const moved = (of: string): string[] => textsOf(of, /<span class="move[^"]*">[^]*?(?=<\/p>)/g)

function expectTrue(page: Page, html: string, ideas: readonly IdeaFacts[]): void {
  const { documents } = page.input
  const [activity, outcomes, trending, categories] = ['activity', 'outcomes', 'trending', 'categories'].map((id) =>
    sectionOf(html, id),
  )
  const shown = PERIODS.find((period) => activity!.includes(`data-period="${period}"`))!
  expect(findings(activity!)).toEqual(activityFindings(page, documents.timelines[shown]))
  const counted = PERIODS.find((period) => categories!.includes(`data-period="${period}"`))!
  expect(textsOf(categories!, /(?<=<\/h2>)<p>[^]*?<\/p>/g)[0]).toBe(categoriesLead(page, documents.categories[counted]))
  expect(facts(outcomes!)).toEqual(outcomeFacts(page, ideas, null))
  expect(textsOf(outcomes!, /(?<=<\/h2>)<p>[^]*?<\/p>/g)[0]).toContain(launchedOf(page, ideas))
  expect(findings(outcomes!).join('')).toBe('')
  expect(years(outcomes!)).toBe(yearsCompared(page, ideas))
  expect(outcomes).toContain(openIdeas(page, ideas))
  const tiles = sectionOf(html, 'totals')
    .match(/<li><h3>[^]*?<\/li>/g)!
    .slice(0, 4)
  expect(tiles.map((tile) => textsOf(tile, /<p class="news">[^]*?<\/p>/g).join(''))).toEqual(tileNews(page, ideas))
  const trend = BOUNDED_PERIODS.find((period) => trending!.includes(`data-period="${period}"`))!
  expect(moved(trending!)).toEqual(moves(page, documents.trending[trend]))
}

/** The views of all ideas in each period, and of each category. */
function expectTrueViews(page: Page, ideas: readonly IdeaFacts[]): void {
  const { documents } = page.input
  const { language } = page.t
  for (const period of PERIODS)
    expectTrue(pageOf(page.input, language, { period }), indexPage(page.input, language, period), ideas)
  const zone = timeZoneOf(page.input)
  const sums = countedIdeas(ideas, AS_OF_MS, zone)
  for (const name of sums.names()) {
    const own = ideas.filter((idea) => publishedCategories(idea).includes(name))
    const file = sums.file(
      name,
      zone.startOfLabel(documents.timelines.all.buckets[0]?.bucket ?? page.input.dataAsOf),
      AS_OF_MS,
    )
    for (const timeline of Object.values(file.timelines))
      expect(findings(activitySection(page, timeline).text)).toEqual(activityFindings(page, timeline))
    const drawn = outcomesSection(page, file.outcomes, file.timelines.all).text
    expect(textsOf(drawn, /(?<=<\/h2>)<p>[^]*?<\/p>/g)[0]).toContain(launchedOf(page, own))
    expect(facts(drawn)).toEqual(outcomeFacts(page, own, categoryName(page, name)))
    expect(drawn).toContain(openIdeas(page, own))
    expect(findings(drawn).join('')).toBe('')
    expect(years(drawn)).toBe(yearsCompared(page, own))
    const document = documents.trending['90d']
    const listed = {
      ...document,
      category: name,
      ideas: document.ideas.filter((idea) => idea.categories.includes(name)),
    }
    expect(moved(trendingSection(page, listed).text)).toEqual(moves(page, listed))
  }
}

test('no page claims what its numbers do not carry, and each claim is true', () => {
  fc.assert(
    // Views are not of every site: they are twenty pages, and say more of the same.
    fc.property(
      sites,
      fc.constantFrom(...LANGUAGES),
      fc.constantFrom(true, false, false),
      fc.constantFrom(...TIME_ZONES),
      (site, language, ofViews, timeZone) => {
        const ideas = ideasOf(site)
        const page = pageOf(siteInput({ facts: ideas, languages: LANGUAGES, timeZone }), language)
        expectTrue(page, indexPage(page.input, language), ideas)
        if (ofViews) expectTrueViews(page, ideas)
      },
    ),
    {
      numRuns: 300,
      examples: [
        [OVERTAKEN, 'en', true, 'America/New_York'],
        [OVERTAKEN, 'de', true, 'Europe/Berlin'],
        [STEADY, 'en', true, 'Asia/Tokyo'],
      ],
    },
  )
  const claims = ['peak', 'category with most ideas', 'category that grew most', 'median', 'years', 'percentage']
  const others = ['percentage of fewer than 30', 'change of few', 'change in percent', 'a year ago']
  for (const claim of [...claims, ...others]) expect(seen.get(claim) ?? 0, claim).toBeGreaterThan(10)
}, 300_000)

test.each([
  [100_001, 100_000, '1 more than in the 30 days before'],
  [100_000, 100_000, 'as many as in the 30 days before'],
  [29, 31, '6.5% fewer than in the 30 days before'],
  [27, 29, '2 fewer than in the 30 days before'],
])('%i after %i is said as %s', (value, previousValue, said) => {
  const row = { metric: 'votes', value, previousValue, changePercent: changePercent(value, previousValue) }
  expect(changeText(pageOf(siteInput(), 'en'), row)).toBe(said)
})
