// Owns what the proxy adds to a reader of a local folder: how often it looks there. Knows no HTTP.
import { SERVED_FOLDER } from '../../release/format/manifest.ts'
import { releasePaths, type ReleasePaths } from '../../release/format/paths.ts'
import { listReleases } from '../../release/reading/release-list.ts'
import { folderReader } from '../../release/reading/folder-reader.ts'
import type { StoredManifest } from '../../release/reading/release-reader.ts'
import { nullIfAbsent, type SnapshotStore } from './snapshot-store.ts'

/** "Within a second of the switch": a readlink costs microseconds. */
const LOOK_MS = 400
/** How long an older manifest is believed: a release that was pruned is gone within a second. */
const BELIEVED_MS = 1000
/** The list of releases is read so often, whatever is asked for … */
const LISTED_MS = 1000
/** … and sooner for an id later than all in it: another proxy may have seen a switch first. */
const LATER_MS = 100

export function directoryStore(snapshotsDir: string): SnapshotStore {
  const paths = releasePaths(snapshotsDir)
  const reader = folderReader(paths)
  let loaded: StoredManifest | null = null
  const listed = new ListedReleases(paths)
  return {
    ...reader,
    lookAgainMs: LOOK_MS,
    believedMs: BELIEVED_MS,
    async current() {
      const now = await reader.current(loaded).catch(nullIfAbsent)
      if (now !== null && now !== loaded) {
        loaded = now
        listed.add(now.manifest.id)
      }
      return now?.manifest ?? null
    },
    mayHave: (id) => listed.has(id),
  }
}

/** Answers for any number of ids from one look at the folder. */
class ListedReleases {
  readonly #paths: ReleasePaths
  #ids: ReadonlySet<string> = new Set()
  #latest = ''
  #atMs = -Infinity
  #listing: Promise<void> | null = null

  constructor(paths: ReleasePaths) {
    this.#paths = paths
  }

  /** One that was seen: it may be replaced before the next look. */
  add(id: string): void {
    this.#ids = new Set(this.#ids).add(id)
  }

  has(id: string): boolean | Promise<boolean> {
    const ageMs = performance.now() - this.#atMs
    if (ageMs < LISTED_MS && (id <= this.#latest || ageMs < LATER_MS)) return this.#ids.has(id)
    this.#listing ??= this.#list().finally(() => (this.#listing = null))
    return this.#listing.then(() => this.#ids.has(id))
  }

  async #list(): Promise<void> {
    const startMs = performance.now()
    const ids = await listReleases(this.#paths, SERVED_FOLDER)
    this.#ids = new Set(ids)
    this.#latest = ids.at(-1) ?? ''
    this.#atMs = startMs
  }
}
