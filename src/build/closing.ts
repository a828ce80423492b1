// Owns what a build of a closed site does that another does not: it takes away what must not be shown, and lets nothing that
// it need not know stop it. Asks no database whether the site is closed.
import { basename } from 'node:path'
import type { Log } from '../process/log.ts'
import { forgetAllBut } from '../release/forget.ts'
import { STAGE_PREFIX } from '../release/layout.ts'
import { currentId } from '../release/list.ts'
import type { Lock } from '../release/lock.ts'
import { removeLeftovers } from '../release/stage.ts'
import type { Closed } from '../source/closed.ts'

/** What a closing build need not know must not keep it from closing: what is current, what is held. */
export function unlessClosing(closed: Closed | null): (error: unknown) => null {
  return (error) => {
    if (closed === null) throw error
    return null
  }
}

/** A build that closed the site was killed, or somebody put an older release back: neither may stay. */
export async function goOnClosing(snapshotsDir: string, id: string, log: Log): Promise<void> {
  try {
    const removed = await forgetAllBut(snapshotsDir, [id])
    if (removed.length > 0) log.warn({ removed }, 'removed what a site that is closed to visitors must not show')
  } catch (error) {
    log.error({}, `what a closed site must not show is not removed: ${(error as Error).message}`)
  }
}

/**
 * All that a closed site must not show but the current release goes before the empty one is written: it makes room where
 * the disk is full. What fails here fails again after the switch, and is reported then.
 */
export async function makeRoom(snapshotsDir: string, lock: Lock, stageFolder: string): Promise<readonly string[]> {
  if (!(await lock.owned())) return []
  const current = await currentId(snapshotsDir)
  return forgetAllBut(snapshotsDir, [...(current === null ? [] : [current]), basename(stageFolder)]).catch(() => [])
}

/** What cannot be removed is out of sight, and must not keep a site public that has closed. */
export async function removeLeftoversOrWarn(snapshotsDir: string, log: Log): Promise<void> {
  try {
    await removeLeftovers(snapshotsDir, STAGE_PREFIX)
  } catch (error) {
    log.warn({}, `what a killed build left is not removed: ${(error as Error).message}`)
  }
}
