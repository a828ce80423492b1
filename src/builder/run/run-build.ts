// Owns one build from the lock to the switch: stage a candidate, ask the gate, promote, prune. Parses no command line.
import { timeZoneOf } from '../../contract/time-zone.ts'
import { finishClosing, forgetAllBut } from '../../release/past/forget.ts'
import { prune, type Pruned } from '../../release/writing/prune.ts'
import { takeLock, type Holder } from '../../release/writing/lock.ts'
import { isWhole } from '../../release/verify/verify.ts'
import { CODINGS } from '../../release/format/coding.ts'
import type { Manifest } from '../../release/format/manifest.ts'
import { forgetPasts, keepPast, type KeptPast } from '../../release/writing/kept-past.ts'
import { switchTo } from '../../release/writing/promote.ts'
import { daysOfLine, endedDay, readLogged } from '../../release/past/day-log.ts'
import type { Pin } from '../../release/past/journal.ts'
import { note, readPast } from '../../release/past/past.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { attemptEach } from '../../release/writing/removal.ts'
import { removeDrafts } from '../../release/writing/state.ts'
import { removeLeftovers, Staging } from '../../release/writing/staging.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { BuildContext, BuildEffects, BuildRequest } from './context.ts'
import { stageRelease } from './stage-release.ts'
import { orLog, showLog, warnOfPinnedPast, warnOfSurprises, whatChanged } from './warnings.ts'
import { tellOf } from './after-publish.ts'
import { publishTo } from './publish-to.ts'
import { REJECTED_PREFIX, STAGING_PREFIX } from '../../release/format/paths.ts'
import { startDeadline } from './session.ts'
import { keptOf, NO_BASE, readBase, withPast, type Base } from '../past/current.ts'
import { gate, type Candidate } from '../past/gate.ts'
import { revisionsSince, type Revision } from '../past/revision.ts'

export interface BuildReport extends Pick<Candidate, 'manifest' | 'closed' | 'suspects'> {
  /** What changed before the cut of the current release; null = the past was not compared. */
  readonly revisions: readonly Revision[] | null
  /** Why it was not; null = it was, or the site is closed. */
  readonly withoutPast: string | null
  /** What else changed since the current release, as sentences: the time zone, categories. */
  readonly notes: readonly string[]
  /** From connecting to the end, without attempts before. */
  readonly seconds: number
  readonly pruned: readonly string[]
  /** Whether the command of --after-publish succeeded; absent where none was run. */
  readonly afterPublish?: boolean | undefined
}

export type BuildOutcome =
  | { readonly kind: 'published'; readonly report: BuildReport }
  | {
      readonly kind: 'refused'
      readonly report: BuildReport
      readonly reasons: readonly string[]
      readonly kept: string
    }
  | { readonly kind: 'held'; readonly report: BuildReport; readonly pin: Pin }
  | { readonly kind: 'locked'; readonly holder: Holder }

/** Waits before the second, third and fourth try of a read: a restart of PostgreSQL takes a few seconds. */
const RETRY_WAITS_MS: readonly number[] = [500, 2_000, 5_000]

/**
 * One build. Whatever goes wrong, the release that was current still is.
 * @throws SourceError, ReleaseError, or the reason of `effects.signal`
 */
export async function runBuild(request: BuildRequest, effects: BuildEffects): Promise<BuildOutcome> {
  const lock = await takeLock(request.paths)
  if (!('owned' in lock)) return { kind: 'locked', holder: lock }
  const deadline = startDeadline('the build', request.deadline)
  const { leftMs } = deadline
  const hasEnded = effects.endWhenHung(leftMs)
  const build = { ...effects, request, lock, leftMs, signal: AbortSignal.any([effects.signal, deadline.signal]) }
  try {
    const outcome = await withRetries(build, await tidyUp(build))
    if (outcome.kind !== 'published') await goOnPublishing(build, 'warn')
    return outcome
  } catch (error) {
    // What is current may still have to be published.
    if (error instanceof SourceError && !build.signal.aborted) await goOnPublishing(build, 'info')
    throw error
  } finally {
    deadline.clear()
    effects.progress.clear()
    await lock.release()
    hasEnded()
  }
}

