// Owns looking at what is published, where a release that cannot be read is as good as none. Changes nothing.
import { currentId } from '../release/list.ts'
import { readManifest, type Manifest } from '../release/open.ts'

export async function currentManifest(snapshotsDir: string): Promise<Manifest | null> {
  const id = await currentId(snapshotsDir)
  return id === null ? null : readManifest(snapshotsDir, id).catch(() => null)
}
