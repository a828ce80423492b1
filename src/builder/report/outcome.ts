// Owns how a build's outcome is told, once: the result on stdout, or a line of the log, and its exit code. Runs no build.
import type { Log } from '../../process/log.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { outcomeJson, outcomeText } from './build-report.ts'
import type { BuildOutcome } from '../run/run-build.ts'

const REASONS_LOGGED = 5

export interface Telling {
  readonly json: boolean
  /** Nothing of what went well. */
  readonly quiet: boolean
}

/** Of one build that somebody called: what was published is its result; why nothing was, is logged. */
export function tellOutcome(
  outcome: BuildOutcome,
  { json, quiet }: Telling,
  log: Log,
  out: (text: string) => void,
): number {
  const good = outcome.kind === 'published'
  if (!good) logOutcome(outcome, log)
  if (json && outcome.kind !== 'locked' && !(good && quiet)) out(outcomeJson(outcome))
  else if (good && !quiet) out(outcomeText(outcome))
  return EXIT_CODES[outcome.kind]
}

/** Of one build of many, which have no result on stdout. */
export function logOutcome(outcome: BuildOutcome, log: Log): void {
  if (outcome.kind === 'locked') return log.error({ holder: outcome.holder }, outcomeText(outcome).trim())
  const { manifest, seconds } = outcome.report
  const about = {
    id: manifest.id,
    files: manifest.files.length,
    rows: manifest.rows,
    seconds: Object.fromEntries(seconds),
  }
  if (outcome.kind === 'published') return log.info(about, 'published')
  if (outcome.kind === 'held')
    return log.error(
      about,
      `not published: held since ${outcome.hold.since}; analytics-build resume lets builds publish again`,
    )
  return log.error({ ...about, kept: outcome.kept }, `refused: ${inOneLine(outcome.reasons)}`)
}

/** A log line is short, however much is wrong. */
function inOneLine(reasons: readonly string[]): string {
  const more = reasons.length - REASONS_LOGGED
  return `${reasons.slice(0, REASONS_LOGGED).join('; ')}${more > 0 ? `; and ${more} more reasons` : ''}`
}
