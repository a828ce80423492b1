// Owns removing old releases: how many stay, and how long. Knows no closed site.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MONTH } from '../format/manifest.ts'
import { type ReleasePaths } from '../format/paths.ts'
import { reading } from '../format/release-error.ts'
import { currentId, listReleases, newestMonths, previousOf } from '../reading/release-list.ts'
import { forgetPasts } from './kept-past.ts'
import { attemptEach, removeEntry } from './removal.ts'

/**
 * How long a replaced release stays. All of these must be shorter: HTTP caches of current/manifest.json (max-age 60 s and
 * stale-while-revalidate 300 s), a copy by rsync, a proxy that has not seen the switch and asks its origin for older ids.
 * Only stale-if-error is longer (a day): then there is no answer at all that would be newer.
 */
export const GRACE_MINUTES = 15

/** How many stay at least. */
export interface Kept {
  readonly keep: number
  readonly keepMonths: number
}

export interface Pruned {
  readonly removed: readonly string[]
  /** Kept for now: made or replaced less than GRACE_MINUTES ago. */
  readonly young: readonly string[]
}

/**
 * Removes old releases, with their pasts, but the newest `keep`, the current one, the one before it, and whatever was made or replaced
 * less than GRACE_MINUTES ago; and archived months but the newest `keepMonths`. Each is renamed first, so that no reader finds half
 * of one.
 * @param signal when it aborts, the remaining ones are kept
 * @param needed releases that stay, too
 * @throws ReleaseError of the first that could not be removed, after all others were
 */
export async function prune(
  paths: ReleasePaths,
  { keep, keepMonths }: Kept,
  nowMs: number,
  signal: AbortSignal | null = null,
  needed: readonly string[] = [],
): Promise<Pruned> {
  const { releases: folder } = paths
  const releases = await listReleases(paths)
  const current = await currentId(paths)
  const spared = new Set([
    current,
    current === null ? null : previousOf(current, releases),
    ...releases.slice(-keep),
    ...needed,
  ])
  const removed: string[] = []
  const young: string[] = []
  const removeOld = async (id: string): Promise<void> => {
    if (spared.has(id) || signal?.aborted === true) return
    const path = join(folder, id)
    const { mtimeMs } = await reading('look at', path, () => stat(path))
    if (nowMs - mtimeMs < GRACE_MINUTES * 60_000) {
      young.push(id)
      return
    }
    await removeEntry(folder, id)
    removed.push(id)
  }
  const removeOldMonths = async (): Promise<void> => {
    const kept = await newestMonths(paths, keepMonths)
    const old = (await listReleases(paths, MONTH)).filter((month) => !kept.includes(month))
    await attemptEach(old, (month) => removeEntry(folder, month))
    removed.push(...old)
  }
  const steps = [() => attemptEach(releases, removeOld), () => forgetPasts(paths), removeOldMonths]
  await attemptEach(steps, (step) => step())
  return { removed, young }
}
