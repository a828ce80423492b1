// Owns what one build is asked for: a validated request. Knows no option and does nothing.
import type { AnalyticsOptions } from '../../analytics/options.ts'
import type { SiteOptions } from '../../contract/site-options.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'
import type { Target } from '../../source/database/parse-target.ts'
import type { Mapping } from '../../source/mapping/mapping.ts'

/** The website that a release is. */
export interface SiteRequest {
  readonly options: SiteOptions
  /** The text of `logo.svg`, of which the options have the hash. */
  readonly logo: string | null
}

export interface BuildRequest {
  readonly target: Target
  readonly mapping: Mapping
  readonly analytics: AnalyticsOptions
  /** Null = data only. */
  readonly site: SiteRequest | null
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
  /** A command for /bin/sh. */
  readonly afterPublish?: string | null
  /** Epoch ms, instead of the database's now; null = now. */
  readonly asOfMs: number | null
}
