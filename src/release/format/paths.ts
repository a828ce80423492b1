// Owns the paths below the snapshots folder: computed once, then passed on. Touches no file.
import { join } from 'node:path'
import { LOG_NAME } from './day-log.ts'

export interface ReleasePaths {
  readonly root: string
  readonly releases: string
  /** The symlink that says which release is current. */
  readonly current: string
  readonly lock: string
  /** The log of days. */
  readonly log: string
  /** The file of a rollback. */
  readonly pin: string
  /** From which release each one carries its history. */
  readonly lineage: string
  /** The folder of kept pasts, one for each release. */
  readonly state: string
  /** Of the last release that a rollback took back: what had changed in past numbers. */
  readonly revisions: string
  /** How the last build ended. */
  readonly lastBuild: string
  /** What became of the last command of --after-publish. */
  readonly lastTold: string
  /** What became of the last upload of --publish. */
  readonly lastPublished: string
}

export function releasePaths(snapshotsDir: string): ReleasePaths {
  return {
    root: snapshotsDir,
    releases: join(snapshotsDir, 'releases'),
    current: join(snapshotsDir, 'current'),
    lock: join(snapshotsDir, '.lock'),
    log: join(snapshotsDir, LOG_NAME),
    pin: join(snapshotsDir, '.held'),
    lineage: join(snapshotsDir, '.lineage'),
    state: join(snapshotsDir, '.state'),
    revisions: join(snapshotsDir, '.revisions'),
    lastBuild: join(snapshotsDir, '.last-build'),
    lastTold: join(snapshotsDir, '.after-publish'),
    lastPublished: join(snapshotsDir, '.publish'),
  }
}

/** Names that begin with a dot are never served: work in progress and rejected candidates are not public. */
export const STAGING_PREFIX = '.tmp-'
export const REJECTED_PREFIX = '.refused-'
