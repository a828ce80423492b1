// Owns "does it lead to anything": the share that was launched, how long it took, the months and the statuses. Pure.
import type { CategoryNumbers } from '../../contract/kinds/categories.ts'
import type { Cohort, OutcomesDocument, StatusRow } from '../../contract/kinds/outcomes.ts'
import { barChart, inlineBar } from '../charts/bars.ts'
import { ENOUGH_FOR_MEDIAN, ENOUGH_FOR_PERCENT, ENOUGH_FOR_TENTH, ENOUGH_TO_WIN, winnerOf } from '../claims.ts'
import { html, type Content, type Markup } from '../html.ts'
import { categoryName, leadOf, requestOf, sources, type Choice } from '../drawing.ts'
import type { Page } from '../page.ts'
import { cutTitle, isolated, isolatedText } from '../titles.ts'
import { frameOf } from './chart-frame.ts'
import { folded, section, table } from './section.ts'
import { shareText } from './share.ts'

const STATUSES = 20
const MONTHS = 36

export function outcomes(page: Page): Markup {
  const { outcomes: document, stats: found } = page.input.documents
  const { stats, metrics } = found
  const of = { ideas: stats.totalIdeas, launchedIdeas: stats.launchedIdeas, votes: stats.totalVotes }
  return outcomesOf(page, document, { ...of, launchSuccessRate: metrics.launchSuccessRate }, null)
}

/** Those of the categories are members of one document, which has the time of the data. */
type Outcomes = Omit<OutcomesDocument, 'dataAsOf'>
/** What the outcomes are of, since the beginning. */
type Whole = Pick<CategoryNumbers, 'ideas' | 'launchedIdeas' | 'votes' | 'launchSuccessRate'>

/** @param category that of the document */
export function outcomesOf(page: Page, document: Outcomes, whole: Whole, category: Choice | null): Markup {
  const { t } = page
  const w = t.w.outcomes
  const file = category === null ? 'outcomes' : `category/${category.key}`
  const body = html`${facts(page, document, whole, category)}${cohorts(page, document)}${statuses(page, document)}${sources(
    page,
    w.heading,
    [...(category === null ? ['analytics/export/outcomes/all.csv'] : []), `analytics/${file}.json`],
    requestOf('/api/analytics/outcomes', { category: category?.name ?? null }),
  )}`
  return section({
    id: 'outcomes',
    heading: w.heading,
    lead: leadOf(page, w.lead, category),
    notes: html`<p class="remark">${w.cohortsNote}</p>`,
    body,
  })
}

/** Each says first what it is, as a heading: a number alone says nothing to who goes from heading to heading. */
function facts(page: Page, { launched }: Outcomes, whole: Whole, of: Choice | null): Markup {
  const { t } = page
  const w = t.w.outcomes
  const { medianDays, p90Days, dated } = launched
  const basis = t.count(w.basis, launched.ideas, { dated })
  const slow = p90Days === null || dated < ENOUGH_FOR_TENTH ? [] : [t.count(w.slow, rounded(p90Days))]
  const days: readonly string[] =
    medianDays === null || dated < ENOUGH_FOR_MEDIAN
      ? [w.daysLabel, '–', dated === 0 ? w.unknownDays : w.fewDays, '']
      : [w.daysLabel, t.count(w.daysOf, rounded(medianDays)), w.days, [...slow, basis].join(' ')]
  const shareOf = t.count(w.shareOf, whole.ideas, { launched: whole.launchedIdeas })
  const votesOf = t.say(w.votesOf, { launched: launched.votes, all: whole.votes })
  const category = of === null ? '' : isolatedText(categoryName(page, of.name))
  const said = (all: string, ofCategory: string): string => (of === null ? all : t.say(ofCategory, { category }))
  const share = (label: string, all: number, percent: number, text: string, parts: string): readonly string[] =>
    all < ENOUGH_FOR_PERCENT ? [label, parts, '', ''] : [label, t.percent(percent), text, parts]
  return html`<ul class="facts">${[
    share(t.w.totals.launched, whole.ideas, whole.launchSuccessRate, said(w.share, w.shareIn), shareOf),
    days,
    share(w.votesLabel, whole.votes, launched.shareOfVotes, said(w.votes, w.votesIn), votesOf),
  ].map(
    ([label = '', big = '', text = '', news = '']) =>
      html`<li><h3>${label}</h3><p class="big">${big}</p>${text !== '' && html`<p>${text}</p>`}${news !== '' && html`<p class="news">${news}</p>`}</li>`,
  )}</ul>`
}

