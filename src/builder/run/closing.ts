// Owns removing published data when the site is closed. Errors that do not concern the closing are not reported as failures.
import { statfs } from 'node:fs/promises'
import { basename } from 'node:path'
import { forgetAllBut } from '../../release/past/forget.ts'
import { currentId } from '../../release/reading/release-list.ts'
import type { BuildContext } from './context.ts'

/** Many times the size of an empty release. */
const ROOM_BYTES = 64 << 20
const ROOM_FILES = 2000

/**
 * On a disk that is almost full, removes what a closed site must not show before the empty release is written, but for the
 * current release. Only then: to remove much takes long, and the current release is public until the switch. An error here
 * comes again after the switch, and is reported there.
 */
export async function makeRoom(
  { request: { paths }, lock, signal }: BuildContext,
  stagingFolder: string,
): Promise<readonly string[]> {
  const { bavail, bsize, files, ffree } = await statfs(paths.root)
  // Some file systems have no limit of files, and report 0 of 0.
  if (bavail * bsize >= ROOM_BYTES && (files === 0 || ffree >= ROOM_FILES)) return []
  if (!(await lock.owned())) return []
  const current = await currentId(paths)
  const kept = [...(current === null ? [] : [current]), basename(stagingFolder)]
  return forgetAllBut(paths, kept, signal).catch(() => [])
}
