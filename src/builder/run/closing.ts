// Removes published data when the site is closed. Errors that do not concern the closing are not reported as failures.
import { statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Log } from '../../process/log.ts'
import { forgetAllBut } from '../../release/writing/forget.ts'
import { STAGING_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { currentId } from '../../release/reading/release-list.ts'
import type { Lock } from '../../release/writing/lock.ts'
import { removeLeftovers } from '../../release/writing/staging.ts'
import type { Closed } from '../../source/read/closed.ts'

/** Errors of reading what is current or pinned must not stop a build that closes the site. */
export function unlessClosing(closed: Closed | null): (error: unknown) => null {
  return (error) => {
    if (closed === null) throw error
    return null
  }
}

/** For when a build that closed the site was killed, or somebody put an older release back. */
export async function goOnClosing(paths: ReleasePaths, id: string, log: Log): Promise<void> {
  try {
    const removed = await forgetAllBut(paths, [id])
    if (removed.length > 0) log.warn({ removed }, 'removed what a site that is closed to visitors must not show')
  } catch (error) {
    log.error({}, `cannot remove what a closed site must not show: ${(error as Error).message}`)
  }
}

/** Many times the size of an empty release. */
const ROOM_BYTES = 64 << 20
const ROOM_FILES = 2000

/**
 * On a disk that is almost full, removes what a closed site must not show before the empty release is written, but for the
 * current release. Only then: to remove much takes long, and the current release is public until the switch. An error here
 * comes again after the switch, and is reported there.
 */
export async function makeRoom(
  paths: ReleasePaths,
  lock: Lock,
  stagingFolder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { bavail, bsize, files, ffree } = await statfs(paths.root)
  // Some file systems have no limit of files, and report 0 of 0.
  if (bavail * bsize >= ROOM_BYTES && (files === 0 || ffree >= ROOM_FILES)) return []
  if (!(await lock.owned())) return []
  const current = await currentId(paths)
  const kept = [...(current === null ? [] : [current]), basename(stagingFolder)]
  return forgetAllBut(paths, kept, signal).catch(() => [])
}

/** Leftovers are never served; if they cannot be removed, a site that has closed must still close. */
export async function removeLeftoversOrWarn(paths: ReleasePaths, log: Log): Promise<void> {
  try {
    await removeLeftovers(paths, STAGING_PREFIX)
  } catch (error) {
    log.warn({}, `cannot remove what a killed build left: ${(error as Error).message}`)
  }
}
