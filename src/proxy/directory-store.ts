// Owns reading releases from a local folder. Knows no HTTP.
import type { Readable } from 'node:stream'
import { currentId, openSnapshot, readManifest, readSnapshot, type Manifest } from '../release/open.ts'
import type { SnapshotStore } from './snapshot-store.ts'

export function directoryStore(snapshotsDir: string): SnapshotStore {
  let loaded: Manifest | null = null
  return {
    siblings: true,
    async current() {
      const id = await currentId(snapshotsDir)
      if (id !== null && id !== loaded?.id) loaded = await readManifest(snapshotsDir, id)
      return id === null ? null : loaded
    },
    manifest: (id) => readManifest(snapshotsDir, id),
    read: (id, file) => readSnapshot(snapshotsDir, id, file),
    async stream(id, file): Promise<Readable> {
      const handle = await openSnapshot(snapshotsDir, id, file)
      // The open file lives as long as the answer: a release pruned meanwhile is read to its end.
      return handle.createReadStream({ highWaterMark: 256 * 1024 })
    },
    close: () => Promise.resolve(),
  }
}
