// Owns the folder of the pasts that are kept beside releases, one file for each and the rejected candidate. Durable before the
// release is current, gone with it. Decides nothing.
import { randomBytes } from 'node:crypto'
import { constants, lstat, mkdir, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { count } from '../../process/printable.ts'
import { keptPastText, type KeptPast } from '../format/kept-past.ts'
import { REJECTED_PREFIX, STAGING_PREFIX, type ReleasePaths } from '../format/paths.ts'
import { absent, onDisk, reading, ReleaseError } from '../format/release-error.ts'
import { keptPastPath, MAX_KEPT_BYTES } from '../reading/kept-past.ts'
import { listReleases } from '../reading/release-list.ts'
import { syncFolder } from './fsync-folder.ts'
import { attemptEach, removeFolder } from './removal.ts'
import { replaceFile } from './replace-file.ts'

/**
 * Keeps the past of a release that is about to be promoted, or of a candidate that is about to be rejected. Its name says
 * whose it is, so that whenever a build is killed, nothing is taken for the past of another release. Only for the holder of
 * the lock.
 * @param name the folder that it will have below releases/
 */
export async function keepPast(paths: ReleasePaths, name: string, kept: KeptPast): Promise<void> {
  await forgetPasts(paths)
  const { root, state } = paths
  const path = keptPastPath(paths, name)
  const text = keptPastText(kept)
  const bytes = Buffer.byteLength(text)
  // What cannot be read again is not kept: the next build would go on without it.
  if (bytes > MAX_KEPT_BYTES)
    throw new ReleaseError(
      'write',
      `${path} would have ${count(bytes)} bytes, and no reader takes more than ${count(MAX_KEPT_BYTES)}: nothing is published. Please report it`,
    )
  const next = join(state, `${STAGING_PREFIX}${randomBytes(4).toString('hex')}`)
  await onDisk('write', path, async () => {
    await mkdir(state, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error
    })
    // A copy may have opened it: exact counts are nobody else's. By its handle, because chmod(2) follows a link.
    const folder = await open(state, constants.O_DIRECTORY | constants.O_NOFOLLOW)
    try {
      await folder.chmod(0o700)
    } finally {
      await folder.close()
    }
    await replaceFile(path, next, text, 0o600)
  })
  await syncFolder(state)
  await syncFolder(root)
}

/**
 * Removes what is kept of all that no longer exists, and what a killed build left. Only for the holder of the lock.
 * @throws ReleaseError of the first that could not be removed, after all others were
 */
export async function forgetPasts(paths: ReleasePaths): Promise<void> {
  const { state } = paths
  const there = await reading('list', state, () => lstat(state).catch(absent(null)))
  // What a planted link leads to is not ours to list or to remove.
  if (there?.isSymbolicLink() === true) await onDisk('remove', state, () => rm(state))
  const names = await reading('list', state, () => readdir(state).catch(absent<string[]>([])))
  const owners = new Set([...(await listReleases(paths)), ...(await listReleases(paths, REJECTED_PREFIX))])
  const gone = names.filter((name) => !owners.has(name.replace(/\.json$/, '')))
  if (gone.length === 0) return
  const remove = (): Promise<void> => attemptEach(gone, (name) => removeFolder(join(state, name)))
  await attemptEach([remove, () => syncFolder(state)], (step) => step())
}
