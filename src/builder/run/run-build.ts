// Owns one build from the lock to its end: tidying up, the three steps (stage, judge, publish), and trying again. Parses no command
// line.
import { orLog } from '../../process/log.ts'
import { finishClosing } from '../../release/past/forget.ts'
import { takeLock, type Holder } from '../../release/writing/lock.ts'
import { CODINGS } from '../../release/format/coding.ts'
import { forgetPasts } from '../../release/writing/kept-past.ts'
import type { Pin } from '../../release/past/journal.ts'
import { onReleaseError, ReleaseError } from '../../release/format/release-error.ts'
import { attemptEach } from '../../release/writing/removal.ts'
import { removeDrafts } from '../../release/writing/state.ts'
import { removeLeftovers, Staging } from '../../release/writing/staging.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { BuildContext, BuildEffects, BuildRequest } from './context.ts'
import { judgeCandidate, type JudgedCandidate } from './judge.ts'
import { publishCandidate, rejectCandidate, type AfterSwitch } from './publish.ts'
import { publishTo } from './publish-to.ts'
import { startDeadline } from './session.ts'
import { stageCandidate } from './stage.ts'
import { showLog, warnOfPinnedPast, warnOfSurprises } from './warnings.ts'
import { STAGING_PREFIX } from '../../release/format/paths.ts'
import { NO_BASE, readBase, withPast, type Base } from '../past/current.ts'

export interface BuildReport
  extends
    Pick<JudgedCandidate, 'manifest' | 'closed' | 'suspects' | 'revisions' | 'notes'>,
    Pick<AfterSwitch, 'pruned' | 'afterPublish'> {
  /** Why the past was not compared; null = it was, or the site is closed. */
  readonly withoutPast: string | null
  /** From connecting until all is done here: without attempts before, an upload, and the command of --after-publish. */
  readonly seconds: number
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
    effects.progress.clear()
    await lock.release()
    hasEnded()
  }
}

/** Where a build publishes nothing new: what an earlier one could not publish. Its failure is not that of the build. */
async function goOnPublishing(build: BuildContext, level: 'info' | 'warn'): Promise<void> {
  const { paths, publish } = build.request
  const failed = await publishTo(paths, publish, { atOnce: false, acceptSite: false }, build)
  if (failed !== null) build.log[level]({}, failed.message)
}

/** Removes what earlier builds left, which is never served: a site that has closed must close where that fails, too. */
async function tidyUp({ request, log, signal }: BuildContext): Promise<Base> {
  const { paths } = request
  const tidy = (): Promise<void> =>
    attemptEach([() => removeLeftovers(paths, STAGING_PREFIX), () => removeDrafts(paths)], (step) => step())
  await orLog(log, 'warn', 'cannot remove what a killed build left', tidy)
  const unreadable = onReleaseError((error): Base => ({ ...NO_BASE, unreadable: error }))
  const base = await readBase(request, log).catch(unreadable)
  // A build that closed the site was killed, or somebody put an older release back.
  const finish = (): Promise<string[]> => finishClosing(paths, base.current, signal)
  const removed = await orLog(log, 'error', 'cannot remove what a closed site must not show', finish)
  if (removed !== null && removed.length > 0)
    log.warn({ removed }, 'removed what a site that is closed to visitors must not show')
  const known = await withPast(base, paths).catch(unreadable)
  // Where the base cannot be read, the site may have closed: then its days must not be shown again.
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

/** The three steps: a candidate is staged, judged, and published; or rejected; or, below a pin, discarded. */
async function attemptOnce(build: BuildContext, base: Base, staging: Staging): Promise<BuildOutcome> {
  const { request, log, nowMs } = build
  const startMs = performance.now()
  const candidate = await stageCandidate(build, staging, base)
  const judged = judgeCandidate(candidate, base, request, nowMs())
  const { closed, reasons } = judged
  const report = (
    after: AfterSwitch = { pruned: [], doneMs: performance.now(), afterPublish: undefined },
  ): BuildReport => ({
    ...judged,
    ...after,
    withoutPast: closed === null ? base.without : null,
    seconds: Math.round(after.doneMs - startMs) / 1000,
  })
  if (reasons.length > 0) {
    const kept = await rejectCandidate(build, judged, staging)
    return { kind: 'refused', report: report(), reasons, kept }
  }
  warnOfSurprises(judged, base, log)
  const { pin } = base.past
  if (pin !== null && closed === null) {
    await staging.discard()
    return { kind: 'held', report: report(), pin }
  }
  if (pin !== null) warnOfPinnedPast(pin, base.current, log)
  return { kind: 'published', report: report(await publishCandidate(build, base, judged, staging)) }
}
