// Owns the answers under /snapshots: the files of a release as they are, for CDNs. Decides; writes nothing.
import { internalError, methodNotAllowed, preconditionFailed, type Problem } from '../../contract/problems.ts'
import type { Log } from '../../process/log.ts'
import { CODING_SUFFIX, type Coding } from '../../release/format/coding.ts'
import {
  RELEASE_ID,
  MANIFEST_NAME,
  manifestText,
  type Manifest,
  type ManifestFile,
} from '../../release/format/manifest.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { FileLength } from '../../release/reading/release-reader.ts'
import {
  codingHeaders,
  CSV_TYPE,
  JSON_TYPE,
  NOSNIFF,
  NO_BODY,
  problemAnswer,
  type Answer,
  type Body,
  type Headers,
} from '../answer/answer.ts'
import { bestFile, preferredCodings } from '../http/negotiation.ts'
import { noticeHeaders, preflight, streamsFull } from '../answer/api-headers.ts'
import type { ClientKey } from '../limit/client-key.ts'
import { CodedText } from '../answer/coded-text.ts'
import { precondition } from '../http/preconditions.ts'
import { OlderReleases, type OlderRelease } from '../store/older-releases.ts'
import type { LoadedRelease, ReleaseWatcher } from '../store/release-watcher.ts'
import type { RequestHead } from '../http/head.ts'
import { failureOf, type Exchange, type SnapshotStore } from '../store/snapshot-store.ts'
import { StreamsFull, type Streams } from '../answer/streams.ts'

const CORS: Headers = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'ETag, Date, X-Data-Closed, X-Demo-Data',
]

/** An hour, not a year: an idea that was taken down must leave the caches. */
const IMMUTABLE = 'public, max-age=3600, immutable'
const CURRENT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'

interface FileRequest {
  readonly head: RequestHead
  readonly client: () => ClientKey
  readonly exchange: Exchange
}

interface FileAsked {
  /** null = the current release. */
  readonly id: string | null
  readonly path: string
}

function askedFor(path: string): FileAsked | null {
  const found = /^\/snapshots\/(?:current|releases\/([^/]+))\/(.+)$/.exec(path)
  if (found === null) return null
  const [, id = null, file = ''] = found
  return id === null || RELEASE_ID.test(id) ? { id, path: file } : null
}

interface Streamed extends FileLength {
  /** Of its bytes, for the ETag. */
  readonly hash: string
  readonly type: Headers
  readonly coding: Coding | null
}

export class FilePlane {
  readonly #watcher: ReleaseWatcher
  readonly #store: SnapshotStore
  readonly #streams: Streams
  readonly #log: Log
  readonly #older: OlderReleases

  constructor(watcher: ReleaseWatcher, store: SnapshotStore, streams: Streams, log: Log) {
    this.#watcher = watcher
    this.#store = store
    this.#streams = streams
    this.#log = log
    this.#older = new OlderReleases(store)
  }

