// Owns one build from the lock to the switch: connect, read, stage, gate, publish, prune. Parses no command line.
import { VERSION } from '../../contract/endpoints.ts'
import type { Log } from '../../process/log.ts'
import { programVersion } from '../../process/package-root.ts'
import type { Progress } from '../../process/progress.ts'
import { crossCheck, missingAndSurplus } from '../../release/checks/invariants.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import { forgetAllBut } from '../../release/writing/forget.ts'
import { currentId } from '../../release/reading/release-list.ts'
import { takeLock, type Holder, type Lock } from '../../release/writing/lock.ts'
import { CODINGS, type Coding } from '../../release/format/coding.ts'
import type { Manifest } from '../../release/format/manifest.ts'
import { readManifest } from '../../release/reading/open.ts'
import { prune, readPin, switchTo, type Pin } from '../../release/writing/promote.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { Staging } from '../../release/writing/staging.ts'
import type { Closed } from '../../source/read/closed.ts'
import { connect } from '../../source/database/connect.ts'
import type { SkippedRows } from '../../source/read/skipped-rows.ts'
import { beginConsistentRead } from '../../source/read/consistent-read.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { BuildRequest } from '../commands/build-request.ts'
import { goOnClosing, makeRoom, removeLeftoversOrWarn, unlessClosing } from './closing.ts'
import { startDeadline } from './deadline.ts'
import { clockWarning, gate, type Compared } from './gate.ts'
import { produce } from './write-documents.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'

export interface BuildEffects {
  readonly nowMs: () => number
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>
  readonly log: Log
  readonly progress: Progress
  /** Aborts on Ctrl-C: nothing half done is left. */
  readonly signal: AbortSignal
}

export interface BuildReport {
  readonly manifest: Manifest
  /** The site is closed to visitors, and why; null = it is open. */
  readonly closed: Closed | null
  /** Seconds by stage of the work, in order. */
  readonly seconds: readonly (readonly [string, number])[]
  readonly pruned: readonly string[]
}

export type BuildOutcome =
  | { readonly kind: 'published'; readonly report: BuildReport }
  | {
      readonly kind: 'refused'
      readonly report: BuildReport
      readonly reasons: readonly string[]
      readonly kept: string
    }
  | { readonly kind: 'held'; readonly report: BuildReport; readonly hold: Pin }
  | { readonly kind: 'locked'; readonly holder: Holder }

/** Waits before the second, third and fourth try of a read: a restart of PostgreSQL takes a few seconds. */
const RETRY_WAITS_MS: readonly number[] = [500, 2_000, 5_000]

/**
 * One build. Whatever goes wrong, the release that was current still is.
 * @param codings of the siblings on disk; what they cost is measured by a build with none
 * @throws SourceError, ReleaseError, or the reason of `effects.signal`
 */
export async function runBuild(
  request: BuildRequest,
  effects: BuildEffects,
  codings: readonly Coding[] = CODINGS,
): Promise<BuildOutcome> {
  const lock = await takeLock(request.paths)
  if (!('release' in lock)) return { kind: 'locked', holder: lock }
  const deadline = startDeadline('the build', request.deadlineMs)
  try {
    const signal = AbortSignal.any([effects.signal, deadline.signal])
    await removeLeftoversOrWarn(request.paths, effects.log)
    const last = await lastRelease(request.paths, effects.log).catch(asValue)
    if (!(last instanceof ReleaseError) && last?.closed === true) await goOnClosing(request.paths, last.id, effects.log)
    return await withRetries(request, { ...effects, signal }, lock, last, codings)
  } finally {
    deadline.clear()
    effects.progress.clear()
    await lock.release()
  }
}

