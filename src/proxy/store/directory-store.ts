// Owns reading releases from a local folder. Knows no HTTP.
import type { FileHandle } from 'node:fs/promises'
import { Readable } from 'node:stream'
import pLimit from 'p-limit'
import {
  currentId,
  listReleases,
  manifestFile,
  openSnapshot,
  readManifest,
  readSnapshot,
  ReleaseError,
  type Manifest,
} from '../../release/reading/open.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** "Within a second of the switch": a readlink costs microseconds. */
const LOOK_MS = 400
/** Whether a manifest still stands is asked so often: a release that was pruned is gone within a second. */
const BELIEVED_MS = 1000
/** Older manifests that are read at once: one of 10,000 categories is 23 MB of text, and twice that as objects. */
const READ_AT_ONCE = 2
/** The list of releases is read so often, whatever is asked for … */
const LISTED_MS = 1000
/** … and sooner for an id later than all in it: another proxy may have seen a switch first. */
const LATER_MS = 100

/**
 * Of a file, for each reader: nothing is read ahead of what the socket takes. Half of it makes one fast reader a third slower
 * (npm run bench -- --only proxy:export: 0.39 of nginx's speed, with this 0.62).
 */
const CHUNK_BYTES = 256 << 10

export function directoryStore(snapshotsDir: string): SnapshotStore {
  let loaded: Manifest | null = null
  const listed = new ListedReleases(snapshotsDir)
  const limited = pLimit(READ_AT_ONCE)
  return {
    siblings: true,
    lookAgainMs: LOOK_MS,
    believedMs: BELIEVED_MS,
    async current() {
      const id = await currentId(snapshotsDir)
      if (id !== null && id !== loaded?.id) {
        loaded = await readManifest(snapshotsDir, id)
        listed.add(id)
      }
      return id === null ? null : loaded
    },
    mayHave: (id) => listed.has(id),
    async manifest(id, known) {
      const file = await manifestFile(snapshotsDir, id)
      if (file === null) throw new ReleaseError('absent', `no release ${id} in ${snapshotsDir}`)
      if (known?.tag === file.tag) return known
      return limited(async () => ({ manifest: await readManifest(snapshotsDir, id), ...file }))
    },
    read: (id, file) => readSnapshot(snapshotsDir, id, file),
    async stream(id, file): Promise<Readable> {
      const handle = await openSnapshot(snapshotsDir, id, file)
      // The open file lives as long as the answer: a release pruned meanwhile is read to its end.
      return fileStream(handle)
    },
    close: () => Promise.resolve(),
  }
}

/** Answers for any number of ids from one look at the folder. */
class ListedReleases {
  readonly #snapshotsDir: string
  #ids: ReadonlySet<string> = new Set()
  #latest = ''
  #atMs = -Infinity
  #listing: Promise<void> | null = null

  constructor(snapshotsDir: string) {
    this.#snapshotsDir = snapshotsDir
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
    const ids = await listReleases(this.#snapshotsDir)
    this.#ids = new Set(ids)
    this.#latest = ids.at(-1) ?? ''
    this.#atMs = startMs
  }
}

function fileStream(handle: FileHandle): Readable {
  return new Readable({
    highWaterMark: 0,
    read() {
      handle.read(Buffer.allocUnsafeSlow(CHUNK_BYTES)).then(
        ({ bytesRead, buffer }) => this.push(bytesRead === 0 ? null : buffer.subarray(0, bytesRead)),
        (error: Error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      // What closing a file that was only read says helps nobody.
      void handle
        .close()
        .catch(() => undefined)
        .finally(() => done(error))
    },
  })
}
