// Owns finding what was kept of a release for the gate of the next one. Decides nothing; writes nothing.
import { join } from 'node:path'
import { parseKeptPast, type KeptPast } from '../format/kept-past.ts'
import { REJECTED_PREFIX, type ReleasePaths } from '../format/paths.ts'
import { readKept } from './kept-file.ts'

/** @param name an id, or the folder of a rejected candidate */
export function keptPastPath({ state }: ReleasePaths, name: string): string {
  return join(state, `${name}.json`)
}

/**
 * What was kept of a release; a string = why nothing is.
 * @throws ReleaseError (unreadable): something may be kept
 */
export function readKeptPast(paths: ReleasePaths, name: string): Promise<KeptPast | string> {
  const id = name.startsWith(REJECTED_PREFIX) ? name.slice(REJECTED_PREFIX.length) : name
  return readKept(keptPastPath(paths, name), 'a kept past', (text) => parseKeptPast(text, id))
}
