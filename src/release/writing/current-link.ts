// Owns which promoted release is current. Writes no snapshot, removes no release.
import { randomBytes } from 'node:crypto'
import { lutimes, rename, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { type ReleasePaths, STAGING_PREFIX } from '../format/paths.ts'
import { onDisk } from '../format/release-error.ts'
import { currentId } from '../reading/release-list.ts'
import { syncFolder } from './fsync-folder.ts'

/**
 * Points `current` at a release: a new symlink renamed over the old one, so that a reader sees one or the other.
 * @throws ReleaseError with `current` as it was
 */
export async function switchTo(paths: ReleasePaths, id: string, nowMs: number): Promise<void> {
  const { root, releases, current } = paths
  const replaced = await currentId(paths)
  await point(paths, id)
  try {
    await syncFolder(root)
  } catch (error) {
    // After a reported failure the release before must be current, also after a power cut.
    await (replaced === null ? rm(current) : point(paths, replaced)).catch(() => {})
    throw error
  }
  // prune() counts the grace period from here. After a rollback it may be older than others that prune keeps.
  if (replaced !== null && replaced !== id)
    await lutimes(join(releases, replaced), nowMs / 1000, nowMs / 1000).catch(() => {})
}

/** Without waiting for the disk: see switchTo. */
export async function point({ releases, current }: ReleasePaths, id: string): Promise<void> {
  const next = join(releases, `${STAGING_PREFIX}current-${randomBytes(4).toString('hex')}`)
  await onDisk('switch', current, async () => {
    await symlink(join('releases', id), next)
    try {
      await rename(next, current)
    } catch (error) {
      await rm(next, { force: true })
      throw error
    }
  })
}
