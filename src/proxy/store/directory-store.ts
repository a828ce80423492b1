// Owns what the proxy adds to a reader of a local folder: how often it looks there. Knows no HTTP.
import { nullIfAbsent } from '../../release/format/release-error.ts'
import { releasePaths } from '../../release/format/paths.ts'
import { folderReader } from '../../release/reading/folder-reader.ts'
import type { StoredManifest } from '../../release/reading/release-reader.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** "Within a second of the switch": a readlink costs microseconds. */
const LOOK_MS = 400
/** How long an older manifest is believed: a release that was pruned is gone within a second. */
const BELIEVED_MS = 1000

export function directoryStore(snapshotsDir: string): SnapshotStore {
  const reader = folderReader(releasePaths(snapshotsDir))
  let loaded: StoredManifest | null = null
  return {
    ...reader,
    lookAgainMs: LOOK_MS,
    believedMs: BELIEVED_MS,
    async current() {
      const now = await reader.current(loaded).catch(nullIfAbsent)
      loaded = now ?? loaded
      return now?.manifest ?? null
    },
  }
}
