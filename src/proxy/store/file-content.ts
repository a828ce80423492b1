// Owns the bytes of one file of a release: in which coding they are sent, whole or in part. Knows no status and no header.
import { hash as hashOf } from 'node:crypto'
import { CODING_SUFFIX, type Coding } from '../../release/format/coding.ts'
import { MANIFEST_NAME } from '../../release/format/manifest.ts'
import { nullIfAbsent } from '../../release/format/release-error.ts'
import type { ByteRange, FileLength, StoredManifest } from '../../release/reading/release-reader.ts'
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

/** The store that files are read from, and the places of large answers. */
export interface Reading {
  readonly store: SnapshotStore
  readonly streams: Streams
}

/** @param codings those that the client prefers to the plain bytes, the best first. @returns null = there is no such file */
export async function contentOf(
  release: LoadedRelease,
  path: string,
  codings: readonly Coding[],
  exchange: Exchange,
  reading: Reading,
): Promise<FileContent | null> {
  const { id, stored, files } = release
  if (path === MANIFEST_NAME)
    return stored === null
      ? currentManifest(release, codings)
      : streamed(id, manifestFile(stored, codings), exchange, reading)
  const file = files.get(path)
  if (file === undefined) return null
  const { coding, from } = bestFile(file, reading.store.siblings ? codings : [])
  return streamed(id, { ...from, hash: from.sha256, coding }, exchange, reading)
}

interface StoredFile extends FileLength, Pick<FileContent, 'hash'> {
  readonly coding: Coding | null
}

/** Sends the bytes as they are kept: generatedAt is the build's. */
function streamed(id: string, file: StoredFile, exchange: Exchange, { store, streams }: Reading): FileContent {
  const { hash, bytes, coding } = file
  return {
    hash,
    bytes,
    async open() {
      streams.take(exchange.response, exchange.client(), bytes)
      return { bytes, coding, stream: await store.stream(id, file, exchange), stamped: false }
    },
    async part(range) {
      const length = range.last - range.first + 1
      streams.take(exchange.response, exchange.client(), length)
      const stream = await store.part(id, file, range)
      return stream && { bytes: length, coding, stream, stamped: false }
    },
  }
}

/** How long a log is believed: a cache before the origin may have an older one. */
const LOG_MS = 60_000

export type LogOfDays = ReturnType<typeof logOfDays>

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
  return { hash, bytes: body.bytes, open: () => body, part: (range) => Promise.resolve(sliceOf(body, range)) }
}

/** The best sibling that the builder wrote; releases of older builders have none. */
function manifestFile({ manifest: { id }, bytes, siblings }: StoredManifest, codings: readonly Coding[]): StoredFile {
  for (const coding of codings) {
    const ofSibling = siblings?.[coding] ?? null
    const suffix = CODING_SUFFIX[coding]
    if (ofSibling !== null)
      return { path: `${MANIFEST_NAME}${suffix}`, bytes: ofSibling, hash: `${id}${suffix}`, coding }
  }
  return { path: MANIFEST_NAME, bytes, hash: id, coding: null }
}

async function currentManifest({ id, text }: LoadedRelease, codings: readonly Coding[]): Promise<FileContent> {
  const coding = codings[0] ?? null
  const { body, hash } = await text(coding)
  return inMemory(coding === null ? id : hash, body)
}

function sliceOf(body: PreparedBody, { first, last }: ByteRange): PreparedBody {
  const data = body.at(0)
  const bytes = typeof data === 'string' ? Buffer.from(data, 'latin1') : data
  return fixedBody(bytes.subarray(first, last + 1), body.coding)
}
