// Owns reading releases from an origin (nginx, a CDN, object storage) over HTTP. Serves nothing itself.
import { LRUCache } from 'lru-cache'
import pLimit from 'p-limit'
import { Agent } from 'undici'
import {
  checkBytes,
  MANIFEST_NAME,
  manifestOf,
  MAX_MANIFEST_BYTES,
  ReleaseError,
  type Manifest,
} from '../../release/reading/open.ts'
import { goodForMs, retryMs } from './look-again.ts'
import { fetchIfChanged, fetchStream, fetchWhole, headerText, type Whole } from './origin-fetch.ts'
import { largeFiles } from './origin-stream.ts'
import type { SnapshotStore, StoredManifest } from './snapshot-store.ts'

export interface OriginTimes {
  /** Of a manifest from beginning to end: the largest, 46 MB, at 6 Mbit/s. */
  readonly manifestMs: number
  /** Of a snapshot that is read whole. */
  readonly snapshotMs: number
  /** Until the head of an answer is there whose body passes through. */
  readonly headMs: number
  /** Without a byte from then on. */
  readonly stalledMs: number
  /** The current manifest is asked for once in so long, however many requests fail. */
  readonly lookMs: number
}

export const ORIGIN_TIMES: OriginTimes = {
  manifestMs: 60_000,
  snapshotMs: 30_000,
  headMs: 10_000,
  stalledMs: 60_000,
  lookMs: 900,
}

/** CSV up to this size is fetched by undici, larger CSV passes through http-proxy. */
const WHOLE_BYTES = 1 << 20
/** Connections, apart for each use: who reads slowly, or asks for older releases, takes none of the others'. */
const SNAPSHOTS_AT_ONCE = 16
const STREAMS_AT_ONCE = 256
const OLDER_AT_ONCE = 2
/** How long an older manifest is believed: the origin says for an hour. */
const BELIEVED_MS = 60_000
/** Ids that were current here: only those are asked for, so that made-up ones cost the origin nothing. */
const SEEN = 100

/** @param base where `current/` and `releases/` are served; no slash at its end */
export function originStore(base: string, times: OriginTimes = ORIGIN_TIMES): SnapshotStore {
  const { manifestMs, snapshotMs, headMs, stalledMs } = times
  const agentOf = (connections: number): Agent =>
    new Agent({ connections, headersTimeout: stalledMs, bodyTimeout: stalledMs, connectTimeout: headMs })
  const agents = {
    watch: agentOf(1),
    snapshots: agentOf(SNAPSHOTS_AT_ONCE),
    streams: agentOf(STREAMS_AT_ONCE),
    older: agentOf(OLDER_AT_ONCE),
  }
  const openLarge = largeFiles(headMs, stalledMs)
  const limited = pLimit(OLDER_AT_ONCE)
  const seen = new LRUCache<string, true>({ max: SEEN })
  const current = new CurrentManifest(`${base}/current/${MANIFEST_NAME}`, agents.watch, times)
  const urlOf = (id: string, path: string): string => `${base}/releases/${id}/${path}`

  return {
    // An origin may code as it likes: what it sends is asked for as it stands, and coded here.
    siblings: false,
    believedMs: BELIEVED_MS,
    get lookAgainMs() {
      return current.lookAgainMs
    },
    async current() {
      const manifest = await current.look()
      if (manifest !== null) seen.set(manifest.id, true)
      return manifest
    },
    mayHave: (id) => seen.has(id),
    async manifest(id, before) {
      const url = urlOf(id, MANIFEST_NAME)
      try {
        const asked = { dispatcher: agents.older, withinMs: manifestMs }
        return await limited(async () => {
          if (before === null) return storedManifest(url, await fetchWhole(url, MAX_MANIFEST_BYTES, asked))
          const whole = await fetchIfChanged(url, MAX_MANIFEST_BYTES, before.tag, asked)
          return whole.bytes === null ? before : storedManifest(url, whole)
        })
      } catch (error) {
        if (!(error instanceof ReleaseError)) throw error
        if (error.code === 'absent') seen.delete(id)
        // An origin that is away has not lost what it had.
        else if (before !== null) return before
        throw error
      }
    },
    async read(id, file) {
      const asked = { dispatcher: agents.snapshots, withinMs: snapshotMs }
      const { bytes } = await fetchWhole(urlOf(id, file.path), file.bytes, asked)
      checkBytes(bytes, file)
      return bytes
    },
    stream(id, file, exchange) {
      const url = urlOf(id, file.path)
      if (file.path.endsWith('.csv') && file.bytes > WHOLE_BYTES) return openLarge(url, file.bytes, exchange)
      return fetchStream(url, file.bytes, { dispatcher: agents.streams, withinMs: headMs })
    },
    async close() {
      await Promise.all(Object.values(agents).map((agent) => agent.destroy()))
    },
  }
}

/** The current manifest, asked for when its time is over. */
class CurrentManifest {
  readonly #url: string
  readonly #dispatcher: Agent
  readonly #times: OriginTimes
  #known: StoredManifest | null = null
  #last: Promise<Manifest | null> = Promise.resolve(null)
  #askedAtMs = -Infinity
  /** Looks in a row that failed or met a stale copy. */
  #retries = 0
  lookAgainMs: number = retryMs(1)

  constructor(url: string, dispatcher: Agent, times: OriginTimes) {
    this.#url = url
    this.#dispatcher = dispatcher
    this.#times = times
  }

  look(): Promise<Manifest | null> {
    const nowMs = performance.now()
    if (nowMs - this.#askedAtMs >= this.#times.lookMs) {
      this.#askedAtMs = nowMs
      this.#last = this.#ask()
    }
    return this.#last
  }

  async #ask(): Promise<Manifest | null> {
    try {
      const asked = { dispatcher: this.#dispatcher, withinMs: this.#times.manifestMs }
      const whole = await fetchIfChanged(this.#url, MAX_MANIFEST_BYTES, this.#known?.tag, asked)
      if (whole.bytes !== null) this.#known = sameOr(this.#known, await storedManifest(this.#url, whole))
      const goodMs = goodForMs(headerText(whole.headers, 'cache-control'), headerText(whole.headers, 'age'))
      this.#retries = goodMs === null ? this.#retries + 1 : 0
      this.lookAgainMs = goodMs ?? retryMs(this.#retries)
      return this.#known?.manifest ?? null
    } catch (error) {
      this.#retries += 1
      this.lookAgainMs = retryMs(this.#retries)
      if (error instanceof ReleaseError && error.code === 'absent' && this.#known === null) return null
      throw error
    }
  }
}

async function storedManifest(url: string, { bytes, headers }: Whole): Promise<StoredManifest> {
  return {
    manifest: await manifestOf(bytes.toString('utf8'), url),
    bytes: bytes.length,
    tag: headerText(headers, 'etag'),
  }
}

/** The same release again keeps its identity: nothing that was prepared from it is prepared anew. */
function sameOr(known: StoredManifest | null, now: StoredManifest): StoredManifest {
  return known !== null && isSameRelease(known.manifest, now.manifest) ? { ...now, manifest: known.manifest } : now
}

/** An id is that of the content: a release that was made again has other times in its files. */
function isSameRelease(one: Manifest, other: Manifest): boolean {
  return one.id === other.id && one.files.every(({ sha256 }, i) => sha256 === other.files[i]?.sha256)
}
