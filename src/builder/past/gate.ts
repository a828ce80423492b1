// Owns the gate: whether a candidate may become the current release. Pure: what was staged in, reasons out.
import { crossCheck, missingAndSurplus } from '../../release/checks/invariants.ts'
import type { Manifest } from '../../release/format/manifest.ts'
import { againstCurrent, type ReleaseSummary, type ComparisonOptions } from './against-current.ts'
import type { Revision } from './revision.ts'
import type { Candidate } from './candidate.ts'

/** Sentences with the reasons to reject; none = publish. */
export function gate(
  { manifest, reported, exact }: Pick<Candidate, 'manifest' | 'reported' | 'exact'>,
  current: ReleaseSummary | null,
  revisions: readonly Revision[] | null,
  options: ComparisonOptions,
): string[] {
  return [
    ...missingAndSurplus(manifest),
    ...new Set([...crossCheck(reported, manifest), ...exactFaults(manifest, exact)]),
    ...againstCurrent(manifest, current, revisions, options),
  ]
}

/** Rounded numbers hide small errors, so the numbers before rounding must satisfy the same rules. */
function exactFaults(manifest: Manifest, exact: Candidate['exact']): string[] {
  if (exact === null) return []
  const { users, reported, ignored } = exact
  const rows = { ...manifest.rows, users }
  return crossCheck(reported, { ...manifest, rows, ignored, options: { ...manifest.options, people: 'exact' } })
}
