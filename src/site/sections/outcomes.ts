// Owns "does it lead to anything": the share that was launched, how long it took, by year, category, month and status. Pure.
import type { Cohort, OutcomesDocument, OutcomeYear, StatusRow } from '../../contract/kinds/outcomes.ts'
import type { TimelineCounts } from '../../contract/kinds/timeline.ts'
import { barChart, inlineBar } from '../charts/bars.ts'
import { ENOUGH_FOR_MEDIAN, ENOUGH_FOR_PERCENT } from '../page/claims.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import { categoryLink, categoryName, firstYearText, leadOf, shareText, sources } from '../page/drawing.ts'
import type { Page } from '../page/page.ts'
import { cutTitle, isolated, isolatedText } from '../page/titles.ts'
import { figure, figureOf, sinceText, type Figure, type Legend } from './figure.ts'
import { factList, folded, moreIn, section, table, type DrawnColumn } from './section.ts'
import type { Timeline } from './activity.ts'
import { published } from './totals.ts'

const STATUSES = 20
const MONTHS = 36

/** Outcomes without the time of the data: those of a category are in one document, which has it. */
type Outcomes = Omit<OutcomesDocument, 'dataAsOf'>

/** @param timeline by month */
export function outcomesSection(
  page: Page,
  document: Outcomes = page.input.documents.outcomes,
  timeline: Timeline = page.input.documents.timelines.all,
): Markup {
  const { t } = page
  const w = t.w.outcomes
  const { category, launched, cohorts: months } = document
  const n = months.reduce((sum, { ideas }) => sum + ideas, 0)
  const body = html`${facts(page, document)}${years(page, document, timeline)}${category === null && byCategory(page)}${cohorts(page, document)}${statuses(page, document)}${sources(page, w.heading, { endpoint: 'outcomes', category })}`
  const lead = leadOf(page, t.say(w.launchedOf, { launched: launched.ideas, n }), category)
  return section({ id: 'outcomes', heading: w.heading, lead, notes: [w.cohortsNote], body })
}

function facts(page: Page, { category, firstYear, years: byYear }: Outcomes): Markup {
  const { t } = page
  const w = t.w.outcomes
  const { ideas, launched, launchedUndated } = firstYear
  const isFew = ideas < ENOUGH_FOR_PERCENT
  const text =
    category === null ? w.firstYearText : t.say(w.firstYearIn, { category: isolatedText(categoryName(page, category)) })
  // Known launches are not all where some have no date.
  const more = [
    ...(isFew ? [] : [t.say(t.w.table.part, { part: launched, all: ideas })]),
    ...(launchedUndated === 0 ? [] : [`${w.withoutDate} (${t.number(launchedUndated)})`]),
  ]
  const inFirstYear = ideas === 0 ? [t.w.absent.notYet] : [firstYearText(t, firstYear), text, more.join('. ')]
  const last = byYear.findLast((year) => medianOf(year) !== null)
  const days =
    last === undefined
      ? [t.w.absent.notKnown]
      : [
          daysText(page, last),
          t.say(w.days, { year: yearText(last) }),
          `${t.w.totals.launchedIdeas} (${t.number(last.firstYear.launched)})`,
        ]
  return factList([
    [w.firstYear, ...inFirstYear],
    [w.daysLabel, ...days],
  ])
}

/** The median; null = it is not known, or that of too few launches. */
function medianOf({ medianDays, firstYear }: OutcomeYear): number | null {
  return firstYear.launched < ENOUGH_FOR_MEDIAN ? null : medianDays
}

/** Whole days, below ten with a decimal; rounded up, because it is said that half took no longer. */
function daysText(page: Page, year: OutcomeYear): Content {
  const { t } = page
  const days = medianOf(year)
  if (days === null) return t.w.absent[whyNoDays(year)]
  return t.days(days < 10 ? Math.ceil(days * 10) / 10 : Math.ceil(days))
}

function whyNoDays({ ideas, firstYear, medianDays }: OutcomeYear) {
  if (medianDays !== null) return 'tooFew'
  return firstYear.launched > 0 || firstYear.ideas < ideas ? 'notYet' : 'none'
}

