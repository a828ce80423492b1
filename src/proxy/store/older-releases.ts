// Owns the releases that are no longer current, loaded for clients that still read them: each once, within a size. Knows no HTTP.
import { nullIfAbsent } from '../../release/format/release-error.ts'
import { keptWork } from './kept-work.ts'
import { loadRelease, type LoadedRelease } from './release-watcher.ts'
import type { SnapshotStore } from './snapshot-store.ts'

interface BelievedRelease {
  readonly release: LoadedRelease
  untilMs: number
}

/** The most bytes of manifests as objects. The last one is kept whatever its size: otherwise every request would load it again. */
const KEPT_BYTES = 128 << 20
/** How many bytes of objects a byte of a manifest's text becomes, look-ups included. */
const BYTES_PER_CHAR = 2

export function olderReleases(store: SnapshotStore, keptBytes = KEPT_BYTES) {
  const all = keptWork<BelievedRelease>(keptBytes, ({ release }) => (release.stored?.bytes ?? 0) * BYTES_PER_CHAR)

  async function load(id: string, before: LoadedRelease | undefined): Promise<BelievedRelease> {
    const stored = await store.manifest(id, before?.stored ?? null)
    const release = stored === before?.stored ? before : loadRelease(stored.manifest, stored)
    return { release, untilMs: performance.now() + store.believedMs }
  }

  return {
    /** Requests for one id share its load. Null = there is no such release. @throws ReleaseError */
    async get(id: string): Promise<LoadedRelease | null> {
      const kept = all.get(id)
      if (kept !== undefined && performance.now() < kept.untilMs) return kept.release
      const loaded = await all.do(id, () => load(id, kept?.release)).catch(nullIfAbsent)
      return loaded && loaded.release
    },

    /** Is told of a failed read: the manifest is read again before the release is used. */
    doubt(id: string): void {
      const kept = all.get(id)
      if (kept !== undefined) kept.untilMs = 0
    },
  }
}
