// Owns what is kept of the past of a release beside it, for the gate of the next one: its shape, reading and writing it, and
// removing what is of no release any more. Durable before its release is current, gone with it. Decides nothing.
import { hash } from 'node:crypto'
import { constants, lstat, open, readdir, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { MappingHashes, CountedPast } from '../../model/rows-by-month.ts'
import type { Manifest } from '../format/manifest.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../format/paths.ts'
import { absent, onDisk, onReleaseError, reading, readingOfRelease } from '../format/release-error.ts'
import { readBounded, whileOpen } from '../reading/bounded-text.ts'
import { listReleases, namesBelow } from '../reading/release-list.ts'
import { ensureFolder, syncFolder } from './fsync-folder.ts'
import { attemptEach, removeFolder } from './removal.ts'
import { replaceFile } from './state.ts'

/** Raised when an older program must not read it. */
const FORMAT = 3

/** Rows by month of one release or rejected candidate. Exact counts: they are never part of a release. */
export interface KeptPast {
  /** The release that it belongs to. */
  readonly id: string
  readonly mapping: Manifest['mapping'] & { readonly asked: MappingHashes }
  readonly past: CountedPast
  /** The release whose cut `past.earlier` was counted at; null = with none. */
  readonly comparedWith: string | null
}

export function keptPastText(kept: KeptPast): string {
  const said = { format: FORMAT, ...kept }
  return `${JSON.stringify({ ...said, sha256: hash('sha256', JSON.stringify(said)) })}\n`
}

/** Six relations with 2,500 months each, twice, are a third of it: no past has more. */
const MAX_KEPT_BYTES = 2 << 20

/** @param name an id, or the folder of a rejected candidate */
function keptPastPath({ state }: ReleasePaths, name: string): string {
  return join(state, `${name}.json`)
}

/**
 * What was kept of a release; a string = why nothing is, also where there is no file: the release was copied without it.
 * @throws ReleaseError (unreadable): something may be kept
 */
export async function readKeptPast(paths: ReleasePaths, name: string): Promise<KeptPast | string> {
  const id = name.startsWith(REJECTED_PREFIX) ? name.slice(REJECTED_PREFIX.length) : name
  const path = keptPastPath(paths, name)
  const pastIn = (text: string): KeptPast | string => {
    const found = parseKeptPast(text, id)
    return typeof found === 'string' ? `${path}: ${found}` : found
  }
  const read = readingOfRelease('read', path, () => readBounded(path, MAX_KEPT_BYTES, 'a kept past'))
  const whyDamaged = onReleaseError(({ message }) => message, 'damaged')
  return read.then(pastIn, whyDamaged)
}

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
  await onDisk('write', path, async () => {
    await ensureFolder(state, 0o700)
    // A copy may have opened it: exact counts are nobody else's. By its handle, because chmod(2) follows a link.
    const folder = await open(state, constants.O_DIRECTORY | constants.O_NOFOLLOW)
    await whileOpen(folder, () => folder.chmod(0o700))
    await replaceFile(path, text, 0o600)
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
  const owners = new Set([...(await listReleases(paths)), ...(await namesBelow(paths, REJECTED_PREFIX))])
  const gone = names.filter((name) => !owners.has(name.replace(/\.json$/, '')))
  if (gone.length === 0) return
  const remove = (): Promise<void> => attemptEach(gone, (name) => removeFolder(join(state, name)))
  await attemptEach([remove, () => syncFolder(state)], (step) => step())
}

/** What a text says of release `id`; a string = why it says nothing. */
export function parseKeptPast(text: string, id: string): KeptPast | string {
  try {
    const { sha256, ...said } = (JSON.parse(text) ?? {}) as KeptPast & Partial<Record<'format' | 'sha256', unknown>>
    const { format, ...kept } = said
    if (format !== FORMAT) return `its format is ${JSON.stringify(format)}, this version of the program has ${FORMAT}`
    if (kept.id !== id) return `it is that of ${JSON.stringify(kept.id)}`
    return sha256 === hash('sha256', JSON.stringify(said)) ? kept : 'it is not as it was written'
  } catch (error) {
    return `it is not JSON: ${(error as Error).message}`
  }
}