/** Whole days, but below ten. */
function rounded(days: number): number {
  return days < 10 ? Math.round(days * 10) / 10 : Math.round(days)
}

type Dated = Cohort & { readonly month: string }

function cohorts(page: Page, { cohorts: all, launched }: Outcomes): Content {
  const { t } = page
  const w = t.w.outcomes
  const dated = all.filter((cohort): cohort is Dated => cohort.month !== null)
  const shown = dated.slice(-MONTHS)
  if (shown.length === 0) return null
  const values = shown.map(({ ideas }) => ideas)
  // The month of the data is not over.
  const partial = [values.length - 1]
  const finding = launched.ideas === 0 ? w.cohortsNone : findingOf(page, shown.slice(0, -1))
  const frame = frameOf(page, {
    id: 'cohorts',
    title: [w.cohorts, finding].join('. '),
    height: 160,
    values,
    starts: shown.map(({ month }) => month),
    interval: 'month',
    from: 'cohorts-table/1,4',
  })
  const key = html`<p class="key"><span class="swatch of" aria-hidden="true"></span>${w.submitted} <span class="swatch part" aria-hidden="true"></span>${w.ofThose}</p>`
  const older = dated.length - shown.length
  return html`<figure><figcaption><h3>${w.cohorts}</h3><p>${finding}</p></figcaption>${key}${barChart(frame, {
    values,
    partial,
    parts: shown.map(({ launchedIdeas }) => launchedIdeas),
  })}</figure>${folded(page, cohortsTable(page, shown, all))}${older > 0 && html`<p class="remark">${t.count(w.older, older)}</p>`}`
}

/** @param whole months that are over */
function findingOf({ t }: Page, whole: readonly Dated[]): string {
  const enough = whole.filter(({ ideas }) => ideas >= ENOUGH_TO_WIN)
  const best = winnerOf(enough, ({ ideas, launchedIdeas }) => launchedIdeas / ideas)
  if (best === null) return ''
  const share = shareText(t, (100 * best.launchedIdeas) / best.ideas, best.ideas)
  return t.say(t.w.outcomes.cohortsTitle, { month: t.month(best.month), share })
}

function cohortsTable({ t }: Page, shown: readonly Dated[], all: readonly Cohort[]): Markup {
  const w = t.w.outcomes
  const columns = [
    { text: w.month, isNumber: false, isTime: true },
    ...[
      t.w.totals.ideas,
      w.voted,
      w.discussed,
      t.w.totals.launchedShort,
      ...[30, 90, 365].map((days) => t.count(w.within, days)),
    ].map((text) => ({ text })),
  ]
  const orDash = (n: number | null): string => (n === null ? '–' : t.number(n))
  const rows = [...all.filter(({ month }) => month === null), ...[...shown].reverse()].map((cohort) => [
    cohort.month === null ? w.undated : t.month(cohort.month),
    t.number(cohort.ideas),
    t.number(cohort.votedIdeas),
    t.number(cohort.discussedIdeas),
    t.number(cohort.launchedIdeas),
    orDash(cohort.launchedWithin30Days),
    orDash(cohort.launchedWithin90Days),
    orDash(cohort.launchedWithin365Days),
  ])
  return html`${table('cohorts-table', w.cohortsCaption, columns, rows)}<p class="remark">${w.notYet}</p>`
}

function statuses(page: Page, { statuses: all }: Outcomes): Content {
  const { t } = page
  const { outcomes: w, totals } = t.w
  // A platform without statuses.
  if (all.every(({ status }) => status === null)) return null
  const shown = all.slice(0, STATUSES)
  const whole = all.reduce((sum, row) => sum + row.ideas, 0)
  const most = Math.max(1, ...shown.map(({ ideas }) => ideas))
  const name = ({ status }: StatusRow): Content => (status === null ? w.noStatus : isolated(cutTitle(status)))
  const columns = [
    { text: w.status, isNumber: false },
    ...[totals.ideas, w.shareOfIdeas, totals.votes, totals.comments].map((text) => ({ text })),
  ]
  const rows = shown.map((row) => [
    html`${name(row)}${inlineBar(row.ideas / most)}`,
    t.number(row.ideas),
    shareText(t, row.shareOfIdeas, whole),
    t.number(row.votes),
    t.number(row.comments),
  ])
  const rest = all.length - shown.length
  return html`${table('statuses-table', w.statuses, columns, rows)}${rest > 0 && html`<p class="remark">${t.count(w.restOfStatuses, rest)}</p>`}`
}
