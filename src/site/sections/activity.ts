// Owns "activity over time": one chart for each kind of contribution, because their sizes differ, and one table for all. Pure.
import type { TimelineCounts, TimelineDocument } from '../../contract/kinds/timeline.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { windowOf, type Interval, type Period } from '../../contract/windows.ts'
import { barChart } from '../charts/bars.ts'
import { peakOf, type Peak } from '../claims.ts'
import { html, type Content, type Markup } from '../html.ts'
import { leadOf, sources } from '../drawing.ts'
import { periodOf, type Page } from '../page.ts'
import { figure, frameOf, keyLine, type Figure, type Key } from './figure.ts'
import { folded, section, table, type Column } from './section.ts'

const SERIES = ['votes', 'comments', 'ideas', 'launchedIdeas'] as const
type Series = (typeof SERIES)[number]

/** Those of the categories are members of one document, which has the time of the data. */
export type Timeline = Omit<TimelineDocument, 'dataAsOf'>

/** Ninety days; fewer on a site so young that it has nothing before them, all time on one that slept so long. */
export function shownPeriod({ input }: Page): Period {
  const { timelines } = input.documents
  const countIn = (period: Period): number =>
    timelines[period].buckets.reduce(
      (sum, bucket) => sum + SERIES.reduce((some, series) => some + bucket[series], 0),
      0,
    )
  const all = countIn('all')
  if (countIn('90d') === 0) return 'all'
  return (['7d', '30d'] as const).find((period) => countIn(period) === all) ?? '90d'
}

export function activity(page: Page): Markup {
  const { documents } = page.input
  return activityOf(page, documents.timelines[periodOf(page) ?? shownPeriod(page)])
}

/** Those of the page as usual, where each stands alone. */
export function activityFigures(page: Page, height: number): Figure[] {
  const timeline = page.input.documents.timelines[shownPeriod(page)]
  const { spans } = page.t.w.activity
  return SERIES.map((series) => {
    const one = figureOf(page, timeline, series, height)
    return { ...one, heading: `${one.heading} ${spans[timeline.period]}`, key: partialKey(page, timeline) }
  })
}

export function activityOf(page: Page, timeline: Timeline): Markup {
  const { t } = page
  const w = t.w.activity
  const { period, interval, category } = timeline
  const body = html`<div class="charts">${SERIES.map((series, i) => figure(page, figureOf(page, timeline, series, i === 0 ? 160 : 72)))}</div>${keyLine(partialKey(page, timeline))}${withoutDate(page, timeline)}${folded(t.w.table.show, numbers(page, timeline))}${sources(page, w.heading, { endpoint: 'timeline', period, interval, category })}`
  const lead = t.say(w.lead, { bucket: t.say(w.buckets[interval]), span: w.spans[period] })
  return section({ id: 'activity', heading: w.heading, lead: leadOf(page, lead, category), body, period })
}

function partialKey({ t }: Page, timeline: Timeline): Key {
  return partialOf(timeline).length > 0 ? [['partial', t.w.activity.partial]] : []
}

function figureOf(page: Page, timeline: Timeline, series: Series, height: number): Figure {
  const { t } = page
  const w = t.w.activity
  const heading = t.say(w.per[timeline.interval], { what: t.w.totals[series] })
  const values = timeline.buckets.map((bucket) => bucket[series])
  const partial = partialOf(timeline)
  const peak = peakOf(values, partial)
  const starts = timeline.buckets.map(({ bucket }) => bucket)
  const last = values.length > 2 ? values.at(partial.includes(values.length - 1) ? -2 : -1) : null
  // What has no date is of all time, but in no bucket.
  const isElsewhere = timeline.period === 'all' && timeline.undated[series] > 0
  const finding = values.some((n) => n > 0)
    ? peakAndLast(page, timeline.interval, starts, peak, last ?? null)
    : isElsewhere
      ? ''
      : w.none
  const frame = frameOf(page, {
    id: `activity-${series.toLowerCase()}`,
    heading,
    finding,
    height,
    values,
    starts,
    interval: timeline.interval,
    from: `activity-table/${SERIES.indexOf(series) + 1}`,
  })
  const label = peak === null ? null : { index: peak.index, text: t.number(peak.count) }
  const chart = values.some((n) => n > 0) ? barChart(frame, { values, partial, label }) : null
  return { name: series === 'launchedIdeas' ? 'launched' : series, heading, finding, chart }
}

/** The peak, and the last whole bucket, where they may be named: null = not. */
export function peakAndLast(
  { t }: Page,
  interval: Interval,
  starts: readonly string[],
  peak: Peak | null,
  last: number | null,
): string {
  const w = t.w.activity
  const when = (start = ''): string => (interval === 'day' ? t.day(start) : t.bucket(start, interval))
  return [
    ...(peak === null ? [] : [t.say(w.peak, { n: peak.count, when: when(starts[peak.index]) })]),
    ...(last === null ? [] : [t.say(w.last[interval], { n: last })]),
  ].join(' ')
}

/** Numbers of the buckets that the window cuts. */
export function partialOf(timeline: Omit<Timeline, 'category' | 'count' | 'undated'>): number[] {
  const { period, interval, from, to, buckets, timeZone } = timeline
  const toMs = Date.parse(to)
  const { fromMs } = windowOf(period, toMs)
  const last = buckets.length - 1
  const lastStart = Date.parse(buckets[last]?.bucket ?? to)
  const cut: number[] = []
  if (from !== null && fromMs !== null && Date.parse(buckets[0]?.bucket ?? from) < fromMs) cut.push(0)
  if (last > 0 && timeZoneOf({ timeZone }).after(interval, lastStart) > toMs) cut.push(last)
  return cut
}

function numbers(page: Page, { buckets, interval }: Timeline): Markup {
  const { t } = page
  const w = t.w.activity
  return table(page, 'activity-table', `${w.heading}, ${t.say(w.buckets[interval])}`, buckets.toReversed(), [
    [t.say(w.when), ({ bucket }) => t.bucket(bucket, interval), 'time'],
    ...SERIES.map((series): Column<TimelineCounts & { readonly bucket: string }> => [
      t.w.totals[series],
      (row) => row[series],
    ]),
  ])
}

function withoutDate({ t }: Page, { undated }: Timeline): Content {
  const list = SERIES.filter((series) => undated[series] > 0).map(
    (series) => `${t.w.totals[series]} (${t.number(undated[series])})`,
  )
  return list.length > 0 && html`<p class="remark">${t.say(t.w.activity.undated, { list: t.list(list) })}</p>`
}
