// Owns how far the past of a candidate differs from the one that the current release kept, and when that is too far. Pure:
// rows by month in, revisions and sentences out.
import {
  COUNTED_RELATIONS,
  type CountedRelation,
  type MonthlyRows,
  type CountedPast,
  type RowsByMonth,
} from '../../model/rows-by-month.ts'
import { UTC, type TimeZone } from '../../contract/time-zone.ts'
import type { IdeaField } from '../../model/idea-sample.ts'
import { count, some } from '../../process/printable.ts'
import { IDEA_SENTENCES, ideaRevisionsOf, type IdeaRevision } from './idea-revisions.ts'

/** In place of a month, where months do not begin when they did. */
export const ALL_MONTHS = 'all months'

/** One month of a relation that is not what it was, or ALL_MONTHS; `month` null = the rows without a date. */
export interface RevisedMonth {
  readonly month: string | null
  readonly was: number
  readonly is: number
}

/** What changed in a relation before the cut of the current release. */
export interface Revision extends Omit<IdeaRevision, 'relation'> {
  readonly relation: CountedRelation | IdeaField
  /** Those that differ, the largest difference first; none of single ideas. */
  readonly months: readonly RevisedMonth[]
}

/** A revision of this many rows or fewer is never too large: small sites change by large percentages. */
const SMALL_ROWS = 20
/** All of so many rows that are gone, or of ideas that became others, are too many also below that. */
const ALL_ROWS = 5
/** A month with this many rows may not change by more than half, however small its part of the whole is. */
const LARGE_MONTH_ROWS = 100
/** Rows without a date may become so many more, or twice as many: votes that are kept as a counter have no month. */
const MANY_UNDATED_ROWS = 1000

/**
 * The revisions of all relations, in the order of COUNTED_RELATIONS; then those of single ideas where both have a sample.
 * @param kept what the current release counted before its own cut; absent = nothing
 * @param past what the candidate counted before the same instant, and before its own cut, until which it has read every row
 * @returns null where the candidate has counted nothing to compare
 */
export function revisionsSince(
  kept: RowsByMonth | undefined,
  past: CountedPast | null,
  zone: TimeZone = UTC,
): Revision[] | null {
  const [now, seenMs = 0] = [past?.earlier, past?.own.beforeMs]
  if (kept === undefined || now?.beforeMs !== kept.beforeMs) return null
  // A standby that fell further behind than the last one has not seen the latest rows yet: their absence is no revision.
  const isAllSeen = kept.beforeMs <= seenMs
  const isSeen = (month: string): boolean => isAllSeen || month < zone.dayOf(seenMs).slice(0, month.length)
  const isByMonth = haveSameMonths(kept, now)
  const byMonth = COUNTED_RELATIONS.flatMap((relation) => {
    const [a, b] = [kept.relations[relation], now.relations[relation]]
    // Somebody may be active in two months, and in one of another zone.
    if (a === null || b === null || (relation === 'activeUsers' && !isByMonth)) return []
    const dated = isByMonth ? monthsOf(a, b, isSeen) : monthsOf(asOne(a), asOne(b), isSeen)
    const months = [...dated, ...undatedOf(a, b, isAllSeen)].sort(
      (x, y) => differenceOf(y) - differenceOf(x) || ((x.month ?? '') < (y.month ?? '') ? -1 : 1),
    )
    const rows = months.reduce((sum, one) => sum + differenceOf(one), 0)
    return [{ relation, had: totalOf(a), has: totalOf(b), rows, months }]
  })
  return [...byMonth, ...ideaRevisionsOf(kept.sample, now.sample).map((one) => ({ ...one, months: [] }))]
}

/** Whether months begin when they did, so that what is of one is of the same one now; or nothing is compared. */
export function haveSameMonths(a: RowsByMonth | undefined, b: RowsByMonth | null | undefined): boolean {
  return a === undefined || b == null || a.monthStarts === b.monthStarts
}

/** Its name sorts after that of any month: not before what was seen. */
function asOne({ undated, months }: MonthlyRows): MonthlyRows {
  return { undated, months: { [ALL_MONTHS]: totalOf({ undated: 0, months }) } }
}

