// Owns the prepared bodies of the API: read once per release and variant, kept within a size. Knows no HTTP.
import { LRUCache } from 'lru-cache'
import { cutTrending, documentText, type TrendingDocument } from '../contract/documents.ts'
import { MAX_TRENDING } from '../contract/endpoints.ts'
import { ReleaseError, type ManifestFile } from '../release/open.ts'
import { StampedBody } from './fresh-timestamp.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** What needs no cutting is prepared up to this size; larger snapshots are streamed. */
export const PREPARED_BYTES: number = 1 << 20

/** What an entry costs beside its bytes: key, objects, buffers' heads; the template and one stamped copy of it. */
const ENTRY_BYTES = 1024

/** A snapshot that could not be read is not tried again for this long: a damaged disk is not hammered. */
const FAILURE_MS = 1000

/** A body that waits to be sent; JSON says at which moment. */
export interface PreparedBody {
  readonly bytes: number
  at(nowMs: number): Buffer
}

type Entry = PreparedBody | { readonly error: ReleaseError; readonly untilMs: number }

export class Bodies {
  readonly #store: SnapshotStore
  readonly #cache: LRUCache<string, Entry>
  readonly #reading = new Map<string, Promise<PreparedBody>>()

  /** @param maxBytes of prepared bodies */
  constructor(store: SnapshotStore, maxBytes: number) {
    this.#store = store
    this.#cache = new LRUCache({
      maxSize: maxBytes,
      sizeCalculation: (entry) => ENTRY_BYTES + ('at' in entry ? 2 * entry.bytes : 0),
    })
  }

  /**
   * @param limit for trending, to which the snapshot is cut; null = the snapshot as it is
   * @throws ReleaseError when the snapshot is missing or damaged
   */
  get(id: string, file: ManifestFile, limit: number | null): PreparedBody | Promise<PreparedBody> {
    const key = `${id} ${file.path} ${limit ?? ''}`
    const entry = this.#cache.get(key)
    if (entry !== undefined && 'at' in entry) return entry
    if (entry !== undefined && performance.now() < entry.untilMs) throw entry.error
    let reading = this.#reading.get(key)
    if (reading === undefined) {
      reading = this.#prepare(key, id, file, limit).finally(() => this.#reading.delete(key))
      this.#reading.set(key, reading)
    }
    return reading
  }

  async #prepare(key: string, id: string, file: ManifestFile, limit: number | null): Promise<PreparedBody> {
    try {
      const bytes = await this.#store.read(id, file)
      const body = file.path.endsWith('.csv')
        ? { bytes: bytes.length, at: () => bytes }
        : new StampedBody(limit === null || limit === MAX_TRENDING ? bytes : cut(bytes, limit))
      this.#cache.set(key, body)
      return body
    } catch (error) {
      if (error instanceof ReleaseError) this.#cache.set(key, { error, untilMs: performance.now() + FAILURE_MS })
      throw error
    }
  }
}

function cut(bytes: Buffer, limit: number): Buffer {
  const {
    generatedAt,
    version: _,
    ...document
  } = JSON.parse(bytes.toString('utf8')) as TrendingDocument & {
    generatedAt: string
    version: string
  }
  return Buffer.from(documentText(cutTrending(document, limit), generatedAt), 'utf8')
}
