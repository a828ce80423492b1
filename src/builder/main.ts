// Owns the analytics-build program: its commands, what they print, which exit code an end has. Only bin/ exits.
import { setTimeout as delay } from 'node:timers/promises'
import { CliError } from '../process/cli-error.ts'
import { runCommandLine, type CommandSpec } from '../process/command-line.ts'
import { createLog, type Log, type ProgramLog } from '../process/log.ts'
import type { LogLevel } from '../process/log-level.ts'
import { createProgress } from '../process/progress.ts'
import { outliveReaders, type StandardOutput } from '../process/standard-output.ts'
import { stoppable, StopOverdue, type Stoppable } from '../process/stop-signal.ts'
import { DEMO_MAPPING } from '../release/reading/open.ts'
import { ReleaseError } from '../release/format/release-error.ts'
import { SourceError } from '../source/database/source-error.ts'
import {
  BUILD_OPTIONS,
  DEMO_OPTIONS,
  SCHEDULE_OPTIONS,
  type BuildValues,
  type CronValues,
  type DemoValues,
} from './build-options.ts'
import { answersSameQuestion, buildRequest, demoRequest, warnOfTarget, type BuildRequest } from './build-request.ts'
import { currentManifest } from './current-manifest.ts'
import type { Ending } from './metrics-file.ts'
import { EXIT_CODES, logOutcome, tellOutcome } from './outcome.ts'
import { releaseCommands } from './release-commands.ts'
import { runBuild, type BuildEffects, type BuildOutcome } from './run.ts'
import { sourceCommands } from './source-commands.ts'
import { checkCron, longestGapMs, nextTicks, runSchedule } from './schedule.ts'

const HOUR_MS = 3_600_000
/** How long work that was told to stop may clean up. */
const STOP_GRACE_MS = 1000

type Environment = Readonly<Record<string, string | undefined>>

/** Runs the program; its exit code. */
export async function main(argv: readonly string[], env: Environment = process.env): Promise<number> {
  const output = outliveReaders()
  const out = output.print
  const stop = stoppable(STOP_GRACE_MS)
  const progress = createProgress(process.stderr)
  const programLog = createLog('analytics-build')
  const log = clearing(programLog, () => progress.clear())
  const effects: BuildEffects = { nowMs: Date.now, sleep, log, progress, signal: stop.signal }
  const recorded = recorder(effects, (error) => stop.exitCode() ?? exitCodeFor(error))
  const spec = {
    name: 'analytics-build',
    summary: 'Reads an idea platform’s Postgres once and writes its public statistics as files.',
    commands: [
      ...buildCommands(effects, recorded, env, out).map((command) => cleaningUp(command, stop)),
      demoCommand(effects, recorded, out, stop),
      ...[
        ...sourceCommands({ env, out, log, signal: stop.signal }).map((command) => cleaningUp(command, stop)),
        ...releaseCommands({ out, nowMs: Date.now, stop }),
      ].map((command) => printing(command, output)),
    ].map((command) => logging(command, programLog)),
  }
  try {
    return await runCommandLine(spec, argv, { env, out })
  } catch (error) {
    progress.clear()
    return exitCodeOf(error, stop, log)
  }
}

/** Sets the level of the log first; --quiet is from `warn` on, unless a level is given. */
function logging(command: CommandSpec, log: ProgramLog): CommandSpec {
  return {
    ...command,
    run(values, args, given) {
      const level = values['logLevel'] as LogLevel | undefined
      const quiet = values['quiet'] === true && !given.has('logLevel')
      if (quiet || level !== undefined) log.setLevel(quiet ? 'warn' : (level ?? 'info'))
      return command.run(values, args, given)
    },
  }
}

/** A command whose result is what it is for: one that is cut off must not pass for whole. */
function printing(command: CommandSpec, output: StandardOutput): CommandSpec {
  return {
    ...command,
    async run(...given) {
      const code = await command.run(...given)
      const lost = output.lost()
      if (lost !== null) throw new CliError(6, `the result could not be written: ${lost.message}`)
      return code
    },
  }
}

