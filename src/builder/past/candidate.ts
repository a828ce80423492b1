// Owns what is known of a release that is made and not yet judged. A type only.
import type { Past } from '../../contract/rows-by-month.ts'
import type { ReportedTotals } from '../../release/checks/reported-totals.ts'
import type { Manifest } from '../../release/format/manifest.ts'
import type { Closed } from '../../source/read/closed.ts'
import type { SkippedRows } from '../../source/read/skipped-rows.ts'
import type { ExactPeople } from '../documents/exact-people.ts'

interface Exact extends ExactPeople {
  readonly ignored: readonly SkippedRows[]
}

export interface Candidate {
  readonly manifest: Manifest
  readonly reported: ReportedTotals
  /** What the gate checks in place of numbers of people that are not published exactly; null = they are. */
  readonly exact: Exact | null
  /** Null for a closed site. */
  readonly past: Past | null
  readonly closed: Closed | null
  /** Releases that are removed already, because the site is closed. */
  readonly forgotten: readonly string[]
  /** The release whose history this one carries on; null = none. */
  readonly carriedFrom: string | null
}
