// Owns reading the manifest of the current release; a damaged one counts as none. Changes nothing.
import { currentId } from '../../release/reading/release-list.ts'
import { readManifest, ReleaseError, type Manifest } from '../../release/reading/open.ts'
import type { ReleasePaths } from '../../release/format/paths.ts'

/** @throws ReleaseError (unreadable): the release may be whole */
export async function currentManifest(paths: ReleasePaths): Promise<Manifest | null> {
  const id = await currentId(paths)
  if (id === null) return null
  return readManifest(paths, id).catch((error: unknown) => {
    if (error instanceof ReleaseError && error.code === 'damaged') return null
    throw error
  })
}
