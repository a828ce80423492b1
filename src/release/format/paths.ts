// Owns where everything stands below the snapshots folder. Paths only; touches no file.
import { join } from 'node:path'

export interface Layout {
  readonly root: string
  readonly releases: string
  /** The symlink that says which release is current. */
  readonly current: string
  readonly lock: string
  readonly hold: string
}

export function layoutOf(snapshotsDir: string): Layout {
  return {
    root: snapshotsDir,
    releases: join(snapshotsDir, 'releases'),
    current: join(snapshotsDir, 'current'),
    lock: join(snapshotsDir, '.lock'),
    hold: join(snapshotsDir, '.held'),
  }
}

/** Names that begin with a dot are never served: work in progress is safe beside what is published. */
export const STAGE_PREFIX = '.tmp-'
export const REFUSED_PREFIX = '.refused-'