function monthsOf(then: MonthlyRows, now: MonthlyRows, isSeen: (month: string) => boolean): RevisedMonth[] {
  const names = new Set([...Object.keys(then.months), ...Object.keys(now.months)])
  return [...names]
    .map((month) => ({ month, was: then.months[month] ?? 0, is: now.months[month] ?? 0 }))
    .filter((one) => one.is > one.was || (one.is < one.was && isSeen(one.month)))
}

/**
 * Rows without a date are of no instant: those that were added since are among them. Where no row of a relation has a date
 * (votes that are kept as a counter), more of them is growth unless it is a jump; elsewhere it is dates that were lost.
 */
function undatedOf(then: MonthlyRows, now: MonthlyRows, isSeen: boolean): RevisedMonth[] {
  const grows = [then, now].every(({ months }) => Object.keys(months).length === 0)
  const one = { month: null, was: then.undated, is: now.undated }
  const isRevision = one.is > one.was ? !grows || isJump(one) : one.is < one.was && isSeen
  return isRevision ? [one] : []
}

function isJump({ month, was, is }: RevisedMonth): boolean {
  return month === null && is > 2 * was && is - was > MANY_UNDATED_ROWS
}

function differenceOf({ was, is }: RevisedMonth): number {
  return Math.abs(is - was)
}

function totalOf({ undated, months }: MonthlyRows): number {
  return Object.values(months).reduce((sum, rows) => sum + rows, undated)
}

/**
 * Sentences with the reasons to reject; none = the past is still what it was.
 * @param changes what changed besides the data, as sentences; the last one says what to do
 */
export function revisionReasons(
  revisions: readonly Revision[],
  maxPercent: number,
  changes: readonly string[] = [USUAL_CAUSES],
): string[] {
  const merged = revisions.find(({ relation }) => relation === 'ideaVotes')?.hint
  const reasons = revisions.flatMap((one) => {
    const isMerge = one.relation === 'ideas' && one.has < one.had
    return reasonOf(isMerge && merged !== undefined ? { ...one, hint: merged } : one, maxPercent) ?? []
  })
  const last = Math.min(reasons.length, REASONS_SHOWN) - 1
  return reasons.map((text, i) => (i === last ? [text, ...changes].join('; ') : text))
}

/** A line of a log or a note is short, however much is wrong. */
export const REASONS_SHOWN = 5

export const USUAL_CAUSES =
  'is it an import, a purge, or a condition or join of the mapping? If it is correct, build once with --accept-revision'

function reasonOf(one: Revision, maxPercent: number): string | null {
  const { relation, rows, had, has, hint } = one
  const isAll = rows >= ALL_ROWS && rows === had
  const isLarge = ((isAll && has === 0) || rows > SMALL_ROWS) && rows * 100 > maxPercent * had
  const ofIdeas = IDEA_SENTENCES.get(relation)
  const months = one.months.filter((month) => isLarge || isHalved(month) || isJump(month))
  if (ofIdeas === undefined ? months.length === 0 : !isLarge && !isAll) return null
  const what = ofIdeas ?? (relation === 'activeUsers' ? 'by month' : 'rows')
  const but = months.some(isHalved)
    ? `a month of ${LARGE_MONTH_ROWS} or more by over half`
    : `those without a date more than doubled`
  const limit = isLarge || ofIdeas !== undefined ? `, allowed ${maxPercent} %)` : `), but ${but}`
  const size = `${count(rows)} of ${count(had)} ${what} (${percentText(rows, had)}${limit}`
  const text = ofIdeas === undefined ? `the past changed by ${size}: ${monthsText(months)}` : size
  return `${relationName(relation)}: ${text}${hint === undefined ? '' : `, ${hint}`}`
}

function isHalved(one: RevisedMonth): boolean {
  return one.month !== null && one.was >= LARGE_MONTH_ROWS && 2 * differenceOf(one) > one.was
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
  activeUsers: 'active people',
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
