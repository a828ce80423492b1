// Owns the releases that are no longer current, loaded for clients that still read them: each once, within a size. Knows no HTTP.
import { LRUCache } from 'lru-cache'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { StoredManifest } from '../../release/reading/release-reader.ts'
import { loadRelease, type LoadedRelease } from './release-watcher.ts'
import { SharedWork } from './shared-work.ts'
import { nullIfAbsent, type SnapshotStore } from './snapshot-store.ts'

export interface OlderRelease {
  readonly release: LoadedRelease
  /** Its manifest, whose text is not kept. */
  readonly stored: StoredManifest
}

interface BelievedRelease extends OlderRelease {
  readonly untilMs: number
}

/** Of manifests as objects. The last one is kept whatever its size: else every request would load it again. */
const KEPT_BYTES = 128 << 20
/** What a byte of a manifest's text takes as objects, look-ups included. */
const BYTES_PER_CHAR = 2
/** A release that is there but cannot be loaded, or was just removed, is not tried again for this long. */
const FAILURE_MS = 1000
/** Releases that cannot be loaded: those that are asked for must be there, so they are few. */
const FAILURES = 100

export class OlderReleases {
  readonly #store: SnapshotStore
  readonly #kept: LRUCache<string, BelievedRelease>
  readonly #failures = new LRUCache<string, ReleaseError>({ max: FAILURES, ttl: FAILURE_MS, ttlResolution: 0 })
  readonly #loading = new SharedWork<BelievedRelease>()

  constructor(store: SnapshotStore, keptBytes: number = KEPT_BYTES) {
    this.#store = store
    const sizeCalculation = ({ stored }: BelievedRelease): number =>
      Math.max(1, Math.min(keptBytes, stored.bytes * BYTES_PER_CHAR))
    this.#kept = new LRUCache({ maxSize: keptBytes, sizeCalculation })
  }

  /** Requests for one id share its load. Null = there is no such release. @throws ReleaseError */
  async get(id: string): Promise<OlderRelease | null> {
    const kept = this.#kept.get(id)
    if (kept !== undefined && performance.now() < kept.untilMs) return kept
    if (!(await this.#store.mayHave(id))) {
      this.#kept.delete(id)
      return null
    }
    const failed = this.#failures.get(id)
    if (failed !== undefined) return nullIfAbsent(failed)
    return this.#loading.of(id, () => this.#load(id)).catch(nullIfAbsent)
  }

  /** After a failed read: the manifest is read again before the release is used. */
  doubt(id: string): void {
    const kept = this.#kept.peek(id)
    if (kept !== undefined) this.#kept.set(id, { ...kept, untilMs: 0 })
  }

  async #load(id: string): Promise<BelievedRelease> {
    const before = this.#kept.peek(id)
    try {
      const stored = await this.#store.manifest(id, before?.stored ?? null)
      const { release } = stored === before?.stored ? before : { release: loadRelease(stored.manifest) }
      const untilMs = performance.now() + this.#store.believedMs
      const kept = { release, stored, untilMs }
      this.#kept.set(id, kept)
      return kept
    } catch (error) {
      if (!(error instanceof ReleaseError)) throw error
      this.#kept.delete(id)
      this.#failures.set(id, error)
      throw error
    }
  }
}
