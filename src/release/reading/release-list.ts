// Owns listing the releases of a folder, and which of them is current. Reads names only.
import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import type { ReleasePaths } from '../format/paths.ts'
import { MONTH, RELEASE_ID } from '../format/manifest.ts'
import { absent, reading, ReleaseError } from '../format/release-error.ts'

/** The folders below releases/ of one kind, in order: releases, archived months, or with a prefix staging folders or rejected candidates. */
export async function namesBelow({ releases }: ReleasePaths, which: RegExp | string): Promise<string[]> {
  const names = await reading('list', releases, () => readdir(releases).catch(absent<string[]>([])))
  return names.filter((name) => (typeof which === 'string' ? name.startsWith(which) : which.test(name))).sort()
}

/** Their ids, oldest first. None without the folder. */
export function listReleases(paths: ReleasePaths): Promise<string[]> {
  return namesBelow(paths, RELEASE_ID)
}

/** The archived months that are kept, the newest first. */
export async function newestMonths(paths: ReleasePaths, keepMonths: number): Promise<string[]> {
  return (await namesBelow(paths, MONTH)).reverse().slice(0, keepMonths)
}

/** The id that `current` points to; null when nothing was published. */
export async function currentId({ current }: ReleasePaths): Promise<string | null> {
  const target = await reading('read', current, () =>
    readlink(current).catch((error: NodeJS.ErrnoException) => {
      // readlink(2): EINVAL = no symbolic link; a copy without `cp -P` makes one.
      if (error.code !== 'EINVAL') return absent<null>(null)(error)
      throw new ReleaseError('write', `${current} is not a symbolic link; move it away, the next build makes one`)
    }),
  )
  return target === null ? null : basename(target)
}

/** @throws ReleaseError (absent) that names the releases there are */
export async function requireRelease(paths: ReleasePaths, id: string): Promise<void> {
  const releases = await listReleases(paths)
  if (!releases.includes(id))
    throw new ReleaseError('absent', `no release ${id} in ${paths.root}; there are: ${releases.join(', ') || 'none'}`)
}

/** The release before `id`, in time. */
export function releaseBefore(id: string, releases: readonly string[]): string | null {
  return releases.findLast((other) => other < id) ?? null
}
