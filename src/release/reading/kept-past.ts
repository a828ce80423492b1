// Owns finding what was kept of a release for the gate of the next one. Decides nothing; writes nothing.
import { join } from 'node:path'
import { parseKeptPast, type KeptPast } from '../format/kept-past.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../format/paths.ts'
import { readingOfRelease, ReleaseError } from '../format/release-error.ts'
import { readBounded } from './bounded-text.ts'

/** Half of it are five relations with 2,500 months each, twice. */
export const MAX_KEPT_BYTES: number = 1 << 20

/** @param name an id, or the folder of a rejected candidate */
export function keptPastPath({ state }: ReleasePaths, name: string): string {
  return join(state, `${name}.json`)
}

/**
 * What was kept of a release; a string = why nothing is, also where there is no file: an earlier version made the release, or
 * it was copied without it.
 * @throws ReleaseError (unreadable): something may be kept
 */
export async function readKeptPast(paths: ReleasePaths, name: string): Promise<KeptPast | string> {
  const id = name.startsWith(REJECTED_PREFIX) ? name.slice(REJECTED_PREFIX.length) : name
  const path = keptPastPath(paths, name)
  try {
    const text = await readingOfRelease('read', path, () => readBounded(path, MAX_KEPT_BYTES, 'a kept past'))
    const found = parseKeptPast(text, id)
    return typeof found === 'string' ? `${path}: ${found}` : found
  } catch (error) {
    if (error instanceof ReleaseError && error.code === 'damaged') return error.message
    throw error
  }
}
