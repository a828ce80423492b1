// Owns the rules between the timelines and the outcomes of one set of ideas: all of the site, or those of a category. Pure:
// what was read of documents in, sentences out.
import { ownInterval, PERIODS, spanName, windowOf, type Interval, type Period } from '../../contract/windows.ts'
import { formatTimestamp } from '../../contract/timestamp.ts'
import { count } from '../../process/printable.ts'
import { cohortName, outcomeTotals, type Outcomes, type OutcomesReader } from './outcome-rules.ts'
import { NESTED } from './quantities.ts'
import { differing, fieldsOf, firstOf, shown, type Fields, type Stated } from './stated.ts'
import type { Counted, Timeline, TimelineReader } from './timeline-rules.ts'

const WIDTH = NESTED.length

/** Something that counts buckets, and the first of them that it counts wholly. */
export interface Source extends Counted {
  readonly where: string
  readonly from: number
}

export function sourceOf(where: string, timeline: Timeline): Source {
  return { where, ...timeline, from: timeline.isCut ? 1 : 0 }
}

/** All sources must count a bucket in the same way; null = they do. They all end with the bucket of dataAsOf. */
export function bucketsFault(sources: readonly Source[], name = ''): string | null {
  const last = sources[0]?.labels.at(-1)
  const same = sources.filter(({ labels }) => last !== undefined && labels.at(-1) === last)
  if (same.length < 2 || areEqual(same)) return null
  return firstOf(bucketFaults(same, name), 'bucket')[0] ?? null
}

/** As nearly always. The other way needs lists for each bucket. */
function areEqual(sources: readonly Source[]): boolean {
  const longest = sources.reduce((one, other) => (wholeBuckets(other) > wholeBuckets(one) ? other : one))
  return sources.every(({ counts, from }) => {
    const ahead = longest.counts.length - counts.length
    for (let i = Math.max(from * WIDTH, longest.from * WIDTH - ahead); i < counts.length; i += 1)
      if (counts[i] !== longest.counts[i + ahead]) return false
    return true
  })
}

function wholeBuckets({ labels, from }: Source): number {
  return labels.length - from
}

function* bucketFaults(sources: readonly Source[], name: string): Generator<string> {
  for (let back = 1; ; back += 1) {
    const having = sources.filter(({ labels, from }) => labels.length - back >= from)
    if (having.length < 2) return
    for (const [f, field] of NESTED.entries()) {
      const values = having.map((one) => one.counts[(one.labels.length - back) * WIDTH + f] ?? 0)
      if (values.every((value) => value === values[0])) continue
      const label = having[0]?.labels.at(-back) ?? ''
      const stated = having.map(({ where }, i) => ({ where, value: values[i] ?? 0 }))
      yield differing(`${field}${name} in bucket ${label}`, stated) ?? ''
    }
  }
}

/** The days of a month sum to it. */
export function monthsFault(months: Source, days: Source): string | null {
  const sums = new Map(months.labels.map((label) => [label.slice(0, 7), new Float64Array(WIDTH)]))
  for (const [i, label] of days.labels.entries()) {
    const sum = sums.get(label.slice(0, 7))
    if (sum === undefined) return `${days.where}: bucket ${label} is in no bucket of ${months.where}`
    for (let f = 0; f < WIDTH; f += 1) sum[f] = (sum[f] ?? 0) + (days.counts[i * WIDTH + f] ?? 0)
  }
  if (months.labels[0] !== days.labels[0])
    return `${days.where} begins with ${days.labels[0]}, ${months.where} with ${months.labels[0]}`
  const inDays: Source = { ...months, where: `the days of ${days.where}`, counts: flat([...sums.values()]) }
  return bucketsFault([months, inDays])
}

function flat(rows: readonly Float64Array[]): Float64Array {
  const all = new Float64Array(rows.length * WIDTH)
  for (const [i, row] of rows.entries()) all.set(row, i * WIDTH)
  return all
}

/** What the outcomes and the timeline of a set of ideas both tell. The sentence lacks the name of the timeline. */
export function outcomesFault(outcomes: Outcomes, timeline: Timeline): string | null {
  return createdFault(outcomes.cohorts, timeline) ?? datedFault(outcomes, timeline)
}

/** The ideas of a cohort were created in its month; those of no month have no date. */
function createdFault(cohorts: Outcomes['cohorts'], { labels, counts, undated }: Timeline): string | null {
  // Both end with the month of dataAsOf.
  const ahead = labels.length - cohorts.length + (cohorts.at(-1)?.month === null ? 1 : 0)
  for (const [i, { month, ideas }] of cohorts.entries()) {
    const created = (month === null ? undated[0] : counts[(i + ahead) * WIDTH]) ?? 0
    if (created !== ideas)
      return `${cohortName(month)} has ${count(ideas)} ideas, but ${count(created)} were created in`
  }
  return null
}

