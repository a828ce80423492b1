// Owns the gate: whether a candidate may become the current release. Pure: what was staged in, reasons out.
import { crossCheck, missingAndSurplus } from '../../release/checks/invariants.ts'
import { againstCurrent, type ReleaseSummary, type ComparisonOptions } from './against-current.ts'
import type { Candidate } from './stage-release.ts'

/** Sentences with the reasons to reject; none = publish. */
export function gate(
  { manifest, reported }: Pick<Candidate, 'manifest' | 'reported'>,
  current: ReleaseSummary | null,
  options: ComparisonOptions,
): string[] {
  return [
    ...missingAndSurplus(manifest),
    ...crossCheck(reported, manifest),
    ...againstCurrent(manifest, current, options),
  ]
}
