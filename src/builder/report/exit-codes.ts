// Owns which exit code, and which result in the metrics, an end of analytics-build has. Exits nothing.
import { CliError } from '../../process/cli-error.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { SourceError } from '../../source/database/source-error.ts'

/** How a build can end, with its exit code (`stopped`: by Ctrl-C or a signal). A label's values must be few and known. */
export const EXIT_CODES = {
  published: 0,
  refused: 4,
  held: 4,
  locked: 5,
  usage: 2,
  source: 3,
  write: 6,
  unreadable: 7,
  stopped: 130,
  unexpected: 1,
} as const
export type Result = keyof typeof EXIT_CODES
export const RESULTS = Object.keys(EXIT_CODES) as readonly Result[]

export function exitCodeFor(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof SourceError) return 3
  if (error instanceof ReleaseError) return { damaged: 1, absent: 2, write: 6, publish: 6, unreadable: 7 }[error.code]
  return 1
}

/** The result of a build that ended with an error. */
export function resultOf(exitCode: number): Result {
  return exitCode > 128 ? 'stopped' : (RESULTS.find((result) => EXIT_CODES[result] === exitCode) ?? 'unexpected')
}