/** A launch is dated where it and its idea have a date. */
function datedFault({ cohorts, launched }: Outcomes, { undated }: Timeline): string | null {
  const launches = undated[NESTED.indexOf('launchedIdeas')] ?? 0
  const ofUndatedIdeas = cohorts.find(({ month }) => month === null)?.launchedIdeas ?? 0
  const without = launched.ideas - launched.dated
  if (without >= Math.max(launches, ofUndatedIdeas) && without <= launches + ofUndatedIdeas) return null
  return `launched.dated are ${count(launched.dated)} of ${count(launched.ideas)} ideas, but ${count(ofUndatedIdeas)} of them have no date, nor have ${count(launches)} launches of`
}

export interface CategorySet {
  readonly timelines: Readonly<Record<Period, Timeline>>
  readonly outcomes: Outcomes
}

export interface Readers {
  readonly timelines: TimelineReader
  readonly outcomes: OutcomesReader
}

/** @returns a sentence where the file of a category contradicts itself */
export function readCategory(file: Fields, category: string, readers: Readers): CategorySet | string {
  const { dataAsOf } = file
  const members = fieldsOf(file['timelines'])
  if (Object.keys(members).join() !== PERIODS.join()) return `its timelines are ${Object.keys(members).join()}`
  const timelines: Partial<Record<Period, Timeline>> = {}
  for (const period of PERIODS) {
    const member = fieldsOf(members[period])
    const read =
      aboutFault(member, period, category, dataAsOf) ??
      readers.timelines.read(member, { period, interval: ownInterval(period) })
    if (typeof read === 'string') return `timelines.${period}: ${read}`
    timelines[period] = read
  }
  const outcomes = fieldsOf(file['outcomes'])
  if (outcomes['category'] !== category) return `outcomes: its category is ${shown(outcomes['category'])}`
  const read = readers.outcomes.read(outcomes, dataAsOf)
  if (typeof read === 'string') return `outcomes: ${read}`
  const set: CategorySet = { timelines: timelines as Record<Period, Timeline>, outcomes: read }
  return totalsFault(set) ?? daysFault(set.timelines) ?? outcomesOf(set) ?? set
}

function outcomesOf({ timelines, outcomes }: CategorySet): string | null {
  const fault = outcomesFault(outcomes, timelines.all)
  return fault === null ? null : `outcomes: ${fault} timelines.all`
}

/** What a timeline repeats of the file and the member that it is. */
function aboutFault(member: Fields, period: Period, category: string, dataAsOf: unknown): string | null {
  const asOfMs = Date.parse(shown(dataAsOf))
  if (Number.isNaN(asOfMs)) return `the file's dataAsOf is ${shown(dataAsOf)}`
  const { fromMs, toMs } = windowOf(period, asOfMs)
  const says = {
    period,
    interval: ownInterval(period),
    category,
    from: fromMs === null ? null : formatTimestamp(fromMs),
    to: formatTimestamp(toMs),
  }
  for (const [key, expected] of Object.entries(says))
    if (member[key] !== expected) return `its ${key} is ${shown(member[key])}`
  return null
}

/** Each member states the same totals and the same that has no date. */
function totalsFault({ timelines, outcomes }: CategorySet): string | null {
  const inOutcomes = outcomeTotals(outcomes)
  const { totals, undated } = timelines.all
  const isSame = ({ field, value }: (typeof inOutcomes)[number]): boolean => value === totals[NESTED.indexOf(field)]
  if (inOutcomes.every(isSame) && PERIODS.every((period) => isSameIn(timelines[period], totals, undated))) return null
  for (const [f, field] of NESTED.entries()) {
    const stated = (key: 'totals' | 'undated'): Stated[] =>
      PERIODS.map((period) => ({ where: `timelines.${period}`, value: timelines[period][key][f] ?? 0 }))
    const others = inOutcomes.filter((one) => one.field === field)
    const fault =
      differing(`undated ${field}`, stated('undated')) ?? differing(`total ${field}`, [...stated('totals'), ...others])
    if (fault !== null) return fault
  }
  return null
}

function isSameIn(timeline: Timeline, totals: Float64Array, undated: Float64Array): boolean {
  for (let f = 0; f < WIDTH; f += 1)
    if (timeline.totals[f] !== totals[f] || timeline.undated[f] !== undated[f]) return false
  return true
}

function daysFault(timelines: CategorySet['timelines']): string | null {
  return bucketsFault(
    (['90d', '30d', '7d'] as const).map((period) => sourceOf(`timelines.${period}`, timelines[period])),
  )
}

export function spanNameOf({ period, interval }: { readonly period: Period; readonly interval?: Interval }): string {
  return spanName(period, interval ?? ownInterval(period))
}