/** A command that has something to clean up, or to say, when it is stopped. */
function cleaningUp(command: CommandSpec, stop: Stoppable): CommandSpec {
  return { ...command, run: (...given) => stop.during(() => command.run(...given)) }
}

function buildCommands(
  effects: BuildEffects,
  recorded: Recorder,
  env: Environment,
  out: (text: string) => void,
): CommandSpec[] {
  return [
    {
      name: 'build',
      isDefault: true,
      summary: 'build one release, then exit: what cron, systemd and Kubernetes call',
      options: BUILD_OPTIONS,
      example: '$0 --database-url postgresql://stats@db.example.org/ideas --every 5m',
      run: async (values) => {
        const given = values as unknown as BuildValues
        const outcome = await recorded(given, async () => {
          const request = buildRequest(given, env, HOUR_MS)
          warnOfTarget(request.target, effects.log)
          return runBuild(request, effects)
        })
        return tellOutcome(outcome, { json: given.json === true, quiet: given.quiet === true }, effects.log, out)
      },
    },
    {
      name: 'schedule',
      summary: 'stay and build at every tick of a cron pattern (UTC)',
      options: SCHEDULE_OPTIONS,
      example: `$0 --cron "*/5 * * * *" --source my-platform.sql --param tenant=1`,
      run: async (values) => {
        const given = values as unknown as CronValues
        checkCron(given.cron)
        const gapMs = longestGapMs(given.cron)
        const request = buildRequest({ ...given, acceptDrop: null, json: null, quiet: null }, env, gapMs)
        warnOfTarget(request.target, effects.log)
        await schedule(given.cron, gapMs, request, effects, () => recorded(given, () => runBuild(request, effects)))
        return 0
      },
    },
  ]
}

/**
 * Its embedded database fills the event loop for seconds, in which no listener would be called: signals are listened for
 * only from where there is a lock to give back.
 */
function demoCommand(
  effects: BuildEffects,
  recorded: Recorder,
  out: (text: string) => void,
  stop: Stoppable,
): CommandSpec {
  return {
    name: 'demo',
    summary: 'build from a lively demo platform in an embedded Postgres; needs no database',
    options: DEMO_OPTIONS,
    example: '$0 --every 1h',
    run: async (values) => {
      const given = values as unknown as DemoValues
      const outcome = await recorded(given, () => buildDemo(given, effects, stop))
      return tellOutcome(outcome, { json: given.json === true, quiet: given.quiet === true }, effects.log, out)
    },
  }
}

/** Runs a build; with --metrics-file the file says how it ended. */
type Recorder = (
  values: Pick<DemoValues, 'metricsFile' | 'snapshots'>,
  build: () => Promise<BuildOutcome>,
) => Promise<BuildOutcome>

function recorder(effects: BuildEffects, exitCodeOfError: (error: unknown) => number): Recorder {
  return async ({ metricsFile: file, snapshots: snapshotsDir }, build) => {
    if (file === null) return build()
    // Loaded only when asked for: most builds write none.
    const { recordRun } = await import('./metrics-file.ts')
    return recordRun({ file, snapshotsDir }, effects, build, (end): Ending => {
      if ('outcome' in end) return { result: end.outcome.kind, exitCode: EXIT_CODES[end.outcome.kind] }
      const exitCode = exitCodeOfError(end.error)
      return { result: RESULT_OF_EXIT[exitCode] ?? 'unexpected', exitCode }
    })
  }
}

const RESULT_OF_EXIT: Readonly<Record<number, Ending['result']>> = {
  2: 'usage',
  3: 'source',
  5: 'locked',
  6: 'write',
  7: 'unreadable',
  129: 'stopped',
  130: 'stopped',
  143: 'stopped',
}

