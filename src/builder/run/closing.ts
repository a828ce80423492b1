// Owns what a build of a closed site does that another does not: it takes away what must not be shown, and lets nothing that
// it need not know stop it. Asks no database whether the site is closed.
import { statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import type { Log } from '../../process/log.ts'
import { forgetAllBut } from '../../release/writing/forget.ts'
import { STAGING_PREFIX, type ReleasePaths } from '../../release/format/paths.ts'
import { currentId } from '../../release/reading/release-list.ts'
import type { Lock } from '../../release/writing/lock.ts'
import { removeLeftovers } from '../../release/writing/staging.ts'
import type { Closed } from '../../source/read/closed.ts'

/** What a closing build need not know must not keep it from closing: what is current, what is held. */
export function unlessClosing(closed: Closed | null): (error: unknown) => null {
  return (error) => {
    if (closed === null) throw error
    return null
  }
}

/** A build that closed the site was killed, or somebody put an older release back: neither may stay. */
export async function goOnClosing(paths: ReleasePaths, id: string, log: Log): Promise<void> {
  try {
    const removed = await forgetAllBut(paths, [id])
    if (removed.length > 0) log.warn({ removed }, 'removed what a site that is closed to visitors must not show')
  } catch (error) {
    log.error({}, `what a closed site must not show is not removed: ${(error as Error).message}`)
  }
}

/** Many times what an empty release takes. */
const ROOM_BYTES = 64 << 20
const ROOM_FILES = 2000

/**
 * Where the disk is all but full, what a closed site must not show goes before the empty release is written, all but the
 * current one. Only there: removing much takes long, and the current one is public until the switch. What fails here fails
 * again after it, and is reported then.
 */
export async function makeRoom(
  paths: ReleasePaths,
  lock: Lock,
  stageFolder: string,
  signal: AbortSignal,
): Promise<readonly string[]> {
  const { bavail, bsize, files, ffree } = await statfs(paths.root)
  // Some file systems have as many files as they have bytes, and say 0 of 0.
  if (bavail * bsize >= ROOM_BYTES && (files === 0 || ffree >= ROOM_FILES)) return []
  if (!(await lock.owned())) return []
  const current = await currentId(paths)
  const kept = [...(current === null ? [] : [current]), basename(stageFolder)]
  return forgetAllBut(paths, kept, signal).catch(() => [])
}

/** What cannot be removed is out of sight, and must not keep a site public that has closed. */
export async function removeLeftoversOrWarn(paths: ReleasePaths, log: Log): Promise<void> {
  try {
    await removeLeftovers(paths, STAGING_PREFIX)
  } catch (error) {
    log.warn({}, `what a killed build left is not removed: ${(error as Error).message}`)
  }
}