function years(page: Page, { category, years: all, cohorts: byMonth }: Outcomes, { buckets }: Timeline): Content {
  const { t } = page
  const { outcomes: w, totals } = t.w
  if (all.every(({ firstYear }) => firstYear.ideas === 0)) return null
  const hasPeople = category === null && page.input.people !== 'off'
  const isAnyQuick = all.some((year) => typeof within90Days(page, byMonth, year) === 'number')
  const ofYear = new Map(all.map((year) => [year, buckets.filter(({ bucket }) => bucket.startsWith(yearText(year)))]))
  const sumOf = (year: OutcomeYear, counted: keyof TimelineCounts): number =>
    (ofYear.get(year) ?? []).reduce((sum, month) => sum + month[counted], 0)
  const finding = yearsFinding(page, all)
  const shown = table(page, 'years-table', w.years, all.toReversed(), [
    [w.year, (year) => (year === all.at(-1) ? t.say(w.soFar, { year: yearText(year) }) : yearText(year)), 'time'],
    [totals.ideas, ({ ideas }) => ideas],
    [totals.votes, (year) => sumOf(year, 'votes')],
    [totals.comments, (year) => sumOf(year, 'comments'), 'minor'],
    [w.inYear, (year) => sumOf(year, 'launchedIdeas')],
    hasPeople && [totals.active, ({ activeUsers }) => published(page, activeUsers), 'minor'],
    ...firstYearColumns(page),
    [w.median, (year) => daysText(page, year)],
    isAnyQuick && [w.quick, (year) => within90Days(page, byMonth, year), 'minor'],
  ])
  return html`${finding !== null && html`<p>${finding}</p>`}${shown}<p class="remark">${w.yearsNote}${isAnyQuick && ` ${w.quickNote}`}</p>`
}

/** How many ideas of a year were launched so fast, if all of its months say it; otherwise why they do not. */
function within90Days(page: Page, all: readonly Cohort[], year: OutcomeYear): Content {
  const own = all.filter(({ month }) => month?.startsWith(yearText(year)))
  const known = own.flatMap(({ launchedWithin90Days: n }) => n ?? [])
  if (known.length === own.length) return known.reduce((sum, n) => sum + n, 0)
  const isYoung = own.some((month) => month.launchedWithin90Days === null && month.launchedUndated === 0)
  return page.t.w.absent[isYoung ? 'notYet' : 'notKnown']
}

function yearText({ year }: OutcomeYear): string {
  return year.slice(0, 4)
}

type WithFirstYear = Pick<OutcomeYear, 'ideas' | 'firstYear'>

function firstYearColumns(page: Page): DrawnColumn<WithFirstYear>[] {
  const { t } = page
  const w = t.w.outcomes
  const orDash = ({ ideas, firstYear }: WithFirstYear, content: Content): Content =>
    firstYear.ideas === 0 ? t.w.absent[ideas === 0 ? 'none' : 'notYet'] : content
  return [
    [w.yearOld, ({ firstYear }) => firstYear.ideas],
    [w.firstYear, (row) => orDash(row, firstYearText(t, row.firstYear))],
    [w.withoutDate, (row) => orDash(row, t.number(row.firstYear.launchedUndated))],
  ]
}

/** Compares the last two years whose ideas are all a year old; the last row is that of the running year. */
function yearsFinding({ t }: Page, all: readonly OutcomeYear[]): string | null {
  const over = all.slice(0, -1).filter(({ ideas, firstYear }) => firstYear.ideas === ideas)
  const [before, last] = over
    .slice(-2)
    .filter(({ firstYear }) => firstYear.ideas >= ENOUGH_FOR_PERCENT && firstYear.launchedUndated === 0)
  if (before === undefined || last === undefined) return null
  const [share = '', beforeShare = ''] = [last, before].map(({ firstYear }) =>
    t.percent(firstYear.launched, firstYear.ideas),
  )
  return t.say(t.w.outcomes.yearsFinding, { year: yearText(last), share, before: yearText(before), beforeShare })
}

/** Where ideas are launched: a table of the categories that have a page. */
function byCategory(page: Page): Content {
  const { t, input } = page
  const w = t.w.outcomes
  const rows = input.documents.ofCategories
    .map(({ name, numbers, file }) => ({ name, ideas: numbers.all.ideas, firstYear: file.outcomes.firstYear }))
    .filter(({ firstYear }) => firstYear.ideas > 0)
  if (rows.length === 0) return null
  const caption = `${w.firstYear} – ${t.w.activity.byCategory}`
  return table(page, 'first-year-table', caption, rows, [
    [t.w.activity.category, ({ name }) => categoryLink(page, name)],
    ...firstYearColumns(page),
  ])
}

type Dated = Cohort & { readonly month: string }

