// Owns what one build is asked for: a validated request. Knows no option and does nothing.
import type { AnalyticsOptions } from '../../analytics/options.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import type { Target } from '../../source/database/parse-target.ts'
import type { Mapping } from '../../source/mapping/mapping.ts'

export interface BuildRequest {
  readonly target: Target
  readonly mapping: Mapping
  readonly analytics: AnalyticsOptions
  readonly paths: ReleasePaths
  readonly everyMs: number
  readonly keep: number
  readonly maxRevisionPercent: number
  readonly acceptRevision: boolean
  readonly statementTimeoutMs: number
  readonly lockTimeoutMs: number
  readonly deadlineMs: number
  readonly rowSecurity: 'off' | 'apply'
  readonly searchPath?: Target['searchPath']
  /** Epoch ms, instead of the database's now; null = now. */
  readonly asOfMs: number | null
}
