// Owns the rules between the documents of a release that count over time. Pure: what was collected in, sentences out, one for
// each cause. Reads no document.
import { INTERVALS_OF, monthAfter, PERIODS, windowOf, type Interval, type Period } from '../../contract/windows.ts'
import type { Cohort, ExportRow } from '../../contract/documents.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import type { CategoryCounts } from './category-counts.ts'
import { cohortDifferences, overBuckets, type CategorySums } from './category-sums.ts'
import { COHORT_AGES, COHORT_COUNTS, cohortName, type Outcomes } from './outcome-rules.ts'
import type { OutcomeRowSums } from './row-sums.ts'
import { countOf, LISTED, NESTED, sumOf, undatedOf, type Quantity } from './quantities.ts'
import { bucketsFault, monthsFault, outcomesFault, sourceOf, spanNameOf, type Source } from './set-rules.ts'
import { firstOf } from './stated.ts'
import type { Counted, Span, Timeline } from './timeline-rules.ts'

/** What was taken of a document that does not contradict itself, and the document's path. */
interface Taken<T> {
  readonly path: string
  readonly of: T
}

/** By the name of their span or by their period. */
export interface Collected {
  readonly timelines: Map<string, Taken<Timeline>>
  readonly timelineRows: Map<string, Taken<{ readonly all: Counted; readonly categories: Counted }>>
  readonly outcomeRows: Map<Period, Taken<OutcomeRowSums>>
  outcomes: (Taken<Outcomes> & { readonly asOfMs: number }) | null
  readonly sums: CategorySums
  readonly counts: CategoryCounts
  /** Where the timelines `all` of categories begin, and the first one that begins there. */
  readonly beginnings: Map<string, string>
}

/** A value on which all documents agree; null = there is none. */
export type Agreed = (quantity: Quantity) => number | null

const SPANS: readonly Span[] = PERIODS.flatMap((period) =>
  INTERVALS_OF[period].map((interval) => ({ period, interval })),
)
const FILES = 'the files of categories'

/** @param shared ideas with several categories; null = not known */
export function* overTimeFaults(collected: Collected, agreed: Agreed, shared: number | null): Generator<string> {
  // What contradicts other documents is not compared with the categories: that would report the same cause again.
  const doubtful: Doubtful = new Set(isAgreed(agreed, 'all') ? [] : ['outcomes'])
  for (const { unit, sources } of comparable(collected)) {
    const fault = bucketsFault(sources, ' of all ideas')
    if (fault === null) continue
    doubtful.add(unit)
    yield fault
  }
  yield* rowsOfOtherBuckets(collected)
  yield* monthsFaults(collected, doubtful)
  yield* cohortRowsFaults(collected, doubtful)
  yield* beginningFaults(collected)
  const counts = countsFaults(collected, agreed)
  yield* counts
  if (counts.length > 0) return
  const isComplete = collected.sums.files > 0 && collected.sums.files === agreed(LISTED)
  yield* bucketSums(collected, isComplete, (period, unit) => doubtful.has(unit) || !isAgreed(agreed, period), shared)
  if (isComplete && !doubtful.has('outcomes')) yield* outcomeSums(collected, shared)
}

function isAgreed(agreed: Agreed, period: Period): boolean {
  return NESTED.every(
    (field) => agreed(countOf(field, period)) !== null && (period !== 'all' || agreed(undatedOf(field)) !== null),
  )
}

type Doubtful = Set<Interval | 'outcomes'>

interface Comparable {
  readonly unit: Interval
  readonly sources: readonly Source[]
}

/** Documents and exports of all ideas that count the same hours, days or months. A first day that is cut is only their own. */
function* comparable({ timelines, timelineRows }: Collected): Generator<Comparable> {
  const byUnit = new Map<Interval, Source[]>()
  for (const span of SPANS) {
    const timeline = timelines.get(spanNameOf(span))
    if (timeline === undefined) continue
    const sources = [sourceOf(timeline.path, timeline.of)]
    const rows = timelineRows.get(spanNameOf(span))
    if (rows !== undefined && areSame(rows.of.all.labels, timeline.of.labels))
      sources.push({ ...sourceOf(rows.path, timeline.of), counts: rows.of.all.counts })
    byUnit.set(span.interval, [...(byUnit.get(span.interval) ?? []), ...sources])
    if (timeline.of.isCut) yield { unit: span.interval, sources: sources.map(firstBucket) }
  }
  for (const [unit, sources] of byUnit) yield { unit, sources }
}

function firstBucket({ where, labels, counts }: Source): Source {
  return { where, labels: labels.slice(0, 1), counts: counts.subarray(0, NESTED.length), from: 0 }
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((label, i) => label === other[i])
}

function* rowsOfOtherBuckets({ timelines, timelineRows }: Collected): Generator<string> {
  for (const span of SPANS) {
    const [timeline, rows] = [timelines.get(spanNameOf(span)), timelineRows.get(spanNameOf(span))]
    if (timeline !== undefined && rows !== undefined && !areSame(rows.of.all.labels, timeline.of.labels))
      yield `${rows.path}: its rows of all ideas are not of the buckets of ${timeline.path}`
  }
}

