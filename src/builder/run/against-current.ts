// Owns the comparison of a candidate with the current release and with the builder's clock: the gate's rules that look
// beyond the candidate. Pure: manifests in, reasons out.
import { age } from '../../process/age.ts'
import type { Manifest, ManifestTotals } from '../../release/format/manifest.ts'

export interface ComparisonOptions {
  readonly maxDropPercent: number
  readonly acceptDrop: boolean
  /** The builder's clock, epoch ms. */
  readonly nowMs: number
}

/** A fall by this many rows or fewer is never rejected: small sites change by large percentages. */
const SMALL_DROP_ROWS = 20
/** How far the database's clock may be from the builder's. */
const CLOCK_APART_MS = 5 * 60_000

const GUARDED = ['users', 'ideas', 'votes', 'comments', 'launchedIdeas'] as const satisfies (keyof ManifestTotals)[]

/** What of a release is compared. */
export type ReleaseSummary = Pick<Manifest, 'id' | 'dataAsOf' | 'generatedAt' | 'mapping' | 'rows' | 'closed'>

/** Sentences with the reasons to reject; none = the comparison allows it. */
export function againstCurrent(
  candidate: ReleaseSummary,
  current: ReleaseSummary | null,
  options: ComparisonOptions,
): string[] {
  // A wrong clock must not keep a closed site public, and its release has no totals to compare.
  if (candidate.closed === true) return []
  const reasons: string[] = []
  const asOfMs = Date.parse(candidate.dataAsOf)
  if (asOfMs > options.nowMs + CLOCK_APART_MS)
    reasons.push(
      `dataAsOf ${candidate.dataAsOf} is over 5 minutes ahead of this machine's clock; set one of the two clocks`,
    )
  // Totals are compared only if mapping and parameters are the same and the current release is not of a closed site.
  if (
    current === null ||
    current.closed === true ||
    current.mapping.sha256 !== candidate.mapping.sha256 ||
    current.mapping.name !== candidate.mapping.name
  )
    return reasons
  const currentMs = Date.parse(current.dataAsOf)
  if (asOfMs < currentMs)
    reasons.push(
      `dataAsOf ${candidate.dataAsOf} is before that of the current release, ${current.dataAsOf}; ${whyBefore(candidate, currentMs)}`,
    )
  // The same instant with the same content is the same release again, which changes nothing.
  if (asOfMs === currentMs && candidate.id !== current.id)
    reasons.push(
      `dataAsOf ${candidate.dataAsOf} is that of the current release, ${current.id}, but has different content; build again with a later dataAsOf`,
    )
  if (!options.acceptDrop) reasons.push(...drops(candidate.rows, current.rows, options.maxDropPercent))
  return reasons
}

/** dataAsOf is the database's clock, and generatedAt the builder's, read just after it. */
function whyBefore({ dataAsOf, generatedAt }: ReleaseSummary, currentMs: number): string {
  const builderMs = Date.parse(generatedAt)
  if (builderMs < currentMs)
    return `so is this machine's clock, ${generatedAt}: the current release was made when a clock was ahead; wait until ${new Date(currentMs).toISOString()}, or roll back to an older release, then resume`
  return `the database's clock was set back, and is ${age(builderMs - Date.parse(dataAsOf))} behind this machine's, ${generatedAt}: set the clock of the database's server (is it synchronised, and is this the server of the last build?), then build again`
}

/** The gate accepts it, but each release is old when it appears: the database's clock is behind. */
export function clockWarning({ dataAsOf, generatedAt }: ReleaseSummary): string | null {
  const behindMs = Date.parse(generatedAt) - Date.parse(dataAsOf)
  return behindMs <= CLOCK_APART_MS
    ? null
    : `the database's clock, ${dataAsOf}, is ${age(behindMs)} behind this machine's, ${generatedAt}: rows with the date of a correct clock do not count yet; set the clock of the database's server`
}

function drops(now: ManifestTotals, before: ManifestTotals, maxDropPercent: number): string[] {
  const fallen = GUARDED.flatMap((key) => {
    const [last, next] = [before[key], now[key]]
    // People who are not published as a number: before rounding, the gate's other rules see them.
    if (last === null || next === null) return []
    const lost = last - next
    if (lost <= SMALL_DROP_ROWS || lost * 100 <= maxDropPercent * last) return []
    const percent = ((lost * 100) / last).toFixed(1)
    return `${key} fell from ${last} to ${next} (-${percent} %, allowed -${maxDropPercent} %)`
  })
  return fallen.map((text, i) =>
    i < fallen.length - 1 ? text : `${text}; if that is correct, build once with --accept-drop`,
  )
}
