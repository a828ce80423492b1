// Owns noting a release in the journal as a build does it, for tests that make one current without a build.
import type { ReleasePaths } from '../../src/release/format/paths.ts'
import { note, readJournal } from '../../src/release/past/past.ts'

/** Before it is current. @param from whose history it carries on; undefined = nothing is said of that */
export async function noteRelease(paths: ReleasePaths, id: string, from?: string | null): Promise<void> {
  await note(paths, await readJournal(paths), from === undefined ? { id } : { id, from })
}
