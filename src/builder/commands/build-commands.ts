// Owns the commands that build: build, schedule, demo. Knows neither their flags nor how a build works.
import { HOUR_MS } from '../../contract/windows.ts'
import { CliError, SaidBefore } from '../../process/cli-error.ts'
import { thisProgram } from '../../process/package-root.ts'
import { isDemo } from '../../release/format/manifest.ts'
import type { Values } from '../options/build-options.ts'
import { buildRequest, demoRequest } from './build-request.ts'
import { onlyReleaseError } from '../../release/format/release-error.ts'
import { readCurrent } from '../../release/reading/folder-reader.ts'
import { refuseForeign } from '../../release/writing/lock.ts'
import { exitCodeFor } from '../report/exit-codes.ts'
import { asNews, endingOf, endingOfError, noteLastBuild, type Ending } from '../report/last-build.ts'
import { logOutcome, tellOutcome } from '../report/build-report.ts'
import type { BuilderContext } from '../run/context.ts'
import { runBuild, type BuildOutcome, type BuildReport } from '../run/run-build.ts'
import { checkCron, longestGapMs, nextTicks, runSchedule } from './schedule.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'

/** Builds one release. */
export async function build(values: Values<'build'>, context: BuilderContext): Promise<number> {
  const outcome = await noteEndOf(values, context, async () =>
    runBuild(buildRequest(values, context, HOUR_MS), context),
  )
  return tellOutcome(outcome, values, context.log, context.out)
}

/** Stays, and builds now, because the options may have changed, and at every tick of a cron pattern. */
export async function schedule(values: Values<'schedule'>, context: BuilderContext): Promise<number> {
  const { log, signal } = context
  const { cron } = values
  checkCron(cron)
  let request = buildRequest({ ...values, acceptRevision: false }, context, longestGapMs(cron))
  log.info({ ...thisProgram(), cron, next: new Date(nextTicks(cron, 1)[0] ?? 0).toISOString() }, 'schedule begins')
  const buildOnce = async (): Promise<void> => {
    try {
      const outcome = await noteEndOf({ ...values, quiet: true }, context, () => runBuild(request, context))
      // From then on, what is there belongs to this folder, or somebody has replaced it.
      if (outcome.kind === 'published') request = { ...request, acceptSite: false }
      context.beQuiet?.(false)
      logOutcome(outcome, log)
    } catch (error) {
      // During an outage, how often each further build tries again is not told any more.
      if (error instanceof CliError) context.beQuiet?.(true)
      if (signal.aborted || error instanceof SaidBefore) return
      log.error({ exitCode: exitCodeFor(error) }, `${(error as Error).message}; the next tick tries again`)
    }
  }
  const nextTickMs = (): number => nextTicks(cron, 1)[0] ?? Number.POSITIVE_INFINITY
  await runSchedule(buildOnce, nextTickMs, context)
  signal.throwIfAborted()
  return 0
}

/**
 * Builds from the demo platform. Its embedded database fills the event loop for seconds, in which no listener is called, so
 * signals are listened for only during the build itself, which has a lock to give back.
 */
export async function demo(values: Values<'demo'>, context: BuilderContext): Promise<number> {
  // This comes before all else: a refusal is not the end of a build of what is there, so it is not noted.
  await refuseToReplace(values.snapshots)
  const outcome = await noteEndOf({ ...values, publish: null, quiet: false }, context, () => buildDemo(values, context))
  return tellOutcome(outcome, values, context.log, context.out)
}

async function buildDemo(values: Values<'demo'>, effects: BuilderContext): Promise<BuildOutcome> {
  effects.progress.show('starting the embedded Postgres')
  // Loaded only here: no other command needs the 20 MB of the embedded database.
  const { startEmbeddedPostgres } = await import('../../demo/embedded-postgres.ts')
  const { demoPlatform } = await import('../../demo/platform.ts')
  const nowMs = effects.nowMs()
  const postgres = await startEmbeddedPostgres()
  try {
    effects.progress.show('filling the demo platform')
    await postgres.seed(demoPlatform(nowMs))
    return await effects.stop.during(() => runBuild(demoRequest(values, postgres.url, nowMs), effects))
  } finally {
    await postgres.close()
  }
}

/** The demo never replaces real numbers. */
async function refuseToReplace(paths: ReleasePaths): Promise<void> {
  const manifest = await readCurrent(paths)
  if (manifest !== null && !isDemo(manifest))
    throw new CliError(
      2,
      `--snapshots ${paths.root} contains a release of mapping ${manifest.mapping.name}, which the demo would replace; give the demo another folder`,
    )
}

/** Runs a build, and notes for `status` how it ended; with --metrics-file the file says so, too. */
async function noteEndOf(
  { metricsFile, snapshots, publish, quiet }: Pick<Values<'build'>, 'metricsFile' | 'snapshots' | 'publish' | 'quiet'>,
  { nowMs, stop, log, isWatched }: BuilderContext,
  buildOnce: () => Promise<BuildOutcome>,
): Promise<BuildOutcome> {
  // In the folder of another user nothing is noted; if it cannot be looked at, that is how the build ends.
  const looked = refuseForeign(snapshots)
  await looked.catch(onlyReleaseError)
  const startedMs = nowMs()
  const isTold = quiet && !isWatched
  const record = async (ending: Ending, report: BuildReport | null): ReturnType<typeof noteLastBuild> => {
    const endedMs = nowMs()
    const noted = await noteLastBuild(snapshots, { ...ending, publish: publish?.shown ?? null }, endedMs, log, isTold)
    if (metricsFile === null) return noted
    // Loaded only when needed: most builds write none.
    const { writeMetrics } = await import('../report/metrics-file.ts')
    await writeMetrics(metricsFile, snapshots, { ...ending, startedMs, endedMs, report }, log)
    return noted
  }
  const outcome = await looked.then(buildOnce).catch(async (error: unknown) => {
    const noted = await record(endingOfError(error, stop.exitCode()), null)
    throw isTold && noted !== null ? asNews(error, noted) : error
  })
  const noted = await record(endingOf(outcome), outcome.kind === 'locked' ? null : outcome.report)
  const { told, failingSince, endedAt } = noted?.before ?? {}
  if (told && !noted?.note.told) log.warn({}, `builds work again; they had failed since ${failingSince ?? endedAt}`)
  return outcome
}