/** Where a build publishes nothing new: what an earlier one could not publish. Its failure is not that of the build. */
async function goOnPublishing(build: BuildContext, level: 'info' | 'warn'): Promise<void> {
  const { paths, publish = null } = build.request
  const failed = await publishTo(paths, publish, { atOnce: false, acceptSite: false }, build)
  if (failed !== null) build.log[level]({}, failed.message)
}

/** Removes what earlier builds left, which is never served: a site that has closed must close where that fails, too. */
async function tidyUp({ request, log, signal }: BuildContext): Promise<Base> {
  const { paths } = request
  const tidy = (): Promise<void> =>
    attemptEach([() => removeLeftovers(paths, STAGING_PREFIX), () => removeDrafts(paths)], (step) => step())
  await orLog(log, 'warn', 'cannot remove what a killed build left', tidy)
  const unreadable = (error: unknown): Base => {
    if (error instanceof ReleaseError) return { ...NO_BASE, unreadable: error }
    throw error
  }
  const base = await readBase(request, log).catch(unreadable)
  // A build that closed the site was killed, or somebody put an older release back.
  const finish = (): Promise<string[]> => finishClosing(paths, base.current, signal)
  const removed = await orLog(log, 'error', 'cannot remove what a closed site must not show', finish)
  if (removed !== null && removed.length > 0)
    log.warn({ removed }, 'removed what a site that is closed to visitors must not show')
  const known = await withPast(base, paths).catch(unreadable)
  if (known.unreadable === undefined) await showLog(paths, log)
  return known
}

/** A retry restarts the whole read in a new staging: a release is never made of two reads. */
async function withRetries(build: BuildContext, base: Base): Promise<BuildOutcome> {
  const { request, signal, log, progress, sleep } = build
  for (let attempt = 0; ; attempt++) {
    const staging = await Staging.create(request.paths, request.siblings ? CODINGS : [])
    try {
      return await attemptOnce(build, base, staging)
    } catch (error) {
      await staging.discard()
      // What was kept for the release that did not come; if it stays, the next build removes it.
      await forgetPasts(request.paths).catch(() => undefined)
      // Of a release that is current, which a bucket does not show: that is more than why it was not tried again.
      if (!(error instanceof ReleaseError)) signal.throwIfAborted()
      const waitMs = RETRY_WAITS_MS[attempt]
      if (!(error instanceof SourceError) || !error.retryable || waitMs === undefined) throw error
      progress.clear()
      log.info({ attempt: attempt + 1, waitMs }, `${error.message}; trying again`)
      await sleep(waitMs, signal)
    }
  }
}

/** Before the release can be found: one that is current without its past would be compared with nothing. */
async function noteFirst(
  { request: { paths }, nowMs, log }: BuildContext,
  { current }: Base,
  { manifest: { id, dataAsOf }, closed, carriedFrom }: Candidate,
  kept: KeptPast | null,
): Promise<void> {
  if (kept !== null) await keepPast(paths, id, kept)
  const at = new Date(nowMs()).toISOString()
  if (closed !== null) {
    // The journal begins anew when the site is closed; an error must not keep it open.
    await orLog(log, 'warn', 'the journal does not name the empty release yet', async () =>
      note(paths, await readPast(paths), { at, id }),
    )
    return
  }
  const { past } = await readLogged(paths)
  const days = daysOfLine(past, endedDay(current, Date.parse(dataAsOf)))
  // The same release again carries on what it carried on before.
  await note(paths, past, { at, id, ...(id === carriedFrom ? {} : { from: carriedFrom }), ...days })
}

