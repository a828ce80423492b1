// Owns reading releases over HTTP from where they are served (nginx, a CDN, object storage, analytics-proxy): every wait and
// every size has a bound.
import pLimit from 'p-limit'
import { LOG_NAME, MAX_LOG_BYTES } from '../format/day-log.ts'
import { folderName, MANIFEST_NAME } from '../format/manifest.ts'
import { ReleaseError } from '../format/release-error.ts'
import { MAX_MANIFEST_BYTES, manifestOf } from '../format/parse-manifest.ts'
import { fetchIfChanged, fetchPart, fetchStream, fetchWhole, type FetchBounds, type Sign } from './http-fetch.ts'
import { checkBytes, type ReleaseReader, type StoredManifest } from './release-reader.ts'
import { agentFor } from './way-out.ts'

export const FETCH_TIMES = {
  /** For a manifest from beginning to end: the largest, 46 MB, at 6 Mbit/s. */
  manifestMs: 60_000,
  /** For a file that is read whole. */
  snapshotMs: 30_000,
  /** Until a connection is there, and of a stream also the head of its answer. */
  headMs: 10_000,
  /** Without a byte from then on. */
  stalledMs: 60_000,
}

/** Connections, apart for each use: a slow stream, or a request for an older release, takes none of the others'. */
const SNAPSHOTS_AT_ONCE = 16
const STREAMS_AT_ONCE = 256
const OLDER_AT_ONCE = 2
/** A connection that nobody used for so long may be gone without a word. */
const IDLE_MS = 4_000

/** On a pointer that --publish wrote, whose releases have their compressed siblings as objects of their own. */
const WITH_SIBLINGS = 'x-amz-meta-analytics-id'

/**
 * @param base where `current/` and `releases/` are served; no slash at its end
 * @param sign for a bucket that not everybody may read
 */
export function addressReader(base: string, times = FETCH_TIMES, sign?: Sign): ReleaseReader {
  const { manifestMs, snapshotMs, headMs, stalledMs } = times
  const wayOf = (atOnce: number, maxSockets = Infinity) => ({
    agent: agentFor(base, { keepAlive: true, timeout: IDLE_MS, maxSockets }),
    limited: pLimit(atOnce),
  })
  // A stream goes on after its head, when only the agent counts it.
  const forStreams = wayOf(STREAMS_AT_ONCE, STREAMS_AT_ONCE)
  const [forCurrent, forSnapshots, forOlder] = [wayOf(1), wayOf(SNAPSHOTS_AT_ONCE), wayOf(OLDER_AT_ONCE)] as const
  const closing = new AbortController()
  const common = { connectMs: headMs, stalledMs, sign, closed: closing.signal }
  const bounds = (way: ReturnType<typeof wayOf>, withinMs: number): FetchBounds => ({ ...common, ...way, withinMs })
  // A manifest may have 46 MB: few are in memory before they are parsed.
  const older = pLimit(OLDER_AT_ONCE)
  const streams = bounds(forStreams, headMs)
  let siblings = false
  return {
    get siblings() {
      return siblings
    },
    async current(known) {
      const url = `${base}/current/${MANIFEST_NAME}`
      const { stored, headers } = await fetchManifest(url, known, bounds(forCurrent, manifestMs))
      // A 304 says of the same pointer nothing new.
      siblings = stored === known ? siblings : headers[WITH_SIBLINGS] !== undefined
      return { ...stored, cached: { cacheControl: headers['cache-control'], age: headers.age } }
    },
    async manifest(id, known) {
      const url = fileUrl(base, id, MANIFEST_NAME)
      const { stored } = await older(() => fetchManifest(url, known, bounds(forOlder, manifestMs)))
      const found = folderName(stored.manifest)
      if (found !== id) throw new ReleaseError('damaged', `${url}: it is the manifest of ${found}`)
      return stored
    },
    async read(id, file) {
      const bytes = await fetchWhole(fileUrl(base, id, file.path), file.bytes, bounds(forSnapshots, snapshotMs))
      checkBytes(bytes, file)
      return bytes
    },
    stream: (id, { path, bytes }) => fetchStream(fileUrl(base, id, path), bytes, streams),
    part: (id, { path, bytes }, range) => fetchPart(fileUrl(base, id, path), bytes, range, streams),
    async log() {
      return (await fetchWhole(`${base}/${LOG_NAME}`, MAX_LOG_BYTES, bounds(forOlder, snapshotMs))).toString('utf8')
    },
    async close() {
      closing.abort()
      for (const { agent } of [forCurrent, forSnapshots, forOlder, forStreams]) agent.destroy()
    },
  }
}

export function fileUrl(base: string, id: string, path: string): string {
  return `${base}/releases/${id}/${path}`
}

async function fetchManifest(url: string, known: StoredManifest | null, bounds: FetchBounds) {
  const { bytes, headers } = await fetchIfChanged(url, MAX_MANIFEST_BYTES, known?.tag, bounds)
  // Unchanged is only what was known.
  if (bytes === null) return { stored: known as StoredManifest, headers }
  const manifest = await manifestOf(bytes.toString('utf8'), url)
  return { stored: { manifest, bytes: bytes.length, tag: headers.etag }, headers }
}
