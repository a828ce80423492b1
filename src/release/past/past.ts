// Owns the journal on the disk: reading it with what of it counts, and adding a line durably. Decides nothing.
import type { ReleasePaths } from '../format/paths.ts'
import { absent, reading, ReleaseError } from '../format/release-error.ts'
import { readOwn } from '../reading/bounded-text.ts'
import { currentId, listReleases } from '../reading/release-list.ts'
import { addToOwn, replaceState } from '../writing/state.ts'
import { INSTEAD, linesIn, linesOf, stateOf, textOf, type Line, type JournalState, type Pin } from './journal.ts'

export interface KnownJournal extends JournalState {
  /** The next line can follow the last one. */
  readonly isWhole: boolean
}

/** @throws ReleaseError (unreadable), also of a journal that is damaged */
async function readLines({ journal }: ReleasePaths): Promise<ReturnType<typeof linesIn>> {
  return linesIn(await reading('read', journal, () => readOwn(journal).catch(absent(''))), journal)
}

/** The pin, whatever became of the release that it names. @throws ReleaseError (unreadable): it may be there */
export async function readPin(paths: ReleasePaths): Promise<Pin | null> {
  return stateOf((await readLines(paths)).lines).pin
}

/**
 * A line is written before the release that it names becomes current, and counts when that is, or when another line follows it.
 * @throws ReleaseError (unreadable), also of the journal of another folder
 */
export async function readJournal(paths: ReleasePaths): Promise<KnownJournal> {
  // In this order: what becomes current meanwhile is in a line that does not count yet.
  const current = await currentId(paths)
  const { lines, isTorn } = await readLines(paths)
  const id = lines.at(-1)?.id
  // A torn line was added to one that counts.
  const isLast = isTorn || id === undefined
  const counts = isLast || (current === null ? (await listReleases(paths)).includes(id) : current === id)
  const past = stateOf(lines, counts)
  const isKnown = past.last === current || (!isTorn && past.lineage.has(current ?? ''))
  if (current !== null && lines.length > 0 && !isKnown)
    throw new ReleaseError(
      'unreadable',
      `${paths.journal} does not name ${current}, which is current: it is that of another folder, or older${isTorn ? ', or its last line is damaged' : ''}; ${INSTEAD}`,
    )
  return { ...past, isWhole: lines.length > 0 && counts && !isTorn }
}

/** Adds a line, durably. Only for the holder of the lock. @throws ReleaseError */
export async function note(paths: ReleasePaths, past: KnownJournal, line: Line): Promise<void> {
  const anew = (): Promise<void> => writeJournal(paths, past, line)
  // Once a day it is written anew, with what of it is needed; and where a line cannot be added, as to a file of another user.
  await (past.isWhole && line.days === undefined ? addToOwn(paths.journal, textOf([line])).catch(anew) : anew())
}

/** Writes the journal anew. Only for the holder of the lock. @throws ReleaseError with the journal as it was, or the new one */
export async function writeJournal(paths: ReleasePaths, past: JournalState, ...more: readonly Line[]): Promise<void> {
  const lines = [...linesOf(past, await listReleases(paths)), ...more]
  await replaceState(paths, 'journal', textOf(lines))
}
