// Owns where the outcome of a build is reported: the result on stdout, or a line of the log; its exit code. Runs no build.
import type { Log } from '../../process/log.ts'
import { some } from '../../process/printable.ts'
import type { Screen } from '../../process/screen.ts'
import { EXIT_CODES } from './exit-codes.ts'
import { outcomeJson, outcomeText } from './build-report.ts'
import type { BuildOutcome } from '../run/run-build.ts'

/** A log line is short, however much is wrong. */
const REASONS_LOGGED = 5

export interface Telling {
  readonly json: boolean
  /** Print nothing of a success. */
  readonly quiet: boolean
}

/** For a single build: prints the published release, or logs why nothing was published. */
export function tellOutcome(
  outcome: BuildOutcome,
  { json, quiet }: Telling,
  log: Log,
  out: (text: string) => void,
  screen: Screen,
): number {
  const good = outcome.kind === 'published'
  if (!good) logOutcome(outcome, log)
  if (json && outcome.kind !== 'locked' && !(good && quiet)) out(outcomeJson(outcome))
  else if (good && !quiet) out(outcomeText(outcome, screen))
  return EXIT_CODES[outcome.kind]
}

/** For one build of a schedule, which has no result on stdout. */
export function logOutcome(outcome: BuildOutcome, log: Log): void {
  if (outcome.kind === 'locked') return log.error({ holder: outcome.holder }, outcomeText(outcome).trim())
  const { manifest, seconds, withoutPast, changes } = outcome.report
  const about = {
    id: manifest.id,
    files: manifest.files.length,
    rows: manifest.rows,
    ...(changes === null ? {} : { since: changes.since.id, changed: changes.rows }),
    seconds: Object.fromEntries(seconds),
    ...(withoutPast === null ? {} : { withoutPast }),
  }
  if (outcome.kind === 'published') return log.info(about, 'published')
  if (outcome.kind === 'held')
    return log.error(
      about,
      `not published: pinned since ${outcome.pin.since}; analytics-build resume lets builds publish again`,
    )
  return log.error({ ...about, kept: outcome.kept }, `rejected: ${some(outcome.reasons, REASONS_LOGGED, '; ')}`)
}
