// Owns removing everything below releases/ but one release, at once: of a site that closed, or on demand. Knows no age and
// no --keep.
import { rm } from 'node:fs/promises'
import { syncFolder } from './fsync-folder.ts'
import { forgetPasts } from './kept-past.ts'
import { attemptEach, hide, removeEntry } from './removal.ts'
import { type ReleasePaths, REJECTED_PREFIX, STAGING_PREFIX } from '../format/paths.ts'
import { currentId, listReleases, newestMonths } from '../reading/release-list.ts'
import { readManifest } from '../reading/folder-reader.ts'
import { MONTH, type Manifest } from '../format/manifest.ts'
import { onDisk, ReleaseError } from '../format/release-error.ts'

/**
 * What a closed site must not show: removes every other release, archived months, rejected candidates, their pasts, staging
 * folders, and the log of days. All folders are renamed first, so
 * that no server finds them; removing them may take long. Only for the holder of the lock.
 * @param kept names below releases/
 * @param signal when it aborts, renamed folders are left for the next build to remove
 * @returns the names of the removed releases and candidates
 * @throws ReleaseError of the first that could not be removed, after all others were
 */
export async function forgetAllBut(
  paths: ReleasePaths,
  kept: readonly string[],
  signal: AbortSignal | null = null,
): Promise<string[]> {
  let removed: string[] = []
  const forgetReleases = async (): Promise<void> => void (removed = await removeAllBut(paths, kept, signal))
  const forget = (path: string): Promise<void> => onDisk('remove', path, () => rm(path, { force: true }))
  await attemptEach([forgetReleases, () => forget(paths.log), () => forget(paths.revisions)], (step) => step())
  return removed
}

async function removeAllBut(
  paths: ReleasePaths,
  kept: readonly string[],
  signal: AbortSignal | null,
): Promise<string[]> {
  const { releases } = paths
  const others = [
    ...(await listReleases(paths)),
    ...(await listReleases(paths, MONTH)),
    ...(await listReleases(paths, REJECTED_PREFIX)),
  ].filter((name) => !kept.includes(name))
  const hidden: string[] = []
  const hideAll = (): Promise<void> =>
    attemptEach(others, async (name) => {
      await hide(releases, name)
      hidden.push(name)
    })
  // Otherwise a power cut brings them back.
  const sync = async (): Promise<void> => (hidden.length === 0 ? undefined : syncFolder(releases))
  const removeAll = async (): Promise<void> =>
    attemptEach(await listReleases(paths, STAGING_PREFIX), async (name) => {
      if (signal?.aborted !== true && !kept.includes(name)) await removeEntry(releases, name)
    })
  await attemptEach([hideAll, sync, removeAll, () => forgetPasts(paths)], (step) => step())
  return hidden
}

/** Archived months that no server finds any more, also after a power cut: the next build removes what is left of them. */
export async function hideMonths(paths: ReleasePaths, months: readonly string[]): Promise<void> {
  await attemptEach(months, async (month) => {
    await hide(paths.releases, month)
  })
  if (months.length > 0) await syncFolder(paths.releases)
}

/**
 * Where the current release is of a closed site, removes everything else, which a killed build or a restored copy left.
 * Only for the holder of the lock.
 */
export async function finishClosing(
  paths: ReleasePaths,
  current: Pick<Manifest, 'id' | 'closed'> | null,
  signal: AbortSignal,
): Promise<string[]> {
  return current?.closed === true ? forgetAllBut(paths, [current.id], signal) : []
}

/**
 * Removes at once what `prune` would keep for a while: a title must disappear now. Archived months, which have none, stay but
 * for those that `prune` removes. Only for the holder of the lock.
 * @throws ReleaseError when the current release cannot be read; then nothing is removed
 */
export async function keepCurrentOnly(
  paths: ReleasePaths,
  keepMonths: number,
  signal: AbortSignal | null = null,
): Promise<string[]> {
  const id = await currentId(paths)
  if (id === null)
    throw new ReleaseError(
      'absent',
      `no release is current in ${paths.root}, so nothing would be left; build one first`,
    )
  await readManifest(paths, id)
  return removeAllBut(paths, [id, ...(await newestMonths(paths, keepMonths))], signal)
}