/** A retry restarts the whole read in a new stage: two instants are never mixed. */
async function withRetries(
  request: BuildRequest,
  effects: BuildEffects,
  lock: Lock,
  last: Compared | ReleaseError | null,
  codings: readonly Coding[],
): Promise<BuildOutcome> {
  for (let attempt = 0; ; attempt++) {
    const stage = await Staging.create(request.paths, codings)
    try {
      return await attemptOnce(request, effects, lock, last, stage)
    } catch (error) {
      await stage.discard()
      effects.signal.throwIfAborted()
      const waitMs = RETRY_WAITS_MS[attempt]
      if (!(error instanceof SourceError) || !error.retryable || waitMs === undefined) throw error
      effects.progress.clear()
      effects.log.warn({ attempt: attempt + 1, waitMs }, `${error.message}; trying again`)
      await effects.sleep(waitMs, effects.signal)
    }
  }
}

async function attemptOnce(
  request: BuildRequest,
  effects: BuildEffects,
  lock: Lock,
  lastOrWhyNot: Compared | ReleaseError | null,
  stage: Staging,
): Promise<BuildOutcome> {
  const clock = stopwatch()
  const { manifest, reported, closed, forgotten } = await stageRelease(request, effects, lock, stage, clock.lap)
  const report = (pruned: readonly string[]): BuildReport => ({ manifest, closed, seconds: clock.laps(), pruned })
  const last = lastOrWhyNot instanceof ReleaseError ? unlessClosing(closed)(lastOrWhyNot) : lastOrWhyNot

  const reasons = [
    ...missingAndSurplus(manifest),
    ...crossCheck(reported, manifest),
    ...gate(manifest, last, { ...request, nowMs: effects.nowMs() }),
  ]
  if (reasons.length > 0) {
    const kept = await stage.reject(manifest.id)
    return { kind: 'refused', report: report([]), reasons, kept }
  }
  warnOfSurprises(manifest, closed, last, effects.log)
  const hold = await readPin(request.paths).catch(unlessClosing(closed))
  if (hold !== null && closed !== null)
    effects.log[newsLevel(last)](
      hold,
      `published all the same: held since ${hold.since}, which goes on when the site is open again`,
    )
  else if (hold !== null) {
    await stage.discard()
    return { kind: 'held', report: report([]), hold }
  }
  effects.signal.throwIfAborted()
  if (!(await lock.owned())) throw new ReleaseError('write', 'the lock was taken over by another build; this one stops')
  await stage.promote(manifest.id)
  await switchTo(request.paths, manifest.id, effects.nowMs())
  clock.lap('publish')
  // What visitors may no longer see leaves at once, with what was refused; should that fail, so has the build.
  if (closed !== null) {
    const rest = await forgetAllBut(request.paths, [manifest.id], effects.signal)
    return { kind: 'published', report: report([...forgotten, ...rest]) }
  }
  return { kind: 'published', report: report(await pruneOrWarn(request, effects)) }
}

function asValue(error: unknown): ReleaseError {
  if (error instanceof ReleaseError) return error
  throw error
}

/** Of what is so for as long as a site is closed: a warning once, because cron mails what is warned of. */
function newsLevel(last: Compared | null): 'info' | 'warn' {
  return last?.closed === true ? 'info' : 'warn'
}

/** What the gate lets pass, and an operator would want to know. */
function warnOfSurprises(manifest: Manifest, closed: Closed | null, last: Compared | null, log: Log): void {
  const clock = clockWarning(manifest)
  if (clock !== null) log.warn({}, clock)
  if (closed !== null)
    return log[newsLevel(last)](
      closed,
      'the site is closed to visitors: this release is empty, and every other one is removed',
    )
  if (manifest.rows.ideas === 0)
    log.warn({}, 'the release holds no idea: is a parameter wrong? See analytics-build check')
  if (last === null) return
  if (last.closed === true)
    return log.warn({ now: manifest.rows }, 'the site is open again: the totals are not compared with anything')
  if (last.mapping.sha256 !== manifest.mapping.sha256)
    log.warn(
      { last: last.rows, now: manifest.rows },
      `the mapping or its parameters are not those of ${last.id}: the totals are not held against it`,
    )
}

interface Staged {
  readonly manifest: Manifest
  readonly reported: ReportedTotals
  readonly closed: Closed | null
  /** Names that are gone already, because the site is closed. */
  readonly forgotten: readonly string[]
}