function shownCohorts({ cohorts: all }: Outcomes): Dated[] {
  return all.filter((cohort): cohort is Dated => cohort.month !== null).slice(-MONTHS)
}

function cohorts(page: Page, document: Outcomes): Content {
  const { t } = page
  const w = t.w.outcomes
  const shown = shownCohorts(document)
  if (shown.length === 0) return null
  const undated = document.cohorts.filter(({ month }) => month === null)
  const rows = [...undated, ...shown.toReversed()]
  const drawn = table(page, 'cohorts-table', w.cohorts, rows, [
    [w.month, ({ month }) => (month === null ? t.w.past.undated : t.month(month)), 'time'],
    [t.w.totals.ideas, ({ ideas }) => ideas],
    [w.voted, ({ votedIdeas }) => votedIdeas],
    [w.discussed, ({ discussedIdeas }) => discussedIdeas],
    [t.w.categories.launchedOfThese, ({ launchedIdeas }) => launchedIdeas],
    [w.firstYear, ({ month, knownWithin365Days: n }) => n ?? t.w.absent[month === null ? 'notKnown' : 'notYet']],
    [w.withoutDate, ({ launchedUndated }) => launchedUndated],
  ])
  const older = document.cohorts.length - undated.length - shown.length
  const shares = cohortsFigure(page, document, 160)
  return html`${shares.chart !== null && figure(page, shares)}${folded(t.w.table.show, html`${drawn}<p class="remark">${t.say(w.notYet, { word: t.w.absent.notYet })}</p>`)}${moreIn(page, document.category === null ? 'CSV' : 'JSON', older)}`
}

export function cohortsFigure(page: Page, document: Outcomes, height: number): Figure {
  const { t } = page
  const w = t.w.outcomes
  const shown = shownCohorts(document)
  const values = shown.map(({ ideas, launchedIdeas }) => (100 * launchedIdeas) / Math.max(1, ideas))
  // The month of the data is not over.
  const partial = shown.flatMap(({ ideas }, i) => (ideas < ENOUGH_FOR_PERCENT || i === shown.length - 1 ? i : []))
  const starts = shown.map(({ month }) => month)
  const isAll = shown.length === 0 || starts[0] === document.cohorts[0]?.month
  const heading = isAll ? w.shares : `${w.shares}, ${sinceText(page, starts[0], 'month')}`
  const key: Legend = [['partial', t.say(w.few, { n: ENOUGH_FOR_PERCENT })]]
  const said = { name: 'outcomes', heading, finding: '', key, notes: [w.cohortsNote], from: 'cohorts-table/1,4' }
  const written = (percent: number): string => t.percent(percent, 100)
  const drawn = { ...said, height, values, partial, label: null, written, starts, interval: 'month' } as const
  return figureOf(page, drawn, barChart)
}

function statuses(page: Page, { statuses: all }: Outcomes): Content {
  const { t } = page
  const { outcomes: w, totals } = t.w
  const open = all.reduce((sum, { notLaunched }) => sum + notLaunched.ideas, 0)
  const old = all.reduce((sum, { notLaunched }) => sum + notLaunched.yearOld, 0)
  const said = open > 0 && html`<p>${t.say(w.openIdeas, { n: open, old })}</p>`
  // The platform has no statuses.
  if (all.every(({ status }) => status === null)) return said
  const shown = all.slice(0, STATUSES)
  const whole = all.reduce((sum, row) => sum + row.ideas, 0)
  const most = Math.max(1, ...shown.map(({ ideas }) => ideas))
  const age = ({ notLaunched: { medianAgeDays: days } }: StatusRow): Content =>
    days === null ? t.w.absent.none : t.days(days)
  const name = ({ status }: StatusRow): Content => (status === null ? w.noStatus : isolated(cutTitle(status)))
  const drawn = table(page, 'statuses-table', w.statuses, shown, [
    [w.status, (row) => html`${name(row)}${inlineBar(row.ideas / most)}`],
    [totals.ideas, ({ ideas }) => ideas],
    [w.shareOfIdeas, ({ ideas }) => shareText(t, ideas, whole), 'minor'],
    [totals.votes, ({ votes }) => votes, 'minor'],
    [totals.comments, ({ comments }) => comments, 'minor'],
    [w.notLaunched, ({ notLaunched }) => notLaunched.ideas],
    [w.notLaunchedOld, ({ notLaunched }) => notLaunched.yearOld],
    [w.medianAge, age],
  ])
  return html`${said}${drawn}${moreIn(page, 'JSON', all.length - shown.length)}`
}