  async answer(request: FileRequest): Promise<Answer> {
    const { head } = request
    const { method, hasBody } = head
    if (method === 'OPTIONS') return preflight(CORS, hasBody)
    const asked = askedFor(head.path)
    if (asked === null) return missing(head)
    if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method), CORS, hasBody)
    const before = this.#watcher.release
    try {
      return await this.#found(asked, request).catch(async (error: unknown) => {
        if (!(error instanceof ReleaseError)) throw error
        // Replaced or removed since it was loaded? The store is asked once more.
        if (asked.id !== null) this.#older.doubt(asked.id)
        await this.#watcher.lookBriefly()
        // Of the current release, still the same, nothing else would come.
        if (asked.id === null && this.#watcher.release === before) throw error
        return this.#found(asked, request)
      })
    } catch (error) {
      if (error instanceof StreamsFull) return streamsFull(CORS)
      if (!(error instanceof ReleaseError)) throw error
      this.#log.error({ path: head.path }, error.message)
      return problemAnswer(internalError(failureOf(error)), CORS)
    }
  }

  async #found({ id, path }: FileAsked, request: FileRequest): Promise<Answer> {
    const found = await this.#release(id)
    if (found === null) return missing(request.head)
    const { release, older } = found
    const cacheControl = id === null ? CURRENT : IMMUTABLE
    if (path === MANIFEST_NAME)
      return older === null
        ? manifestAnswer(release, request.head, cacheControl)
        : // Few ask for it, and 10,000 categories make 23 MB of it: not kept as text.
          this.#streamed(release, manifestAsFile(older, request.head), request, cacheControl)
    const file = release.files.get(path)
    return file === undefined ? missing(request.head) : this.#file(release, file, request, cacheControl)
  }

  /** @param id null = the current one, whose manifest is kept as text, too */
  async #release(
    id: string | null,
  ): Promise<{ readonly release: LoadedRelease; readonly older: OlderRelease | null } | null> {
    const current = this.#watcher.release
    if (id === null || id === current?.id) return current === null ? null : { release: current, older: null }
    // A site that is closed has nothing to show of the time before, also where that was not removed yet.
    if (current?.manifest.closed === true) return null
    const older = await this.#older.get(id)
    return older === null ? null : { release: older.release, older }
  }

  #file(release: LoadedRelease, file: ManifestFile, request: FileRequest, cacheControl: string): Promise<Answer> {
    const { coding, from } = bestFile(file, this.#store.siblings ? preferredCodings(request.head.acceptEncoding) : [])
    // A strong ETag identifies the bytes: each coding has its own.
    const type = file.path.endsWith('.csv') ? CSV_TYPE : JSON_TYPE
    return this.#streamed(release, { ...from, hash: from.sha256, type, coding }, request, cacheControl)
  }

  /** The bytes as they are kept: generatedAt is the build's. */
  async #streamed(
    release: LoadedRelease,
    file: Streamed,
    { head, client, exchange }: FileRequest,
    cacheControl: string,
  ): Promise<Answer> {
    const { type, coding } = file
    const { headers, validators } = fileHeaders(release, file.hash, cacheControl)
    const met = precondition(validators, head)
    if (met === 412) return problemAnswer(preconditionFailed(), CORS)
    if (met === 304) return { status: 304, headers, body: NO_BODY }
    const opened = await this.#streams.open(client(), file.bytes, () => this.#store.stream(release.id, file, exchange))
    const body: Body = { kind: 'stream', bytes: file.bytes, stamped: false, coding, ...opened }
    return { status: 200, headers: [...type, ...codingHeaders(body), ...headers], body }
  }
}

/** The best sibling that the builder wrote; releases of older builders have none. */
function manifestAsFile(older: OlderRelease, { acceptEncoding }: RequestHead): Streamed {
  const { release, manifestBytes, manifestSiblings } = older
  for (const coding of preferredCodings(acceptEncoding)) {
    const bytes = manifestSiblings?.[coding] ?? null
    const suffix = CODING_SUFFIX[coding]
    if (bytes !== null)
      return { path: `${MANIFEST_NAME}${suffix}`, bytes, hash: `${release.id}${suffix}`, type: JSON_TYPE, coding }
  }
  return { path: MANIFEST_NAME, bytes: manifestBytes, hash: release.id, type: JSON_TYPE, coding: null }
}

/** As on disk. A manifest of 10,000 files takes milliseconds to write, and longer to compress, so once. */
const MANIFEST_TEXTS = new WeakMap<Manifest, CodedText>()

async function manifestAnswer(release: LoadedRelease, request: RequestHead, cacheControl: string): Promise<Answer> {
  const { manifest } = release
  let text = MANIFEST_TEXTS.get(manifest)
  if (text === undefined) {
    text = new CodedText(manifestText(manifest))
    MANIFEST_TEXTS.set(manifest, text)
  }
  // Coded here, so that it is also where no builder or origin did.
  const coding = preferredCodings(request.acceptEncoding)[0] ?? null
  const { body, hash } = await text.of(coding)
  const { headers, validators } = fileHeaders(release, coding === null ? release.id : hash, cacheControl)
  const met = precondition(validators, request)
  if (met === 412) return problemAnswer(preconditionFailed(), CORS)
  if (met === 304) return { status: 304, headers, body: NO_BODY }
  return { status: 200, headers: [...JSON_TYPE, ...codingHeaders(body), ...headers], body }
}

function fileHeaders(
  release: LoadedRelease,
  hash: string,
  cacheControl: string,
): { headers: Headers; validators: { etag: string; lastModified: string } } {
  const validators = { etag: `"${hash.slice(0, 32)}"`, lastModified: release.lastModified }
  const headers = [
    'ETag',
    validators.etag,
    'Last-Modified',
    validators.lastModified,
    'Vary',
    'Accept-Encoding',
    'Cache-Control',
    cacheControl,
    ...noticeHeaders(release),
    ...CORS,
    ...NOSNIFF,
  ]
  return { headers, validators }
}

function missing(request: RequestHead): Answer {
  const problem: Problem = {
    status: 404,
    error: 'Not Found',
    message: 'No such snapshot. Read /snapshots/current/manifest.json: it lists every path of the current release.',
  }
  return problemAnswer(problem, CORS, request.hasBody)
}
