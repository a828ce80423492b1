// Owns how far the past of a candidate differs from the one that the current release kept, and when that is too far. Pure:
// rows by month in, revisions and sentences out.
import {
  COUNTED_RELATIONS,
  type CountedRelation,
  type MonthlyRows,
  type Past,
  type RowsByMonth,
} from '../../model/rows-by-month.ts'
import { UTC, type TimeZone } from '../../contract/time-zone.ts'
import type { IdeaField } from '../../model/idea-sample.ts'
import { count, some } from '../../process/printable.ts'
import { IDEA_SENTENCES, ideaRevisionsOf } from './idea-revisions.ts'

/** One month of a relation that is not what it was; `month` null = the rows without a date. */
export interface RevisedMonth {
  readonly month: string | null
  readonly was: number
  readonly is: number
}

/** What changed in a relation before the cut of the current release. */
export interface Revision {
  readonly relation: CountedRelation | IdeaField
  /** The rows that it had. */
  readonly had: number
  readonly has: number
  /** The sum over the months of |is - was|; of single ideas what is another's, or other than it was. */
  readonly rows: number
  /** Those that differ, the largest difference first; none of single ideas. */
  readonly months: readonly RevisedMonth[]
}

/** A revision of this many rows or fewer is never too large: small sites change by large percentages. */
const SMALL_ROWS = 20
/** All of so many rows that are gone, or of ideas that became others, are too many also below that. */
const ALL_ROWS = 5
/** A month with this many rows may not change by more than half, however small its part of the whole is. */
const LARGE_MONTH_ROWS = 100

/**
 * The revisions of all relations, in the order of COUNTED_RELATIONS; then those of single ideas where both have a sample.
 * @param kept what the current release counted before its own cut
 * @param now what the candidate counted before the same instant
 * @param seenMs before it the candidate has read every row: its own cut
 */
export function revisionsOf(kept: RowsByMonth, now: RowsByMonth, seenMs: number, zone: TimeZone = UTC): Revision[] {
  // A standby that fell further behind than the last one has not seen the latest rows yet: their absence is no revision.
  const isSeen = (month: string): boolean =>
    kept.beforeMs <= seenMs || month < zone.dayOf(seenMs).slice(0, month.length)
  const byMonth = COUNTED_RELATIONS.map((relation) => {
    const [a, b] = [kept.relations[relation], now.relations[relation]]
    const months = [...monthsOf(a, b, isSeen), ...undatedOf(a, b, kept.beforeMs <= seenMs)].sort(
      (x, y) => differenceOf(y) - differenceOf(x) || ((x.month ?? '') < (y.month ?? '') ? -1 : 1),
    )
    const rows = months.reduce((sum, one) => sum + differenceOf(one), 0)
    return { relation, had: totalOf(a), has: totalOf(b), rows, months }
  })
  return [...byMonth, ...ideaRevisionsOf(kept.sample, now.sample).map((one) => ({ ...one, months: [] }))]
}

function monthsOf(then: MonthlyRows, now: MonthlyRows, isSeen: (month: string) => boolean): RevisedMonth[] {
  const names = new Set([...Object.keys(then.months), ...Object.keys(now.months)])
  return [...names]
    .map((month) => ({ month, was: then.months[month] ?? 0, is: now.months[month] ?? 0 }))
    .filter((one) => one.is > one.was || (one.is < one.was && isSeen(one.month)))
}

/**
 * Rows without a date are of no instant: those that were added since are among them. Where no row of a relation has a date
 * (votes that are kept as a counter), more of them is growth; elsewhere it is dates that were lost.
 */
function undatedOf(then: MonthlyRows, now: MonthlyRows, isSeen: boolean): RevisedMonth[] {
  const grows = [then, now].every(({ months }) => Object.keys(months).length === 0)
  const isRevision = now.undated > then.undated ? !grows : now.undated < then.undated && isSeen
  return isRevision ? [{ month: null, was: then.undated, is: now.undated }] : []
}

function differenceOf({ was, is }: RevisedMonth): number {
  return Math.abs(is - was)
}

function totalOf({ undated, months }: MonthlyRows): number {
  return Object.values(months).reduce((sum, rows) => sum + rows, undated)
}

/** Sentences with the reasons to reject; none = the past is still what it was. */
export function revisionReasons(revisions: readonly Revision[], maxPercent: number): string[] {
  const reasons = revisions.flatMap((one) => {
    const isAll = one.rows >= ALL_ROWS && one.rows === one.had
    const isGone = isAll && one.has === 0
    const isLarge = (isGone || one.rows > SMALL_ROWS) && one.rows * 100 > maxPercent * one.had
    const ofIdeas = IDEA_SENTENCES.get(one.relation)
    if (ofIdeas !== undefined) return isLarge || isAll ? [aboutIdeas(one, ofIdeas, maxPercent)] : []
    const months = isLarge ? one.months : one.months.filter(isHalved)
    if (months.length === 0) return []
    const limit = isLarge ? `, allowed ${maxPercent} %)` : `), but a month of ${LARGE_MONTH_ROWS} or more by over half`
    return `${about(one)}${limit}: ${monthsText(months)}`
  })
  return reasons.map((text, i) =>
    i < reasons.length - 1
      ? text
      : `${text}; is it an import, a purge, or a condition or join of the mapping? If it is correct, build once with --accept-revision`,
  )
}

function aboutIdeas({ relation, rows, had }: Revision, changed: string, maxPercent: number): string {
  return `${relationName(relation)}: ${count(rows)} of ${count(had)} ${changed} (${percentText(rows, had)}, allowed ${maxPercent} %)`
}

function isHalved(one: RevisedMonth): boolean {
  return one.month !== null && one.was >= LARGE_MONTH_ROWS && 2 * differenceOf(one) > one.was
}

function about({ relation, rows, had }: Revision): string {
  return `${relationName(relation)}: the past changed by ${count(rows)} of ${count(had)} rows (${percentText(rows, had)}`
}

/** `20.0 %`, rounded up: a little over a limit is more than the limit. */
export function percentText(rows: number, had: number): string {
  return had === 0 ? 'there were none' : `${(Math.ceil((rows * 1000) / had) / 10).toFixed(1)} %`
}

const NAMES: Readonly<Record<string, string>> = {
  launchedIdeas: 'launched ideas',
  ideaCategories: 'categories of ideas',
  ideaVotes: 'votes of ideas',
  ideaComments: 'comments of ideas',
}

export function relationName(relation: string): string {
  return NAMES[relation] ?? relation
}

const MONTHS_NAMED = 3

export function monthsText(months: readonly RevisedMonth[]): string {
  return some(
    months.map(({ month, was, is }) => `${month ?? 'undated'} ${count(was)} to ${count(is)}`),
    MONTHS_NAMED,
  )
}

/** @returns null where the candidate has counted nothing to compare */
export function revisionsSince(kept: RowsByMonth, { own, earlier }: Past, zone: TimeZone = UTC): Revision[] | null {
  return earlier?.beforeMs === kept.beforeMs ? revisionsOf(kept, earlier, own.beforeMs, zone) : null
}
