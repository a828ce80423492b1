// Owns what each mark of a site must be, whatever the site: its number, none above a labelled peak, and no series that is shorter than
// its data without words that say since when. Not a test.
import { expect } from 'vitest'
import { peopleBuckets, peopleTime } from '../../src/contract/people.ts'
import { timeZoneOf } from '../../src/contract/time-zone.ts'
import { bucketsOf, ownInterval, type Bucket, type Interval, type Period } from '../../src/contract/windows.ts'
import { numberReader } from '../../src/site/client/tables.ts'
import type { CategoryView } from '../../src/site/page/input.ts'
import type { Page } from '../../src/site/page/page.ts'
import { figureOfFile, figuresIn, plain, rowsOf, sectionOf, type DrawnFigure } from './drawn-marks.ts'

/** A series as it was counted, in all of its buckets. */
interface Series {
  /** Of its file. */
  readonly name: string
  readonly interval: Interval
  readonly values: readonly (number | null)[]
  /** What the documents call the buckets. */
  readonly labels: readonly string[]
  readonly isWhole: readonly boolean[]
  /** The table with the values, and how one is made of a row. */
  readonly table: string
  readonly valueOf: (row: readonly (number | null)[]) => number | null
  /** What is said where nothing was counted; null = neither that nor a peak. */
  readonly nothing: string | null
}

/** Charts that have a limit show so many months. */
const MOST = 36
const NAMES = { votes: 'votes', comments: 'comments', ideas: 'ideas', launchedIdeas: 'launched' } as const

/** Which buckets a window does not cut; a site begins with its first month. */
function wholeIn({ input }: Page, period: Period, interval: Interval, cut: readonly Bucket[]): boolean[] {
  const zone = timeZoneOf(input)
  return cut.map(
    ({ startMs, fromMs, toMs }) => (period === 'all' || fromMs === startMs) && toMs === zone.after(interval, startMs),
  )
}

export function activitySeries(
  page: Page,
  period: Period,
  earliestMs: number | null,
  of: CategoryView | null,
): Series[] {
  const { input, t } = page
  const { interval, buckets, undated } = of?.file.timelines.all ?? input.documents.timelines[period]
  const cut = bucketsOf(period, Date.parse(input.dataAsOf), earliestMs, interval, timeZoneOf(input))
  expect(buckets).toHaveLength(cut.length)
  return (['votes', 'comments', 'ideas', 'launchedIdeas'] as const).map((key, i) => ({
    name: NAMES[key],
    interval,
    values: buckets.map((bucket) => bucket[key]),
    labels: buckets.map(({ bucket }) => bucket),
    isWhole: wholeIn(page, period, interval, cut),
    table: 'activity-table',
    valueOf: (row) => row[i + 1] ?? null,
    nothing: period === 'all' && undated[key] > 0 ? '' : t.w.activity.none,
  }))
}

export function cohortSeries({ input }: Page, of: CategoryView | null): Series[] {
  const { cohorts } = of?.file.outcomes ?? input.documents.outcomes
  const dated = cohorts.filter(({ month }) => month !== null)
  const share = (launched: number | null = 0, ideas: number | null = 0): number =>
    (100 * (launched ?? 0)) / Math.max(1, ideas ?? 0)
  const shares: Series = {
    name: 'outcomes',
    interval: 'month',
    values: dated.map(({ launchedIdeas, ideas }) => share(launchedIdeas, ideas)),
    labels: dated.map(({ month }) => month ?? ''),
    isWhole: dated.map(({ ideas }, i) => i < dated.length - 1 && ideas >= 30),
    table: 'cohorts-table',
    valueOf: (row) => share(row[4], row[1]),
    nothing: null,
  }
  const hasShown = shares.values.slice(-MOST).some((value) => (value ?? 0) > 0)
  return hasShown ? [shares] : []
}

export function peopleSeries(page: Page, earliestMs: number | null): Series[] {
  const { input, t } = page
  const { users } = input.documents
  if (input.people === 'off') return []
  const period = users.all.length >= 4 ? 'all' : '30d'
  const interval = ownInterval(period)
  const time = peopleTime(input.people, Date.parse(input.dataAsOf), timeZoneOf(input))
  const cut = peopleBuckets(period, time, earliestMs)
  expect(users[period]).toHaveLength(cut.length)
  const values = users[period].map(({ activeUsers: n }) => (typeof n === 'number' ? n : null))
  return [
    {
      name: 'people',
      interval,
      values,
      labels: users[period].map(({ bucket }) => String(bucket)),
      isWhole: wholeIn(page, period, interval, cut),
      table: 'people-table',
      valueOf: (row) => row[3] ?? null,
      nothing: values.includes(null) ? t.w.people.fewOnly : t.w.activity.none,
    },
  ]
}

