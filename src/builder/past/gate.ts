// Owns the comparison of the gate: whether a candidate may become the current release, by what is current and by the builder's
// clock. Pure: what was staged in, reasons out.
import { age } from '../../process/printable.ts'
import { isDemo, type Manifest } from '../../release/format/manifest.ts'
import { type Revision, revisionReasons } from './revision.ts'

interface ComparisonOptions {
  /** Percent. */
  readonly maxRevision: number
  readonly acceptRevision: boolean
  /** The builder's clock, epoch ms. */
  readonly nowMs: number
  /** Why the past of the current release is not compared; null = it is. */
  readonly without: string | null
  /** What changed besides the data (revisionReasons). */
  readonly changes?: readonly string[] | undefined
}

/** How far the database's clock may be from the builder's. */
const CLOCK_APART_MS = 5 * 60_000

/** What of a release is compared. */
export type ReleaseSummary = Pick<Manifest, 'id' | 'dataAsOf' | 'generatedAt' | 'mapping' | 'closed'>

/**
 * Sentences with the reasons to reject; none = the comparison allows it.
 * @param revisions of the past that the current release kept; null = it is not compared
 */
export function againstCurrent(
  candidate: ReleaseSummary,
  current: ReleaseSummary | null,
  revisions: readonly Revision[] | null,
  options: ComparisonOptions,
): string[] {
  // A wrong clock must not keep a closed site public, and its release has no rows to compare.
  if (candidate.closed === true) return []
  const reasons: string[] = []
  const asOfMs = Date.parse(candidate.dataAsOf)
  if (asOfMs > options.nowMs + CLOCK_APART_MS)
    reasons.push(
      `dataAsOf ${candidate.dataAsOf} is over 5 minutes ahead of this machine's clock; set one of the two clocks`,
    )
  if (current === null || current.closed === true || isDemo(current) !== isDemo(candidate)) return reasons
  const currentMs = Date.parse(current.dataAsOf)
  if (asOfMs < currentMs) {
    reasons.push(
      `dataAsOf ${candidate.dataAsOf} is before that of the current release, ${current.dataAsOf}; ${whyBefore(candidate, currentMs)}`,
    )
    // By this clock, some of what the current release counted has not happened yet.
    return reasons
  }
  // The same instant with the same content is the same release again, which changes nothing.
  if (asOfMs === currentMs && candidate.id !== current.id)
    reasons.push(
      `dataAsOf ${candidate.dataAsOf} is that of the current release, ${current.id}, but has different content; build again with a later dataAsOf`,
    )
  if (options.acceptRevision) return reasons
  // Only where it is lost: it was to be compared.
  if (options.without !== null && !isDemo(candidate))
    reasons.push(
      `${options.without}: put it back from a backup, or look at the new numbers (analytics-build diff current .refused-${candidate.id}) and, if they are correct, build once with --accept-revision`,
    )
  return [...reasons, ...revisionReasons(revisions ?? [], options.maxRevision, options.changes)]
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
