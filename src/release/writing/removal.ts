// Owns removing folders below releases/: no server finds one any more before its first file goes, and one that cannot be
// removed keeps none of the others. Knows no release.
import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { STAGING_PREFIX } from '../format/paths.ts'
import { onDisk } from '../format/release-error.ts'

/**
 * Renames a folder, so that no server finds it. The next build removes it, if nobody does before.
 * @returns its new path; never one that an interrupted removal of the same name has left
 */
export async function hide(releases: string, name: string): Promise<string> {
  const path = join(releases, name)
  const hidden = join(releases, `${STAGING_PREFIX}pruned-${name}-${randomBytes(4).toString('hex')}`)
  await onDisk('remove', path, () => rename(path, hidden))
  return hidden
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