/** The one highest whole bucket of five, if none is higher that is not whole; and the last whole one. */
function findingOf({ t }: Page, { interval, values, labels, isWhole, nothing }: Series): string {
  const w = t.w.activity
  const counts = values.map((value) => value ?? 0)
  const highest = Math.max(0, ...counts)
  if (nothing === null || highest === 0) return nothing ?? ''
  const [index, ...equals] = counts.flatMap((n, i) => (n === highest && isWhole[i] === true ? i : []))
  const isPeak = index !== undefined && equals.length === 0 && highest >= 10 && isWhole.filter(Boolean).length >= 5
  const label = labels[index ?? 0] ?? ''
  const when = interval === 'day' ? t.day(label) : t.bucket(label, interval)
  const last = values[isWhole.lastIndexOf(true)]
  const parts = [
    isPeak ? t.say(w.peak[interval], { n: highest, when }) : '',
    counts.length > 2 && typeof last === 'number' ? t.say(w.last[interval], { n: last }) : '',
  ]
  return parts.filter((part) => part !== '').join(' ')
}

/** How many buckets a chart does not show. */
function olderIn({ name, values }: Series): number {
  return name === 'people' || name === 'outcomes' ? Math.max(0, values.length - MOST) : 0
}

/** @param rows of the table, newest first; null = there is no table beside it */
function expectFigure(
  page: Page,
  figure: DrawnFigure,
  series: Series,
  rows: readonly (readonly string[])[] | null,
): void {
  const { t } = page
  const { values, labels, interval } = series
  const older = olderIn(series)
  if (older > 0)
    expect(figure.heading).toContain(t.say(t.w.activity.spans.from, { when: t.bucket(labels[older] ?? '', interval) }))
  const shown = values.slice(older)
  const marks = [...figure.bars, ...figure.lines]
  if (rows !== null) {
    const numberOf = numberReader('', t.language)
    const read = rows.slice(-shown.length).toReversed()
    expect(
      read.map((row) => series.valueOf(row.map((cell) => (cell === t.w.totals.few ? null : numberOf(cell))))),
    ).toEqual(shown)
  }
  const highest = Math.max(0, ...shown.map((value) => value ?? 0))
  if (highest === 0) return expect(marks).toEqual([])
  if (!Number.isNaN(figure.points)) expect(figure.points).toBe(shown.length)
  const unit = Math.max(...marks.map(({ height }) => height)) / highest
  const wanted = shown.flatMap((value, index) =>
    value === null || (value === 0 && figure.lines.length === 0) ? [] : [{ index, value }],
  )
  expect(marks.map(({ index }) => index).sort((a, b) => a - b)).toEqual(
    wanted.filter(({ value }) => figure.lines.length > 0 || value * unit >= 0.05).map(({ index }) => index),
  )
  for (const { index, height, isWhole } of marks) {
    expect(Math.abs(height - (shown[index] ?? NaN) * unit), `${figure.heading} ${index}`).toBeLessThan(0.2)
    // A site with one bucket has it whole.
    if (values.length > 1) expect([index, isWhole]).toEqual([index, series.isWhole[older + index]])
  }
  expectNote(page, figure, shown, series.isWhole.slice(older))
}

/** No mark is above the labelled one, which is that of the finding. */
function expectNote(
  { t }: Page,
  figure: DrawnFigure,
  shown: readonly (number | null)[],
  isWhole: readonly boolean[],
): void {
  const { note } = figure
  if (note === null) return
  const n = shown[note.index] ?? NaN
  expect(note.text).toBe(t.number(n))
  expect(isWhole[note.index]).toBe(true)
  expect(shown.filter((value) => (value ?? 0) > n)).toEqual([])
  expect([...figure.bars, ...figure.lines].filter(({ height }) => height > note.height + 0.05)).toEqual([])
  expect(figure.finding).toContain(` ${note.text} (`)
}

/** @param html of a page */
export function expectMarks(page: Page, html: string, id: string, all: readonly Series[]): void {
  const section = sectionOf(html, id)
  const figures = figuresIn(section)
  expect(figures).toHaveLength(all.length)
  const { t } = page
  for (const [i, series] of all.entries()) {
    const figure = figures[i]
    if (figure === undefined) continue
    const rows = rowsOf(section, series.table)
    expect(figure.finding).toBe(findingOf(page, series))
    expectFigure(page, figure, series, rows)
    const isCut = figure.bars.some((mark) => !mark.isWhole) || figure.lines.some((mark) => !mark.isWhole)
    const why = figure.lines.length > 0 ? t.w.activity.dashed : t.w.activity.partial
    if (isCut && id !== 'outcomes') expect(plain(section)).toContain(why)
  }
}

/** @param svg a chart's file */
export function expectMarksOfFile(page: Page, svg: string, series: Series): void {
  const figure = figureOfFile(svg, series.values.length - olderIn(series))
  expect(figure.finding.startsWith(findingOf(page, series))).toBe(true)
  expectFigure(page, figure, series, null)
}
