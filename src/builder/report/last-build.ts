// Owns the note of how the last build ended, which `status` reads: its shape, what it says, writing it. Knows no build.
import { isTimestamp } from '../../contract/timestamp.ts'
import { CliError, SaidBefore } from '../../process/cli-error.ts'
import { oneLine } from '../../process/command-line.ts'
import { HOUR_MS } from '../../contract/windows.ts'
import type { Log } from '../../process/log.ts'
import { some } from '../../process/printable.ts'
import { isCount } from '../../release/format/json-check.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { stateFile } from '../../release/writing/state.ts'
import type { BuildOutcome } from '../run/run-build.ts'
import { REASONS_SHOWN } from '../past/revision.ts'
import { EXIT_CODES, exitCodeFor, resultOf, type Result } from './exit-codes.ts'

export interface LastBuild {
  readonly result: Result
  readonly exitCode: number
  readonly endedAt: string
  /** Why nothing was published; null = something was published. */
  readonly message: string | null
  /** The folder of the rejected candidate. */
  readonly rejected: string | null
  /** Builds in a row that failed, this one included. */
  readonly failures: number
  /** When the first of these builds ended. */
  readonly failingSince: string | null
  /** The address of the last --publish; null or absent = there was none. */
  readonly publish?: string | null
  /** Whether a build without --publish has come since, which said so. */
  readonly isForgotten?: boolean
  /** Whether the database or the bucket failed. */
  readonly isOutage?: boolean
  /** While an outage goes on, each cause, and when that was last told. Null or absent = there is none. */
  readonly told?: Readonly<Record<string, string>> | null
}

export type Ending = Pick<LastBuild, 'result' | 'exitCode' | 'message' | 'rejected' | 'publish' | 'isOutage'>

const MAX_MESSAGE = 1000

export function endingOf(outcome: BuildOutcome): Ending {
  const about = { result: outcome.kind, exitCode: EXIT_CODES[outcome.kind], message: null, rejected: null }
  if (outcome.kind !== 'refused') return about
  const [rejected = null] = outcome.kept.split('/').slice(-1)
  return { ...about, message: some(outcome.reasons, REASONS_SHOWN, '; '), rejected }
}

export function endingOfError(error: unknown, stopped: number | null): Ending {
  const exitCode = stopped ?? exitCodeFor(error)
  const message = error instanceof Error ? error.message : String(error)
  const isOutage = exitCode === 3 || (exitCode === 6 && error instanceof ReleaseError && error.code === 'publish')
  return { result: resultOf(exitCode), exitCode, message, rejected: null, isOutage }
}

const NO_FAILURE: readonly Result[] = ['published', 'held', 'stopped']

const TOLD_FOR_MS = 24 * HOUR_MS
const CAUSES_KEPT = 8

/** What has been told by now; the same object as before = nobody is told of this end. */
function toldAfter(before: LastBuild | null, { isOutage, exitCode, message }: Ending, endedAt: string) {
  const told = before?.told ?? null
  // Exit code 4 is what a build makes of what it has read, so that no outage goes on.
  if (isOutage !== true) return exitCode === 0 || exitCode === 4 ? null : told
  // Words with a digit or a slash are left out: they are addresses, keys and ids, which may differ in each build.
  const cause = (message ?? '').replaceAll(/\S*[\d/]\S*/g, '…')
  if (Math.abs(Date.parse(endedAt) - Date.parse(told?.[cause] ?? '')) < TOLD_FOR_MS) return told
  return Object.fromEntries([...Object.entries(told ?? {}), [cause, endedAt]].slice(-CAUSES_KEPT))
}

/** The note of a build that ended, after that of the one before. @param isTold whether somebody is told of outages once a day */
export function noteOf(before: LastBuild | null, ending: Ending, nowMs: number, isTold = false): LastBuild {
  const endedAt = new Date(nowMs).toISOString()
  const message = ending.message === null ? null : oneLine(ending.message).slice(0, MAX_MESSAGE)
  const failed = !NO_FAILURE.includes(ending.result)
  return {
    ...ending,
    publish: ending.publish ?? before?.publish ?? null,
    isForgotten: !ending.publish,
    message,
    endedAt,
    failures: failed ? (before?.failures ?? 0) + 1 : 0,
    failingSince: failed ? (before?.failingSince ?? endedAt) : null,
    told: isTold ? toldAfter(before, { ...ending, message }, endedAt) : (before?.told ?? null),
  }
}

type Noted = Readonly<{ before: LastBuild | null; note: LastBuild }>

/** A failure as --quiet tells it: each cause of an outage once a day. */
export function asNews(error: unknown, { before, note: { isOutage, exitCode, told, failingSince } }: Noted): unknown {
  if (isOutage !== true) return error
  if (told === before?.told) return new SaidBefore(exitCode, 'it was said before')
  const since = `builds have failed since ${failingSince}, which is said once a day, and when it is over`
  return new CliError(exitCode, `${(error as Error).message}; ${since}`, error)
}

const LAST_BUILD = stateFile('lastBuild', 0o600, (value): LastBuild | null => {
  const { result, failures, endedAt, failingSince } = (value ?? {}) as Partial<LastBuild>
  if (typeof result !== 'string' || !isCount(failures) || !isTimestamp(endedAt)) return null
  return failures > 0 && !isTimestamp(failingSince) ? null : (value as LastBuild)
})

/** Null = there is none. @throws ReleaseError if this user may not read it */
export const readLastBuild = (paths: ReleasePaths): Promise<LastBuild | null> => LAST_BUILD.read(paths)

/**
 * Warns once where the last build had another --publish: what is there belongs to another release now.
 * @returns how it ended; null = nothing is known
 */
export async function warnOfForgotten(
  paths: ReleasePaths,
  given: string | null | undefined,
  log: Log,
): Promise<LastBuild | null> {
  const before = await readLastBuild(paths).catch(() => null)
  const to = before?.publish
  if (to == null || to === given || before?.isForgotten === true) return before
  log.warn(
    {},
    `--publish was ${to} before, and is ${given ?? 'not given'} now: ${to} stays as it is, which is said once; when its site is to close, remove its objects`,
  )
  return before
}

/** Notes the end of a build; that another has the lock is none. Never fails, but warns. Only its user may read the note, as the log. */
export async function noteLastBuild(
  paths: ReleasePaths,
  ending: Ending,
  nowMs: number,
  log: Log,
  isTold = false,
): Promise<Noted | null> {
  if (ending.result === 'locked') return null
  const before = await warnOfForgotten(paths, ending.publish, log)
  const note = noteOf(before, ending, nowMs, isTold)
  await LAST_BUILD.note(paths, note).catch(({ message, cause }: Error) => {
    // A build that was given a folder that is not there, and so was not meant, has no status.
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT')
      log.warn({}, `status will not know how this build ended: ${message}`)
  })
  return { before, note }
}