async function schedule(
  cron: string,
  gapMs: number,
  request: BuildRequest,
  effects: BuildEffects,
  buildOnce: () => Promise<BuildOutcome>,
): Promise<void> {
  const { log, signal } = effects
  const manifest = await currentManifest(request.snapshotsDir)
  const atOnce =
    manifest === null ||
    effects.nowMs() - Date.parse(manifest.dataAsOf) > gapMs ||
    !answersSameQuestion(manifest, request) ||
    // It may be open again; and what a build that closed it did not come to remove goes at once.
    manifest.closed === true
  log.info({ cron, next: new Date(nextTicks(cron, 1)[0] ?? 0).toISOString(), atOnce }, 'schedule begins')
  const build = async (): Promise<void> => {
    try {
      logOutcome(await buildOnce(), log)
    } catch (error) {
      if (signal.aborted) return
      log.error({ exitCode: exitCodeFor(error) }, `${(error as Error).message}; the next tick tries again`)
    }
  }
  const nextTickMs = (): number => nextTicks(cron, 1)[0] ?? Number.POSITIVE_INFINITY
  await runSchedule(build, atOnce, { nowMs: effects.nowMs, sleep, nextTickMs, signal })
  signal.throwIfAborted()
}

async function buildDemo(values: DemoValues, effects: BuildEffects, stop: Stoppable): Promise<BuildOutcome> {
  await refuseToReplace(values.snapshots)
  effects.progress.show('starting the embedded Postgres')
  // Loaded only here: no other command needs the 20 MB of the embedded database.
  const { startEmbeddedPostgres } = await import('../demo/embedded-postgres.ts')
  const { demoPlatform } = await import('../demo/platform.ts')
  const nowMs = effects.nowMs()
  const postgres = await startEmbeddedPostgres()
  try {
    effects.progress.show('filling the demo platform')
    await postgres.seed(demoPlatform(nowMs))
    return await stop.during(() => runBuild(demoRequest(values, postgres.url, nowMs), effects))
  } finally {
    await postgres.close()
  }
}

/** The demo never takes the place of real numbers. */
async function refuseToReplace(snapshotsDir: string): Promise<void> {
  const manifest = await currentManifest(snapshotsDir)
  if (manifest !== null && manifest.mapping.name !== DEMO_MAPPING)
    throw new CliError(
      2,
      `--snapshots ${snapshotsDir} holds a release of mapping ${manifest.mapping.name}, which the demo would replace; give the demo another folder`,
    )
}

function exitCodeOf(error: unknown, stop: Stoppable, log: Log): number {
  const stopped = stop.exitCode()
  if (stopped !== null) {
    const { message } = stop.signal.reason as Error
    log.warn({}, `${message}; ${error instanceof StopOverdue ? OVERDUE : 'the release that was current still is'}`)
    return stopped
  }
  const code = exitCodeFor(error)
  if (code === 2) process.stderr.write(`analytics-build: ${(error as Error).message}\n`)
  else if (code === 1 && !(error instanceof ReleaseError))
    log.error({ stack: (error as Error)?.stack }, `unexpected: ${String(error)}`)
  else log.error({ exitCode: code }, (error as Error).message)
  return code
}

const OVERDUE = 'it did not clean up in time: what it left behind is never served, and the next build removes it'

function exitCodeFor(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof SourceError) return error.kind === 'configuration' ? 2 : 3
  if (error instanceof ReleaseError) return { damaged: 1, absent: 2, write: 6, unreadable: 7 }[error.code]
  return 1
}

function clearing(log: Log, clear: () => void): Log {
  const cleared =
    (level: keyof Log) =>
    (fields: object, message: string): void => {
      clear()
      log[level](fields, message)
    }
  return { debug: cleared('debug'), info: cleared('info'), warn: cleared('warn'), error: cleared('error') }
}

async function sleep(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal }).catch(() => {})
}
