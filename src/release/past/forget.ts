// Owns what goes when a site closes: every other release, and what is kept of the past. Decides nothing.
import { unlink } from 'node:fs/promises'
import type { Manifest } from '../format/manifest.ts'
import type { ReleasePaths } from '../format/paths.ts'
import { absent, onDisk } from '../format/release-error.ts'
import { currentId } from '../reading/release-list.ts'
import { removeAllBut } from '../writing/prune.ts'
import { endLogs } from '../writing/published.ts'
import { attemptEach } from '../writing/removal.ts'
import { EMPTY_JOURNAL } from './journal.ts'
import { readPin, writeJournal } from './past.ts'

/**
 * What a closed site must not show: removes every other release, archived months, rejected candidates, their pasts, staging
 * folders, the log of days, and the journal but for the pin. Only for the holder of the lock.
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
  const forget = (path: string): Promise<void> => onDisk('remove', path, () => unlink(path).catch(absent(undefined)))
  // A pin stays: so one that cannot be read is left to the next command.
  const beginAnew = async (): Promise<void> =>
    writeJournal(paths, { ...EMPTY_JOURNAL, last: await currentId(paths), pin: await readPin(paths) })
  const forgetFiles = [() => endLogs(paths), () => forget(paths.log), beginAnew]
  await attemptEach([forgetReleases, ...forgetFiles], (step) => step())
  return removed
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
