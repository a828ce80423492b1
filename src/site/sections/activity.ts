// Owns "activity over time": one chart for each kind of contribution, because their sizes differ, and one table for all. Pure.
import type { TimelineDocument } from '../../contract/kinds/timeline.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import type { Interval, Period } from '../../contract/windows.ts'
import { barChart } from '../charts/bars.ts'
import type { Frame } from '../charts/plot.ts'
import { peakOf } from '../page/claims.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import { leadOf, sources } from '../page/drawing.ts'
import { periodOf, type Page } from '../page/page.ts'
import { figure, figureOf, keyLine, type Figure, type Legend } from './figure.ts'
import { folded, section, table, type DrawnColumn } from './section.ts'

const SERIES = ['votes', 'comments', 'ideas', 'launchedIdeas'] as const
type Series = (typeof SERIES)[number]

/** A timeline without the time of the data: those of a category are in one document, which has it. */
export type Timeline = Omit<TimelineDocument, 'dataAsOf'>

/** The period to show: ninety days; fewer on a site so young that it has nothing before them, all time on one that slept so long. */
export function shownPeriod({ input }: Page): Period {
  const { timelines } = input.documents
  const countIn = (period: Period): number =>
    timelines[period].buckets.flatMap((bucket) => SERIES.map((series) => bucket[series])).reduce((a, b) => a + b, 0)
  const all = countIn('all')
  if (countIn('90d') === 0) return 'all'
  return (['7d', '30d'] as const).find((period) => countIn(period) === all) ?? '90d'
}

/** The figures of the page as usual, for where each stands alone. */
export function activityFigures(page: Page, height: number): Figure[] {
  const timeline = page.input.documents.timelines[shownPeriod(page)]
  return SERIES.map((series) => {
    const one = ofSeries(page, timeline, series, height)
    return { ...one, heading: `${one.heading} ${page.t.span(timeline.period)}`, key: partialKey(page, timeline) }
  })
}

/** @param timeline by default that of all ideas in the period of the page */
export function activitySection(
  page: Page,
  timeline: Timeline = page.input.documents.timelines[periodOf(page) ?? shownPeriod(page)],
): Markup {
  const { t } = page
  const w = t.w.activity
  const { period, interval, category } = timeline
  const body = html`<div class="charts">${SERIES.map((series, i) => figure(page, ofSeries(page, timeline, series, i === 0 ? 160 : 72)))}</div>${keyLine(partialKey(page, timeline))}${withoutDate(page, timeline)}${folded(t.w.table.show, numbers(page, timeline))}${sources(page, w.heading, { endpoint: 'timeline', period, interval, category })}`
  const lead = t.say(w.lead, { bucket: t.say(w.buckets[interval]), span: t.span(period) })
  return section({ id: 'activity', heading: w.heading, lead: leadOf(page, lead, category), body, period })
}

function partialKey({ t }: Page, timeline: Timeline): Legend {
  return partialOf(timeline).length > 0 ? [['partial', t.w.activity.partial]] : []
}

function ofSeries(page: Page, timeline: Timeline, series: Series, height: number): Figure {
  const { t } = page
  const w = t.w.activity
  const { period, interval, buckets, undated } = timeline
  const name = series === 'launchedIdeas' ? 'launched' : series
  const from = `activity-table/${SERIES.indexOf(series) + 1}`
  const heading = t.say(w.per[interval], { what: t.w.totals[series] })
  const values = buckets.map((bucket) => bucket[series])
  const starts = buckets.map(({ bucket }) => bucket)
  const partial = partialOf(timeline)
  const { label, ...said } = peakAndLast(page, interval, starts, values, partial)
  // Rows without a date belong to all time, but to no bucket.
  const nothing = period === 'all' && undated[series] > 0 ? '' : w.none
  const finding = values.some((n) => n > 0) ? said.finding : nothing
  const drawn = { name, heading, finding, height, values, partial, label, starts, interval, from }
  return figureOf(page, drawn, barChart)
}

/**
 * The peak, and the last whole bucket, where they may be named; and the label of the peak.
 * @param partial numbers of the buckets that are not whole
 */
export function peakAndLast(
  { t }: Page,
  interval: Interval,
  starts: readonly string[],
  values: readonly (number | null)[],
  partial: readonly number[],
): Pick<Frame, 'label'> & { readonly finding: string } {
  const w = t.w.activity
  const peak = peakOf(values, partial)
  const when = (start = ''): string => (interval === 'day' ? t.day(start) : t.bucket(start, interval))
  const last = values.length > 2 ? values.at(partial.includes(values.length - 1) ? -2 : -1) : null
  const finding = [
    ...(peak === null ? [] : [t.say(w.peak[interval], { n: peak.count, when: when(starts[peak.index]) })]),
    ...(typeof last === 'number' ? [t.say(w.last[interval], { n: last })] : []),
  ].join(' ')
  return { finding, label: peak === null ? null : { index: peak.index, text: t.number(peak.count) } }
}

interface Cut extends Pick<Timeline, 'interval' | 'from' | 'to' | 'timeZone'> {
  readonly buckets: readonly Pick<Timeline['buckets'][number], 'bucket'>[]
}

/** Numbers of the buckets that the window cuts. */
export function partialOf(timeline: Cut): number[] {
  const { interval, from, to, buckets } = timeline
  const zone = timeZoneOf(timeline)
  const startOf = (i: number): number => zone.startOfLabel(buckets[i]?.bucket ?? to)
  const last = buckets.length - 1
  const isFirst = from !== null && startOf(0) < Date.parse(from)
  const isLast = last >= 0 && zone.after(interval, startOf(last)) > Date.parse(to)
  return [...(isFirst ? [0] : []), ...(isLast ? [last] : [])]
}

function numbers(page: Page, { buckets, interval }: Timeline): Markup {
  const { t } = page
  const w = t.w.activity
  return table(page, 'activity-table', `${w.heading}, ${t.say(w.buckets[interval])}`, buckets.toReversed(), [
    [t.say(w.when), ({ bucket }) => t.bucket(bucket, interval), 'time'],
    ...SERIES.map((series): DrawnColumn<Timeline['buckets'][number]> => [t.w.totals[series], (row) => row[series]]),
  ])
}

function withoutDate({ t }: Page, { undated }: Timeline): Content {
  const list = SERIES.filter((series) => undated[series] > 0).map(
    (series) => `${t.w.totals[series]} (${t.number(undated[series])})`,
  )
  return list.length > 0 && html`<p class="remark">${t.say(t.w.activity.undated, { list: list.join(', ') })}</p>`
}
