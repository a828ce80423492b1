// Owns the rules inside one timeline, and what is kept of it: its counts by bucket. Pure: a document in, a timeline or a
// sentence out. Knows no other document.
import { LATEST_CLOCK_MS } from '../../contract/day-slices.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { bucketsOf, EARLIEST_DATE_MS, monthStartOf, type Interval, type Period } from '../../contract/windows.ts'
import { count } from '../../process/printable.ts'
import { NESTED } from './quantities.ts'
import { isCount } from '../format/is-count.ts'
import { countFault, fieldsOf, listOf, shown, type Fields } from './stated.ts'

export interface Span {
  readonly period: Period
  readonly interval: Interval
}

/** Of a timeline, and of anything that is counted by bucket. */
export interface Counted {
  /** The names of the buckets, ascending: one array for all timelines with the same buckets. */
  readonly labels: readonly string[]
  /** For each bucket the fields of NESTED. */
  readonly counts: Float64Array
}

export interface Timeline extends Counted {
  /** The window begins inside the first bucket. */
  readonly isCut: boolean
  /** Over all buckets, by the fields of NESTED, as are the next two. */
  readonly sums: Float64Array
  readonly undated: Float64Array
  /** At the end of the last bucket. */
  readonly totals: Float64Array
}

const WIDTH = NESTED.length
const TOTALS = ['totalIdeas', 'totalVotes', 'totalComments', 'totalLaunchedIdeas'] as const

/**
 * Writes the fields of NESTED of a row behind one another.
 * @returns whether they are counts. Each is named: there are millions, and a computed key takes several times as long.
 */
export function countsInto(into: Float64Array, at: number, row: Fields): boolean {
  const { ideas, votes, comments, launchedIdeas } = row
  return isWritten(into, at, ideas, votes, comments, launchedIdeas)
}

function totalsInto(into: Float64Array, at: number, row: Fields): boolean {
  const { totalIdeas, totalVotes, totalComments, totalLaunchedIdeas } = row
  return isWritten(into, at, totalIdeas, totalVotes, totalComments, totalLaunchedIdeas)
}

function isWritten(into: Float64Array, at: number, a: unknown, b: unknown, c: unknown, d: unknown): boolean {
  if (!isCount(a) || !isCount(b) || !isCount(c) || !isCount(d)) return false
  into[at] = a
  into[at + 1] = b
  into[at + 2] = c
  into[at + 3] = d
  return true
}

interface Labels {
  readonly labels: readonly string[]
  readonly isCut: boolean
}

/** Reads timelines. Those of 20,000 categories have the same buckets, whose names are made once. */
export class TimelineReader {
  readonly #labels = new Map<string, Labels | string>()

  /** @returns a sentence where the document contradicts itself */
  read(document: Fields, span: Span): Timeline | string {
    const rows = listOf(document['buckets'])
    if (document['count'] !== rows.length)
      return `its count is ${shown(document['count'])} of ${count(rows.length)} buckets`
    const expected = this.#labelsOf(span, shown(document['to']), rows[0]?.['bucket'])
    if (typeof expected === 'string') return expected
    const undated = new Float64Array(WIDTH)
    const withoutDate = fieldsOf(document['undated'])
    if (!countsInto(undated, 0, withoutDate)) return countFault(withoutDate, NESTED, () => 'undated') ?? ''
    return labelFault(rows, expected.labels) ?? timelineOf(rows, expected, undated, span)
  }

  #labelsOf(span: Span, to: string, first: unknown): Labels | string {
    const key = `${span.period} ${span.interval} ${to} ${span.period === 'all' ? shown(first) : ''}`
    let labels = this.#labels.get(key)
    if (labels === undefined) this.#labels.set(key, (labels = expectedLabels(span, to, first)))
    return labels
  }
}

/** The buckets of a window follow from its end; those of `all` also from where they begin. */
function expectedLabels({ period, interval }: Span, to: string, first: unknown): Labels | string {
  const toMs = Date.parse(to)
  if (!(toMs > EARLIEST_DATE_MS && toMs < LATEST_CLOCK_MS)) return `its to is ${to}`
  const firstMs = first === undefined ? null : Date.parse(shown(first))
  if (period === 'all' && firstMs !== null && !(firstMs >= EARLIEST_DATE_MS && monthStartOf(firstMs) === firstMs))
    return `its first bucket is ${shown(first)}, where no month since 1990 begins`
  const buckets = bucketsOf(period, toMs, firstMs, interval)
  const [one] = buckets
  return {
    labels: buckets.map(({ startMs }) => formatTimestamp(startMs)),
    isCut: one !== undefined && one.fromMs > one.startMs,
  }
}

function labelFault(rows: readonly Fields[], labels: readonly string[]): string | null {
  if (rows.length !== labels.length) return `${count(rows.length)} buckets, its window has ${count(labels.length)}`
  const wrong = rows.findIndex(({ bucket }, i) => bucket !== labels[i])
  return wrong < 0 ? null : `bucket ${count(wrong + 1)} is ${shown(rows[wrong]?.['bucket'])}, not ${labels[wrong]}`
}

function timelineOf(
  rows: readonly Fields[],
  labels: Labels,
  undated: Float64Array,
  { period }: Span,
): Timeline | string {
  const counts = new Float64Array(WIDTH * rows.length)
  const totals = new Float64Array(WIDTH * rows.length)
  for (let i = 0; i < rows.length; i += 1) {
    const row = rows[i] ?? {}
    if (countsInto(counts, i * WIDTH, row) && totalsInto(totals, i * WIDTH, row)) continue
    const where = (): string => `bucket ${labels.labels[i]}`
    return countFault(row, NESTED, where) ?? countFault(row, TOTALS, where) ?? ''
  }
  const fault = totalsFault(labels.labels, counts, totals, undated, period === 'all')
  if (fault !== null) return fault
  const sums = new Float64Array(WIDTH)
  for (let i = 0; i < counts.length; i += 1) sums[i % WIDTH] = (sums[i % WIDTH] ?? 0) + (counts[i] ?? 0)
  return { ...labels, counts, sums, undated, totals: rows.length === 0 ? undated : totals.slice(-WIDTH) }
}

/** A total is the one before and what its bucket counts; before the buckets of `all` there is only what has no date. */
function totalsFault(
  labels: readonly string[],
  counts: Float64Array,
  totals: Float64Array,
  undated: Float64Array,
  isAll: boolean,
): string | null {
  for (let i = 0; i < counts.length; i += 1) {
    const [counted, total] = [counts[i] ?? 0, totals[i] ?? 0]
    const isFirst = i < WIDTH
    const before = (isFirst ? undated[i] : totals[i - WIDTH]) ?? 0
    const isOpen = isFirst && !isAll
    if (isOpen ? total >= before + counted : total === before + counted) continue
    const field = i % WIDTH
    return `bucket ${labels[(i - field) / WIDTH]}: its ${TOTALS[field]} is ${count(total)}, but ${count(counted)} ${NESTED[field]} and the ${count(before)} ${isFirst ? 'undated' : 'before'} are ${isOpen ? 'already ' : ''}${count(before + counted)}`
  }
  return null
}
