// Owns which releases are removed: old ones, or at once everything below releases/ but some.
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import { MONTH, RELEASE_ID } from '../format/manifest.ts'
import { type ReleasePaths, REJECTED_PREFIX, STAGING_PREFIX } from '../format/paths.ts'
import { reading, ReleaseError } from '../format/release-error.ts'
import { readManifest } from '../reading/folder-reader.ts'
import { currentId, listReleases, namesBelow, newestMonths, releaseBefore } from '../reading/release-list.ts'
import { syncFolder } from './fsync-folder.ts'
import { forgetPasts } from './kept-past.ts'
import { attemptEach, hide, removeEntry } from './removal.ts'

/**
 * How long a replaced release stays. All of these must be shorter: HTTP caches of current/manifest.json (max-age 60 s and
 * stale-while-revalidate 300 s), a copy by rsync, a proxy that has not seen the switch and asks its origin for older ids.
 * Only stale-if-error is longer (a day): then there is no answer at all that would be newer.
 */
export const GRACE_MINUTES = 15

/** The `young` ones were made or replaced less than GRACE_MINUTES ago, and are kept for now. */
export type Pruned = Awaited<ReturnType<typeof prune>>

/**
 * Removes old releases, with their pasts, but the newest `keep`, the current one, the one before it, and whatever was made or replaced
 * less than GRACE_MINUTES ago; and archived months but the newest `keepMonths`.
 * @param signal when it aborts, renamed folders are left for the next build to remove
 * @param needed releases that stay, too
 * @throws ReleaseError of the first that could not be removed, after all others were
 */
export async function prune(
  paths: ReleasePaths,
  { keep, keepMonths }: Readonly<Record<'keep' | 'keepMonths', number>>,
  nowMs: number,
  signal: AbortSignal | null = null,
  needed: readonly string[] = [],
) {
  const releases = await listReleases(paths)
  const current = await currentId(paths)
  const before = current === null ? null : releaseBefore(current, releases)
  const spared = new Set([current, before, ...releases.slice(-keep), ...needed])
  const months = await newestMonths(paths, keepMonths)
  const oldMonths = (await namesBelow(paths, MONTH)).filter((month) => !months.includes(month))
  const [aged, young]: [string[], string[]] = [[], []]
  const look = async (id: string): Promise<void> => {
    const path = join(paths.releases, id)
    const { mtimeMs } = await reading('look at', path, () => stat(path))
    ;(nowMs - mtimeMs < GRACE_MINUTES * 60_000 ? young : aged).push(id)
  }
  const old = releases.filter((id) => !spared.has(id))
  const removed = (): string[] => [...aged, ...oldMonths]
  await attemptEach([() => attemptEach(old, look), () => remove(paths, removed(), signal)], (step) => step())
  return { removed: removed(), young }
}

/**
 * Everything below releases/ but these names, with the pasts of what is removed.
 * @returns the names of the removed releases and candidates
 */
export async function removeAllBut(
  paths: ReleasePaths,
  kept: readonly string[],
  signal: AbortSignal | null,
): Promise<string[]> {
  const kinds = [RELEASE_ID, MONTH, REJECTED_PREFIX]
  const names = await Promise.all(kinds.map((kind) => namesBelow(paths, kind)))
  const others = names.flat().filter((name) => !kept.includes(name))
  await remove(paths, others, signal, kept)
  return others
}

/** All folders are renamed first, so that no reader finds half of one; removing them, and what others left, may take long. */
async function remove(
  paths: ReleasePaths,
  names: readonly string[],
  signal: AbortSignal | null,
  kept: readonly string[] = [],
): Promise<void> {
  const removeHidden = async (): Promise<void> =>
    attemptEach(await namesBelow(paths, STAGING_PREFIX), async (name) => {
      if (signal?.aborted !== true && !kept.includes(name)) await removeEntry(paths.releases, name)
    })
  await attemptEach([() => hideAll(paths, names), removeHidden, () => forgetPasts(paths)], (step) => step())
}

/** No server finds them any more, also after a power cut: the next build removes what is left of them. */
export async function hideAll(paths: ReleasePaths, names: readonly string[]): Promise<void> {
  const { releases } = paths
  const hideEach = (): Promise<void> => attemptEach(names, async (name) => void (await hide(releases, name)))
  if (names.length > 0) await attemptEach([hideEach, () => syncFolder(releases)], (step) => step())
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
