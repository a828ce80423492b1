// Owns looking at what is published, where a damaged release is as good as none. Changes nothing.
import { currentId } from '../release/reading/release-list.ts'
import { readManifest, ReleaseError, type Manifest } from '../release/reading/open.ts'

/** @throws ReleaseError (unreadable): what is published may be whole */

export async function currentManifest(snapshotsDir: string): Promise<Manifest | null> {
  const id = await currentId(snapshotsDir)
  if (id === null) return null
  return readManifest(snapshotsDir, id).catch((error: unknown) => {
    if (error instanceof ReleaseError && error.code === 'damaged') return null
    throw error
  })
}
