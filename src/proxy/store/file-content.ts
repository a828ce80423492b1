// Owns the bytes of one file of a release: in which coding they are sent, whole or in part. Knows no status and no header.
import { hash as hashOf } from 'node:crypto'
import type { Coding } from '../../release/format/coding.ts'
import { MANIFEST_NAME } from '../../release/format/manifest.ts'
import { nullIfAbsent } from '../../release/format/release-error.ts'
import type { ByteRange } from '../../release/reading/release-reader.ts'
import type { Body, Exchange } from '../answer/answer.ts'
import { fixedBody, type PreparedBody } from '../answer/prepared-body.ts'
import type { Streams } from '../answer/streams.ts'
import { bestFile } from '../http/negotiation.ts'
import type { LoadedRelease } from './release-watcher.ts'
import type { SnapshotStore } from './snapshot-store.ts'

export interface FileContent {
  /** The hash of the bytes, for the ETag: a strong one identifies them, so each coding has its own. */
  readonly hash: string
  readonly bytes: number
  /** @throws ReleaseError, StreamsFull */
  readonly open: () => Body | Promise<Body>
  /** Null = the store has whole files only. @throws ReleaseError, StreamsFull */
  readonly part: (range: ByteRange) => Promise<Body | null>
}

/** @param codings those that the client prefers to the plain bytes, the best first. @returns null = there is no such file */
export async function contentOf(
  release: LoadedRelease,
  path: string,
  codings: readonly Coding[],
  exchange: Exchange,
  { store, streams }: { readonly store: SnapshotStore; readonly streams: Streams },
): Promise<FileContent | null> {
  const { id, stored, files } = release
  const isManifest = path === MANIFEST_NAME
  if (isManifest && stored === null) {
    const ofText = codings[0] ?? null
    const { body, hash } = await release.text(ofText)
    return inMemory(ofText === null ? id : hash, body)
  }
  const file = isManifest ? stored && { ...stored, path, sha256: '', rows: null } : files.get(path)
  if (!file) return null
  const { coding, from } = bestFile(file, store.siblings ? codings : [])
  const { bytes } = from
  // The bytes are sent as they are kept: generatedAt is the build's.
  return {
    // No list has a hash of the manifest.
    hash: isManifest ? from.path.replace(MANIFEST_NAME, id) : from.sha256,
    bytes,
    async open() {
      streams.take(exchange.response, exchange.client(), bytes)
      return { bytes, coding, stream: await store.stream(id, from, exchange), stamped: false }
    },
    async part(range) {
      const length = range.last - range.first + 1
      streams.take(exchange.response, exchange.client(), length)
      const stream = await store.part(id, from, range)
      return stream && { bytes: length, coding, stream, stamped: false }
    },
  }
}

/** How long a log is believed: a cache before the origin may have an older one. */
const LOG_MS = 60_000

/** The log of days beside a release, read for all who ask at once. */
export function logOfDays(store: SnapshotStore) {
  // What is remembered goes with its release.
  const read = new WeakMap<LoadedRelease, { readonly atMs: number; readonly content: Promise<FileContent | null> }>()
  /** @returns null = there is none, or a closed site shows none. @throws ReleaseError */
  return async (release: LoadedRelease): Promise<FileContent | null> => {
    if (release.manifest.closed === true) return null
    const atMs = performance.now()
    const known = read.get(release)
    if (known !== undefined && atMs - known.atMs < LOG_MS) return known.content
    const textContent = (text: string): FileContent => inMemory(hashOf('sha256', text), fixedBody(Buffer.from(text)))
    const content = store.log().then(textContent).catch(nullIfAbsent)
    read.set(release, { atMs, content })
    content.catch(() => read.delete(release))
    return content
  }
}

function inMemory(hash: string, body: PreparedBody): FileContent {
  return { hash, bytes: body.bytes, open: () => body, part: async (range) => sliceOf(body, range) }
}

function sliceOf(body: PreparedBody, { first, last }: ByteRange): PreparedBody {
  const data = body.at(0)
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  return fixedBody(bytes.subarray(first, last + 1), body.coding)
}
