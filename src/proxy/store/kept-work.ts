// Owns work that several ask for at once, such as reading one file: it is done once, and what it gives is kept within a size.
// Knows no work.
import { LRUCache } from 'lru-cache'
import { ReleaseError } from '../../release/format/release-error.ts'

/** What an entry takes in addition to its bytes: key, objects, the buffer's head. */
const ENTRY_BYTES = 1024

/** How long a read that failed is not tried again, so that a damaged disk is not hammered. */
const FAILURE_MS = 1000
/** How many failures are known; with more, made-up names included, some are tried again sooner. */
const FAILURES = 100

/** @param maxBytes of all results; the last one is kept whatever its size */
export function keptWork<T extends object>(maxBytes: number, bytesOf: (result: T) => number) {
  const failures = new LRUCache<string, ReleaseError>({ max: FAILURES, ttl: FAILURE_MS, ttlResolution: 0 })
  const kept = new LRUCache<string, T, () => Promise<T>>({
    maxSize: maxBytes,
    sizeCalculation: (result) => Math.min(maxBytes, ENTRY_BYTES + bytesOf(result)),
    fetchMethod: (_key, _before, { context: work }) => work(),
    // Somebody waits for the result, even where there was no room for it to be kept.
    ignoreFetchAbort: true,
  })
  return {
    get bytes(): number {
      return kept.calculatedSize
    },
    get: (key: string): T | undefined => kept.get(key),
    /** Joins the work that is under way for this key, or begins it. @throws ReleaseError also of a moment ago */
    async do(key: string, work: () => Promise<T>): Promise<T> {
      const failed = failures.get(key)
      if (failed !== undefined) throw failed
      try {
        return await kept.forceFetch(key, { context: work, forceRefresh: true })
      } catch (error) {
        if (error instanceof ReleaseError) failures.set(key, error)
        throw error
      }
    },
  }
}
