// Owns "activity over time": one chart for each kind of contribution, because their sizes differ, and one table for all. Pure.
import type { TimelineCounts, TimelineDocument } from '../../contract/documents.ts'
import { PERIODS, windowOf, type Interval, type Period } from '../../contract/windows.ts'
import { barChart } from '../charts/bars.ts'
import { countScale, timeTicks } from '../charts/scales.ts'
import { html, type Content, type Markup } from '../html.ts'
import { categoryName, sources, type Page } from '../page.ts'
import { folded, section, table } from './section.ts'
import { changeText } from './totals.ts'

const KINDS = ['votes', 'comments', 'ideas', 'launchedIdeas'] as const

/** Ninety days; fewer on a site so young that it has nothing before them, all time on one that slept so long. */
export function shownPeriod({ input }: Page): Period {
  const { timelines } = input.documents
  const countIn = (period: Period): number =>
    timelines[period].buckets.reduce((sum, bucket) => sum + KINDS.reduce((some, kind) => some + bucket[kind], 0), 0)
  const all = countIn('all')
  if (countIn('90d') === 0) return 'all'
  return (['7d', '30d'] as const).find((period) => countIn(period) === all) ?? '90d'
}

export function activity(page: Page): Markup {
  const { input, t } = page
  const period = shownPeriod(page)
  const timeline = input.documents.timelines[period]
  const w = t.w.activity
  const bucket = w.buckets[timeline.interval]
  const body = html`${pickers(page, period)}<div class="charts">${KINDS.map((kind, i) => chart(page, timeline, kind, i === 0 ? 160 : 72))}</div>${
    partialOf(timeline).length > 0 &&
    html`<p class="key"><span class="swatch partial" aria-hidden="true"></span>${w.partial}</p>`
  }${withoutDate(page, timeline)}${folded(page, numbers(page, timeline))}${sources(page, [
    [t.w.table.csv, `analytics/export/timeline/${period}.csv`],
    [t.w.table.json, `analytics/timeline/${period}.json`],
  ])}`
  return section({
    id: 'activity',
    heading: w.heading,
    lead: t.say(w.lead, { bucket, span: w.spans[period] }),
    body,
    period,
  })
}

/** For the client, which shows them. Only so many categories as a page can carry. */
const MOST_CHOICES = 100

function pickers(page: Page, period: Period): Markup {
  const { input, t } = page
  const w = t.w.activity
  return html`<div class="pickers" data-pickers hidden><label>${w.period} <select data-pick="period">${PERIODS.map(
    (choice) => html`<option value="${choice}"${choice === period && html` selected`}>${w.periods[choice]}</option>`,
  )}</select></label> <label>${w.category} <select data-pick="category"><option value="">${w.allCategories}</option>${input.categories
    .slice(0, MOST_CHOICES)
    .map(({ name, key }) => html`<option value="${key}">${categoryName(page, name)}</option>`)}</select></label></div>`
}

function chart(page: Page, timeline: TimelineDocument, kind: keyof TimelineCounts, height: number): Markup {
  const { t } = page
  const w = t.w.activity
  const name = kind === 'launchedIdeas' ? t.w.totals.launched : t.w.totals[kind]
  const heading = t.say(w.per[timeline.interval], { what: name })
  const values = timeline.buckets.map((bucket) => bucket[kind])
  const starts = timeline.buckets.map(({ bucket }) => Date.parse(bucket))
  const finding = findingOf(page, timeline, kind, values)
  const { top, ticks } = countScale(values, height > 100 ? 4 : 2)
  const peak = peakOf(values)
  const frame = {
    id: `activity-${kind.toLowerCase()}`,
    title: `${heading}. ${finding}`,
    height,
    top,
    y: [0, ...ticks].map((value) => ({ value, text: t.short(value) })),
    x: timeTicks(starts, timeline.interval, height > 100 ? 6 : 3).map(({ index, timeMs, unit }) => ({
      at: (index + 0.5) / values.length,
      text: t.tick(timeMs, unit),
    })),
    hook: html`data-chart="activity-table/${KINDS.indexOf(kind) + 1}"`,
  }
  const label = peak === null ? null : { index: peak, text: t.number(values[peak] ?? 0) }
  return html`<figure><figcaption><h3>${heading}</h3><p>${finding}</p></figcaption>${
    peak !== null && barChart(frame, { values, partial: partialOf(timeline), label })
  }</figure>`
}