/** Reads and stages a candidate; the gate decides; then it is promoted, rejected or, below a pin, discarded. */
async function attemptOnce(build: BuildContext, base: Base, staging: Staging): Promise<BuildOutcome> {
  const { request, lock, signal, log, nowMs } = build
  const startMs = performance.now()
  const candidate = await stageRelease(build, staging, base)
  const { manifest, closed, suspects } = candidate
  const revisions = revisionsSince(base.kept?.past.own, candidate.past, timeZoneOf(manifest.options))
  const kept = keptOf(base, candidate, request.mapping.asked)
  const { notes, ...changed } = whatChanged(base, candidate, request.mapping)
  const about = { manifest, closed, revisions, withoutPast: closed === null ? base.without : null, notes, suspects }
  const report = (pruned: readonly string[]): BuildReport => ({
    ...about,
    seconds: Math.round(performance.now() - startMs) / 1000,
    pruned,
  })
  const reasons = gate(candidate, base.current, revisions, { ...request, ...changed, nowMs: nowMs() })
  if (reasons.length > 0) {
    if (revisions?.some(({ relation, has, had }) => relation === 'ideas' && has < had)) reasons.push(TITLES_STAY)
    const rejected = await reject(build, manifest, kept, staging)
    return { kind: 'refused', report: report([]), reasons, kept: rejected }
  }
  warnOfSurprises(candidate, base, notes, log)
  const { pin } = base.past
  if (pin !== null) {
    if (closed === null) {
      await staging.discard()
      return { kind: 'held', report: report([]), pin }
    }
    warnOfPinnedPast(pin, base.current, log)
  }
  signal.throwIfAborted()
  if (!(await lock.owned())) throw new ReleaseError('write', 'the lock was taken over by another build; this one stops')
  await noteFirst(build, base, candidate, kept)
  await staging.promote(manifest.id, isWhole)
  await switchTo(request.paths, manifest.id, nowMs())
  if (closed === null) await showLog(request.paths, log)
  // While nothing else may change the folder. The command may purge a cache of what is published before.
  const tell = async (): Promise<boolean | undefined> => {
    const { publish = null, acceptSite = false } = request
    const failed = await publishTo(request.paths, publish, { atOnce: false, acceptSite }, build)
    const told = await tellOf(request.paths, manifest.id, request.afterPublish ?? null, build)
    if (failed !== null) throw failed
    return told
  }
  const pruned = await removeOld(build, candidate).catch(async (error: unknown) => {
    // A copy elsewhere must go all the same.
    await tell()
    throw error
  })
  return { kind: 'published', report: { ...report(pruned), afterPublish: await tell() } }
}

/** @throws ReleaseError where what visitors may no longer see, with rejected releases, stays: it is removed at once */
async function removeOld(
  { request, signal, log, nowMs }: BuildContext,
  { manifest, closed, forgotten, needed }: Candidate,
): Promise<readonly string[]> {
  if (closed !== null) return [...forgotten, ...(await forgetAllBut(request.paths, [manifest.id], signal))]
  const old = (): Promise<Pruned> => prune(request.paths, request, nowMs(), signal, needed)
  // The release is published: a failure to remove old ones is not a failure of the build.
  return (await orLog(log, 'warn', 'old releases are not pruned', old))?.removed ?? []
}

const TITLES_STAY = 'titles of ideas that are gone from the site stay public here until a build is published'

/** Keeps what the gate rejected with its past, for `diff`. @returns where it is */
async function reject(
  { request: { paths }, log }: BuildContext,
  { id }: Manifest,
  past: KeptPast | null,
  staging: Staging,
): Promise<string> {
  const kept = await staging.reject(id, ({ message }) =>
    log.warn({}, `an older rejected candidate is not removed: ${message}`),
  )
  const failed = 'diff cannot show the rejected candidate by month'
  if (past !== null) await orLog(log, 'warn', failed, () => keepPast(paths, `${REJECTED_PREFIX}${id}`, past))
  return kept
}
