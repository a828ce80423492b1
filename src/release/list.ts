// Owns listing what stands below releases/, and which of it is current. Reads names only.
import { readdir, readlink } from 'node:fs/promises'
import { basename } from 'node:path'
import { layoutOf } from './layout.ts'
import { RELEASE_ID } from './manifest.ts'

/** Release ids, oldest first; with a prefix the names of stages or refused candidates instead. None without the folder. */
export async function listReleases(snapshotsDir: string, prefix?: string): Promise<string[]> {
  const names = await readdir(layoutOf(snapshotsDir).releases).catch(absent<string[]>([]))
  return names.filter((name) => (prefix === undefined ? RELEASE_ID.test(name) : name.startsWith(prefix))).sort()
}

/** The id that `current` points to; null when nothing was published. */
export async function currentId(snapshotsDir: string): Promise<string | null> {
  const target = await readlink(layoutOf(snapshotsDir).current).catch(absent<null>(null))
  return target === null ? null : basename(target)
}

/** The release before `id`, in time. */
export function previousOf(id: string, releases: readonly string[]): string | null {
  return releases.findLast((other) => other < id) ?? null
}

function absent<T>(value: T): (error: NodeJS.ErrnoException) => T {
  return (error) => {
    if (error.code === 'ENOENT') return value
    throw error
  }
}