function peakOf(values: readonly number[]): number | null {
  const highest = Math.max(0, ...values)
  return highest === 0 ? null : values.indexOf(highest)
}

function findingOf(
  page: Page,
  timeline: TimelineDocument,
  kind: keyof TimelineCounts,
  values: readonly number[],
): string {
  const { input, t } = page
  const w = t.w.activity
  const peak = peakOf(values)
  if (peak === null) return w.none
  const { interval } = timeline
  const start = timeline.buckets[peak]?.bucket ?? ''
  const when = interval === 'day' ? t.day(start) : t.bucket(start, interval)
  const peakText = t.count(interval === 'month' ? w.peakMonth : w.peak, values[peak] ?? 0, { when })
  const lastWhole = values.at(partialOf(timeline).includes(values.length - 1) ? -2 : -1)
  const lastText = { hour: w.lastHour, day: w.last, month: w.lastMonth }[interval]
  const row = input.documents.overview['30d'].find((found) => found['metric'] === kind)
  const change = typeof row?.['changePercent'] === 'number' ? changeText(page, row) : null
  return [
    peakText,
    lastWhole !== undefined && values.length > 2 ? t.say(lastText, { n: lastWhole }) : '',
    change === null ? '' : t.say(w.change, { change }),
  ]
    .filter((text) => text !== '')
    .join(' ')
}

const LENGTH_MS: Readonly<Record<Interval, number>> = { hour: 3_600_000, day: 86_400_000, month: 28 * 86_400_000 }

/** Numbers of the buckets that the window cuts. A month is whole on the day it ends, or not at all. */
export function partialOf({
  period,
  interval,
  from,
  to,
  buckets,
}: Pick<TimelineDocument, 'period' | 'interval' | 'from' | 'to' | 'buckets'>): number[] {
  const toMs = Date.parse(to)
  const { fromMs } = windowOf(period, toMs)
  const last = buckets.length - 1
  const lastStart = Date.parse(buckets[last]?.bucket ?? to)
  const cut: number[] = []
  if (from !== null && fromMs !== null && Date.parse(buckets[0]?.bucket ?? from) < fromMs) cut.push(0)
  const endsWhole = interval === 'month' ? isMonthStart(toMs) : toMs - lastStart >= LENGTH_MS[interval]
  if (last > 0 && !endsWhole) cut.push(last)
  return cut
}

function isMonthStart(timeMs: number): boolean {
  return new Date(timeMs).toISOString().endsWith('-01T00:00:00.000Z')
}

function numbers({ t }: Page, timeline: TimelineDocument): Markup {
  const w = t.w.activity
  const names = KINDS.map((kind) => ({ text: kind === 'launchedIdeas' ? t.w.categories.launched : t.w.totals[kind] }))
  const rows = timeline.buckets
    .map((bucket) => [t.bucket(bucket.bucket, timeline.interval), ...KINDS.map((kind) => t.number(bucket[kind]))])
    .reverse()
  const caption = t.say(w.caption, { bucket: w.buckets[timeline.interval] })
  return table('activity-table', caption, [{ text: w.when, isNumber: false }, ...names], rows)
}

function withoutDate({ t }: Page, { undated }: TimelineDocument): Content {
  const list = (['ideas', 'votes', 'comments', 'launchedIdeas'] as const)
    .filter((kind) => undated[kind] > 0)
    .map((kind) => t.count(t.w.activity.undatedOf[kind], undated[kind]))
  return list.length > 0 && html`<p class="remark">${t.say(t.w.activity.undated, { list: t.list(list) })}</p>`
}
