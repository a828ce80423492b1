// Owns what the proxy adds to a reader of an origin (nginx, a CDN, object storage): when it asks again, what it believes
// meanwhile, and http-proxy for large files. Serves nothing itself.
import { LRUCache } from 'lru-cache'
import { addressReader, FETCH_TIMES, fileUrl } from '../../release/reading/address-reader.ts'
import type { Manifest } from '../../release/format/manifest.ts'
import { onReleaseError, ReleaseError } from '../../release/format/release-error.ts'
import type { ReleaseReader, StoredManifest } from '../../release/reading/release-reader.ts'
import { agentFor } from '../../release/reading/way-out.ts'
import { largeFiles } from './origin-stream.ts'
import type { SnapshotStore } from './snapshot-store.ts'

/** `lookMs`: the current manifest is asked for once in this time, however many requests fail. */
export const ORIGIN_TIMES = { ...FETCH_TIMES, lookMs: 900 }

/** Larger CSV passes through http-proxy. */
const LARGE_BYTES = 1 << 20
/** How long an older manifest is believed; the origin says that it is good for an hour. */
const BELIEVED_MS = 60_000
/**
 * How many ids that were current here are known. Only these, and the months that the current release names, are asked
 * for, so that made-up ones cost the origin nothing.
 */
const SEEN = 100

/** @param base where `current/` and `releases/` are served; no slash at its end */
export function originStore(base: string, times = ORIGIN_TIMES): SnapshotStore {
  const reader = addressReader(base, times)
  const openLarge = largeFiles(times.headMs, times.stalledMs, agentFor(base, {}))
  const seen = new LRUCache<string, true>({ max: SEEN })
  let months: readonly string[] = []
  const current = currentManifest(reader, times.lookMs)
  return {
    ...reader,
    get siblings() {
      return reader.siblings
    },
    believedMs: BELIEVED_MS,
    get lookAgainMs() {
      return current.lookAgainMs()
    },
    async current() {
      const manifest = await current.look()
      if (manifest !== null) seen.set(manifest.id, true)
      months = manifest?.months ?? []
      return manifest
    },
    async manifest(id, known) {
      if (!seen.has(id) && !months.includes(id)) throw new ReleaseError('absent', `no release ${id} was current here`)
      const failed = onReleaseError((error) => {
        if (error.code === 'absent') seen.delete(id)
        // An origin that is away has not lost what it had.
        else if (known !== null) return known
        throw error
      })
      return reader.manifest(id, known).catch(failed)
    },
    stream(id, file, exchange) {
      return file.path.endsWith('.csv') && file.bytes > LARGE_BYTES
        ? openLarge(fileUrl(base, id, file.path), file.bytes, exchange)
        : reader.stream(id, file)
    },
  }
}

/** The current manifest, asked for when its time is over. */
function currentManifest(reader: ReleaseReader, lookMs: number) {
  let known: StoredManifest | null = null
  let last: Promise<Manifest | null> = Promise.resolve(null)
  let askedAtMs = -Infinity
  /** How many looks in a row failed or met a stale copy. */
  let retries = 0
  let lookAgainMs = retryMs(1)

  async function ask(): Promise<Manifest | null> {
    try {
      const { cached, ...now } = await reader.current(known)
      // The same release again keeps its identity: nothing that was prepared from it is prepared anew.
      const manifest = known?.manifest
      known = manifest !== undefined && isSameRelease(manifest, now.manifest) ? { ...now, manifest } : now
      const goodMs = goodForMs(cached?.cacheControl, cached?.age)
      retries = goodMs === null ? retries + 1 : 0
      lookAgainMs = goodMs ?? retryMs(retries)
      return known.manifest
    } catch (error) {
      retries += 1
      lookAgainMs = retryMs(retries)
      if (error instanceof ReleaseError && error.code === 'absent' && known === null) return null
      throw error
    }
  }

  return {
    look(): Promise<Manifest | null> {
      const nowMs = performance.now()
      if (nowMs - askedAtMs >= lookMs) {
        askedAtMs = nowMs
        last = ask()
      }
      return last
    },
    lookAgainMs: () => lookAgainMs,
  }
}

/** Whether nothing differs. An id stands for the content: a release that was made again has other times in its files. */
function isSameRelease(one: Manifest, other: Manifest): boolean {
  return one === other || (one.id === other.id && one.files.every(({ sha256 }, i) => sha256 === other.files[i]?.sha256))
}

/** How long an answer of the origin without a max-age is good. */
const UNSAID_MS = 10_000
/** How long an answer is good at most: a long max-age of a cache must not make new releases come an hour late. */
const MAX_MS = 60_000
const MIN_MS = 1_000
/** The wait after a failure, or after a copy that its cache calls stale while it fetches a new one. It doubles each time. */
const FIRST_RETRY_MS = 1_000
const MAX_RETRY_MS = 10_000

/**
 * What is left of the answer's max-age: until then a cache in between gives the same answer. nextUpdateAt would be no
 * better: a build is published some time after it, and a rollback or a closed site comes at any time.
 * @returns null = it is stale already
 */
export function goodForMs(cacheControl: string | undefined, age: string | undefined): number | null {
  const control = (cacheControl ?? '').toLowerCase()
  const maxAge = /(?:^|[\s,])max-age="?(\d+)/.exec(control)?.[1]
  if (maxAge === undefined || /(?:^|[\s,])no-(?:cache|store)/.test(control)) return UNSAID_MS
  const ageMs = /^\d+$/.test(age ?? '') ? Number(age) * 1000 : 0
  const maxAgeMs = Number(maxAge) * 1000
  if (maxAgeMs === 0) return UNSAID_MS
  if (ageMs >= maxAgeMs) return null
  return Math.min(MAX_MS, Math.max(MIN_MS, maxAgeMs - ageMs))
}

/** @param times in a row, 1 = the first */
export function retryMs(times: number): number {
  return Math.min(MAX_RETRY_MS, FIRST_RETRY_MS * 2 ** (times - 1))
}
