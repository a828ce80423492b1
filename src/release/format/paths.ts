// Owns the paths below the snapshots folder: computed once, then passed on. Touches no file.
import { join } from 'node:path'
import { LOG_NAME } from './day-log.ts'

/** Below the root. */
const NAMES = {
  releases: 'releases',
  /** The symlink that says which release is current. */
  current: 'current',
  lock: '.lock',
  log: LOG_NAME,
  /** What became current, what was taken back or pinned, and which days ended. */
  journal: '.journal',
  /** The folder of kept pasts, one for each release. */
  state: '.state',
  /** What --publish has put where. */
  published: '.published',
  /** How the last build ended. */
  lastBuild: '.last-build',
  /** What became of the last command of --after-publish. */
  lastTold: '.after-publish',
} as const

export type ReleasePaths = Readonly<Record<'root' | keyof typeof NAMES, string>>

export function releasePaths(root: string): ReleasePaths {
  const paths = Object.entries(NAMES).map(([key, name]) => [key, join(root, name)])
  return { root, ...(Object.fromEntries(paths) as Record<keyof typeof NAMES, string>) }
}

/** Names that begin with a dot are never served: work in progress and rejected candidates are not public. */
export const STAGING_PREFIX = '.tmp-'
export const REJECTED_PREFIX = '.refused-'