/** Reads the source and seals the stage; nothing stays connected, however it ends. */
async function stageRelease(
  request: BuildRequest,
  effects: BuildEffects,
  lock: Lock,
  stage: Staging,
  lap: (stage: string) => void,
): Promise<Staged> {
  const { signal, log, progress } = effects
  progress.show(`connecting to ${request.target.shown}`)
  const connection = await connect(request.target, signal)
  try {
    const source = await beginConsistentRead(connection.client, request.mapping, request)
    lap('connect')
    for (const warning of source.warnings) log.warn({}, warning)
    if (source.standby && source.replayLagMs === null)
      log.warn(
        {},
        'the standby does not stream from its primary: how far it is behind is unknown; see pg_stat_wal_receiver and its log',
      )
    if (request.rowSecurity === 'apply')
      log.warn({}, 'row-level security is applied: only rows that the role may see count')
    const forgotten = source.closed === null ? [] : await makeRoom(request.paths, lock, stage.folder, signal)
    const generatedAt = new Date(effects.nowMs()).toISOString()
    const made = await produce(source, stage, request.analytics, generatedAt, { signal, progress, onStage: lap })
    await source.end()
    const faults = source.faults()
    if (faults.length > 0)
      log.warn({}, `rows that break a rule are left out or count without what is wrong: ${faults.map(said).join('; ')}`)
    if (made.droppedUrls > 0)
      log.warn({ ideas: made.droppedUrls }, 'urls that are neither a path nor http(s) are published as null')
    progress.show('verifying')
    const manifest = await stage.seal({
      dataAsOf: new Date(source.asOfMs).toISOString(),
      generatedAt,
      nextUpdateAt: new Date(source.asOfMs + request.everyMs).toISOString(),
      version: VERSION,
      programVersion: programVersion(),
      options: {
        voteWeight: request.analytics.voteWeight,
        commentWeight: request.analytics.commentWeight,
        topCategories: request.analytics.topCategories,
      },
      mapping: { name: request.mapping.name, sha256: request.mapping.sha256 },
      source: {
        replayLagMs: source.replayLagMs,
        rowSecurity: request.rowSecurity,
        ...(source.standby ? { standby: true } : {}),
      },
      ...(source.closed === null ? {} : { closed: true }),
      rows: made.totals,
      ignored: source.skippedRows(),
      categories: made.categories,
    })
    lap('verify')
    return { manifest, reported: made.reported, closed: source.closed, forgotten }
  } catch (error) {
    // A cut connection fails in its own words; why it was cut says more.
    signal.throwIfAborted()
    throw error
  } finally {
    await connection.close()
  }
}

function said({ rows, relation, reason }: SkippedRows): string {
  return `${rows.toLocaleString('en')} ${relation}: ${reason}`
}

/** What is compared with, and no more: the list of files may be large, and is not needed while the next one is made. */
async function lastRelease(paths: ReleasePaths, log: Log): Promise<Compared | null> {
  const current = await currentId(paths)
  if (current === null) return null
  try {
    const { id, dataAsOf, generatedAt, mapping, rows, closed } = await readManifest(paths, current)
    return { id, dataAsOf, generatedAt, mapping, rows, ...(closed === undefined ? {} : { closed }) }
  } catch (error) {
    if (!(error instanceof ReleaseError) || error.code !== 'damaged') throw error
    log.warn({}, `${error.message}; the new release is not compared with it`)
    return null
  }
}

/** The release is published: what goes wrong with old ones must not make the build a failure. */
async function pruneOrWarn(request: BuildRequest, effects: BuildEffects): Promise<readonly string[]> {
  try {
    return (await prune(request.paths, request.keep, effects.nowMs(), effects.signal)).removed
  } catch (error) {
    effects.log.warn({}, `old releases are not pruned: ${(error as Error).message}`)
    return []
  }
}

function stopwatch(): { lap: (stage: string) => void; laps: () => [string, number][] } {
  const laps: [string, number][] = []
  let lastMs = performance.now()
  return {
    lap(stage) {
      const nowMs = performance.now()
      laps.push([stage, Math.round(nowMs - lastMs) / 1000])
      lastMs = nowMs
    },
    laps: () => laps,
  }
}
