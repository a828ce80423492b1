// Owns which exit code, and which result in the metrics, an end of analytics-build has. Exits nothing.
import { CliError } from '../../process/cli-error.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import { SourceError } from '../../source/database/source-error.ts'
import type { Result } from './metrics-text.ts'
import type { BuildOutcome } from '../run/run-build.ts'

export const EXIT_CODES: Readonly<Record<BuildOutcome['kind'], number>> = {
  published: 0,
  refused: 4,
  held: 4,
  locked: 5,
}

export function exitCodeFor(error: unknown): number {
  if (error instanceof CliError) return error.exitCode
  if (error instanceof SourceError) return error.kind === 'configuration' ? 2 : 3
  if (error instanceof ReleaseError) return { damaged: 1, absent: 2, write: 6, publish: 6, unreadable: 7 }[error.code]
  return 1
}

const RESULTS: Readonly<Record<number, Result>> = {
  2: 'usage',
  3: 'source',
  5: 'locked',
  6: 'write',
  7: 'unreadable',
  129: 'stopped',
  130: 'stopped',
  143: 'stopped',
}

/** The result of a build that ended with an error. */
export function resultOf(exitCode: number): Result {
  return RESULTS[exitCode] ?? 'unexpected'
}
