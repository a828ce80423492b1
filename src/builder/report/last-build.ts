// Owns the note of how the last build ended, which `status` reads: its shape, what it says, writing it. Knows no build.
import { isTimestamp } from '../../contract/timestamp.ts'
import { oneLine } from '../../process/command-line.ts'
import type { Log } from '../../process/log.ts'
import { some } from '../../process/printable.ts'
import { isCount } from '../../release/format/shape.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import { StateFile } from '../../release/writing/state.ts'
import type { BuildOutcome } from '../run/run-build.ts'
import { REASONS_SHOWN } from '../past/revision.ts'
import { EXIT_CODES, exitCodeFor, resultOf } from './exit-codes.ts'
import type { Result } from './metrics-text.ts'

export interface LastBuild {
  readonly result: Result
  readonly exitCode: number
  readonly endedAt: string
  /** Why nothing was published; null = something was. */
  readonly message: string | null
  /** The folder of the rejected candidate. */
  readonly rejected: string | null
  /** Builds in a row that failed, this one included. */
  readonly failures: number
  /** When the first of them ended. */
  readonly failingSince: string | null
  /** The address of the last --publish; null or absent = there was none. */
  readonly publish?: string | null
}

export type Ending = Pick<LastBuild, 'result' | 'exitCode' | 'message' | 'rejected' | 'publish'>

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
  return { result: resultOf(exitCode), exitCode, message, rejected: null }
}

const NO_FAILURE: readonly Result[] = ['published', 'held', 'stopped']

/** The note of a build that ended, after that of the one before. */
export function noteOf(before: LastBuild | null, ending: Ending, nowMs: number): LastBuild {
  const endedAt = new Date(nowMs).toISOString()
  const message = ending.message === null ? null : oneLine(ending.message).slice(0, MAX_MESSAGE)
  const failed = !NO_FAILURE.includes(ending.result)
  return {
    ...ending,
    publish: ending.publish ?? before?.publish ?? null,
    message,
    endedAt,
    failures: failed ? (before?.failures ?? 0) + 1 : 0,
    failingSince: failed ? (before?.failingSince ?? endedAt) : null,
  }
}

const LAST_BUILD = new StateFile('lastBuild', 0o600, (value): LastBuild | null => {
  const { result, failures, endedAt, failingSince } = (value ?? {}) as Partial<LastBuild>
  if (typeof result !== 'string' || !isCount(failures) || !isTimestamp(endedAt)) return null
  return failures > 0 && !isTimestamp(failingSince) ? null : (value as LastBuild)
})

/** Null = there is none. @throws ReleaseError if this user may not read it */
export async function readLastBuild(paths: ReleasePaths): Promise<LastBuild | null> {
  return LAST_BUILD.read(paths)
}

/**
 * Warns where the last build had another --publish: what is there is of another release now.
 * @returns how it ended; null = nothing is known
 */
export async function warnOfForgotten(
  paths: ReleasePaths,
  given: string | null | undefined,
  log: Log,
): Promise<LastBuild | null> {
  const before = await readLastBuild(paths).catch(() => null)
  const to = before?.publish
  if (to == null || to === given) return before
  const end = given ? 'when its site is to close, remove its objects' : `if it is meant to, remove ${paths.lastBuild}`
  log.warn({}, `--publish was ${to} before, and is ${given ?? 'not given'} now: ${to} stays as it is; ${end}`)
  return before
}

/** Not that another command has the lock: that is no end of a build. Never fails, but says so where `status` will go by an earlier note. Only its user may read it, as the log. */
export async function noteLastBuild(paths: ReleasePaths, ending: Ending, nowMs: number, log: Log): Promise<void> {
  if (ending.result === 'locked') return
  const note = noteOf(await warnOfForgotten(paths, ending.publish, log), ending, nowMs)
  await LAST_BUILD.note(paths, note).catch(({ message, cause }: Error) => {
    // A build that was given another folder than it meant, which is not there, has no status.
    if ((cause as NodeJS.ErrnoException | undefined)?.code !== 'ENOENT')
      log.warn({}, `status will not know how this build ended: ${message}`)
  })
}