function* monthsFaults({ timelines, outcomes }: Collected, doubtful: Doubtful): Generator<string> {
  const [months, days] = [timelines.get('all'), timelines.get('all-by-day')]
  if (months === undefined || doubtful.has('month')) return
  const fault =
    days === undefined || doubtful.has('day')
      ? null
      : monthsFault(sourceOf(months.path, months.of), sourceOf(days.path, days.of))
  if (fault !== null) {
    doubtful.add('month')
    yield fault
    return
  }
  if (outcomes === null || doubtful.has('outcomes')) return
  const outcomeFault = outcomesFault(outcomes.of, months.of)
  if (outcomeFault === null) return
  doubtful.add('outcomes')
  yield `${outcomes.path}: ${outcomeFault} ${months.path}`
}

function* cohortRowsFaults({ outcomes, outcomeRows }: Collected, doubtful: Doubtful): Generator<string> {
  if (outcomes === null || doubtful.has('outcomes')) return
  const faults = PERIODS.flatMap((period) => {
    const rows = outcomeRows.get(period)
    if (rows === undefined) return []
    const expected = outcomes.of.cohorts.filter(({ month }) => touches(month, period, outcomes.asOfMs))
    const fault = cohortRowsFault(rows.of.all, expected)
    return fault === null ? [] : [`${rows.path}: ${fault} ${outcomes.path}`]
  })
  yield* firstOf(faults, 'export')
}

/** The sentence lacks the name of the document. */
function cohortRowsFault(rows: readonly ExportRow[], expected: readonly Cohort[]): string | null {
  const columns = ['month', ...COHORT_COUNTS, ...COHORT_AGES] as const
  const wrong = expected.find((cohort, i) => columns.some((column) => rows[i]?.[column] !== cohort[column]))
  if (wrong !== undefined) return `${cohortName(wrong.month)} of all ideas is not as in`
  return rows.length === expected.length ? null : `it has more cohorts of all ideas than are in`
}

/** Whether a cohort is in the export of a period; that of no month is in `all` only. */
function touches(month: string | null, period: Period, asOfMs: number): boolean {
  const { fromMs } = windowOf(period, asOfMs)
  return fromMs === null || (month !== null && monthAfter(Date.parse(month)) > fromMs)
}

function* beginningFaults({ timelines, beginnings }: Collected): Generator<string> {
  const all = timelines.get('all')
  if (all === undefined) return
  const beginning = all.of.labels[0] ?? 'nothing'
  for (const [other, category] of [...beginnings].toSorted(([one], [another]) => (one < another ? -1 : 1)))
    if (other !== beginning)
      yield `${snapshotPath({ endpoint: 'category', category })}: its timelines.all begins with ${other}, ${all.path} with ${beginning}`
}

function countsFaults({ counts }: Collected, agreed: Agreed): string[] {
  const where = {
    categories: (_: string, period: Period) => snapshotPath({ endpoint: 'categories', period }),
    timelines: (category: string) => snapshotPath({ endpoint: 'category', category }),
    rows: (_: string, period: Period) => snapshotPath({ endpoint: 'export', type: 'timeline', period, format: 'json' }),
  }
  return counts.faults(where, (field, period) => agreed(sumOf(field, period)) !== null)
}

/** By bucket the categories sum to the same in their files and in the rows of the export, and to what all ideas have, or more. */
function* bucketSums(
  { timelines, timelineRows, sums }: Collected,
  isComplete: boolean,
  isDoubtful: (period: Period, unit: Interval) => boolean,
  shared: number | null,
): Generator<string> {
  const wrong: string[] = []
  for (const period of PERIODS) {
    const timeline = timelines.get(period)
    if (timeline === undefined) continue
    const files = isComplete ? sums.counted(period) : null
    const rows = timelineRows.get(period)
    const stated: Source[] = [
      ...(files === null ? [] : [summed(FILES, files)]),
      ...(rows === undefined ? [] : [summed(rows.path, rows.of.categories)]),
    ]
    const fault = bucketsFault(stated, ' summed over the categories')
    const [one] = stated
    if (fault !== null) yield fault
    else if (
      one !== undefined &&
      areSame(one.labels, timeline.of.labels) &&
      !isDoubtful(period, INTERVALS_OF[period][0])
    )
      wrong.push(...overBuckets(period, one, timeline.of, shared))
  }
  const all = timelines.get('all')
  if (all !== undefined && isComplete && !isDoubtful('all', 'month')) wrong.push(...sums.undatedFaults(all.of, shared))
  yield* firstOf(wrong, 'bucket')
}

function summed(where: string, counted: Counted): Source {
  return { where, ...counted, from: 0 }
}

function* outcomeSums({ outcomes, outcomeRows, sums }: Collected, shared: number | null): Generator<string> {
  if (outcomes === null) return
  const differences: string[] = []
  for (const period of PERIODS) {
    const rows = outcomeRows.get(period)
    if (rows === undefined) continue
    const months = outcomes.of.cohorts.map(({ month }) => month)
    const touching = months.filter((month) => touches(month, period, outcomes.asOfMs))
    differences.push(
      ...cohortDifferences(
        touching,
        { where: FILES, sums: sums.cohorts },
        { where: rows.path, sums: rows.of.categories },
      ),
    )
  }
  yield* firstOf(differences, 'number')
  yield* sums.outcomeFaults(outcomes.of, shared)
}
