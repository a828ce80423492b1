// Owns removing folders below releases/: each is renamed first, so that no server finds half of one, and one that cannot be removed
// does not keep the others from being removed. Knows no release.
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STAGING_PREFIX } from '../format/paths.ts'
import { absent, onDisk } from '../format/release-error.ts'

const HIDDEN_PREFIX = `${STAGING_PREFIX}pruned-`

/**
 * Renames a folder, if it is there, so that no server finds it. The next build removes it, if nobody does before.
 * @returns its new path; never one that an interrupted removal of the same name has left
 */
export async function hide(releases: string, name: string): Promise<string> {
  const path = join(releases, name)
  const hidden = join(releases, `${HIDDEN_PREFIX}${name}-${randomBytes(4).toString('hex')}`)
  await onDisk('remove', path, () => rename(path, hidden).catch(absent(undefined)))
  return hidden
}

/**
 * Removes a folder below releases/, if it is there. Renamed first: a build that was stopped while another took over its lock
 * may be about to publish its staging folder, and must publish all of it or nothing.
 */
export async function removeEntry(releases: string, name: string): Promise<void> {
  const isHidden = name.startsWith(HIDDEN_PREFIX)
  await removeFolder(isHidden ? join(releases, name) : await hide(releases, name))
}

export async function removeFolder(path: string): Promise<void> {
  await onDisk('remove', path, () => rm(path, { recursive: true, force: true }))
}

/** Does the step for each, also after one has failed. @throws the first failure, after all others were tried */
export async function attemptEach<T>(all: readonly T[], step: (one: T) => Promise<void>): Promise<void> {
  const failures: unknown[] = []
  for (const one of all) await step(one).catch((error: unknown) => failures.push(error))
  if (failures.length > 0) throw failures[0]
}
