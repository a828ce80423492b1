// Owns the answers under /snapshots: the files of a release as they are, for CDNs. Decides; writes nothing.
import { internalError, methodNotAllowed, type Problem } from '../../contract/problems.ts'
import type { Log } from '../../process/log.ts'
import { CODING_SUFFIX, type Coding } from '../../release/format/coding.ts'
import { RELEASE_ID, MANIFEST_NAME, manifestText, type Manifest } from '../../release/format/manifest.ts'
import { ReleaseError } from '../../release/format/release-error.ts'
import type { FileLength } from '../../release/reading/release-reader.ts'
import {
  codingHeaders,
  conditionalAnswer,
  CSV_TYPE,
  JSON_TYPE,
  NOSNIFF,
  problemAnswer,
  type Answer,
  type Body,
  type Headers,
} from '../answer/answer.ts'
import { bestFile, preferredCodings } from '../http/negotiation.ts'
import { noticeHeaders, preflight, streamsFull } from '../answer/api-headers.ts'
import type { ClientKey } from '../limit/client-key.ts'
import { codedText, type CodedText } from '../answer/coded-text.ts'
import type { OlderRelease, OlderReleases } from '../store/older-releases.ts'
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

export interface FilesContext {
  readonly watcher: ReleaseWatcher
  readonly store: SnapshotStore
  readonly older: OlderReleases
  readonly streams: Streams
  readonly log: Log
}

interface FilePath {
  /** null = the current release. */
  readonly id: string | null
  readonly path: string
}

function parseFilePath(path: string): FilePath | null {
  const parts = /^\/snapshots\/(?:current|releases\/([^/]+))\/(.+)$/.exec(path)
  if (parts === null) return null
  const [, id = null, file = ''] = parts
  return id === null || RELEASE_ID.test(id) ? { id, path: file } : null
}

export async function answerFiles(request: FileRequest, context: FilesContext): Promise<Answer> {
  const { head } = request
  const { method, hasBody } = head
  if (method === 'OPTIONS') return preflight(CORS, hasBody)
  const file = parseFilePath(head.path)
  if (file === null) return noSuchFile(head)
  if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method), CORS, hasBody)
  const { watcher, older, log } = context
  const before = watcher.release
  try {
    return await answerFile(file, request, context).catch(async (error: unknown) => {
      if (!(error instanceof ReleaseError)) throw error
      // Perhaps it was replaced or removed since it was loaded: ask the store once more.
      if (file.id !== null) older.doubt(file.id)
      await watcher.lookBriefly()
      // The same current release would fail again.
      if (file.id === null && watcher.release === before) throw error
      return answerFile(file, request, context)
    })
  } catch (error) {
    if (error instanceof StreamsFull) return streamsFull(CORS)
    if (!(error instanceof ReleaseError)) throw error
    log.error({ path: head.path }, error.message)
    return problemAnswer(internalError(failureOf(error)), CORS)
  }
}

async function answerFile({ id, path }: FilePath, request: FileRequest, context: FilesContext): Promise<Answer> {
  const found = await findRelease(id, context)
  if (found === null) return noSuchFile(request.head)
  const { release, older } = found
  const codings = preferredCodings(request.head.acceptEncoding)
  const file = release.files.get(path)
  let content: Content
  if (path !== MANIFEST_NAME) {
    if (file === undefined) return noSuchFile(request.head)
    const { coding, from } = bestFile(file, context.store.siblings ? codings : [])
    const type = file.path.endsWith('.csv') ? CSV_TYPE : JSON_TYPE
    content = streamed(release, { ...from, hash: from.sha256, type, coding }, request, context)
  } else if (older === null) content = await currentManifest(release, codings)
  // Few ask for an older one, and 10,000 categories make 23 MB of it: it is not kept as text.
  else content = streamed(release, manifestFile(older, codings), request, context)
  const { headers, validators } = fileHeaders(release, content.hash, id === null ? CURRENT : IMMUTABLE)
  const unchanged = conditionalAnswer(validators, request.head, headers, CORS)
  if (unchanged !== null) return unchanged
  const body = await content.open()
  return { status: 200, headers: [...content.type, ...codingHeaders(body), ...headers], body }
}

/** @param id null = the current one, whose manifest is kept as text, too */
async function findRelease(
  id: string | null,
  { watcher, older }: FilesContext,
): Promise<{ readonly release: LoadedRelease; readonly older: OlderRelease | null } | null> {
  const current = watcher.release
  if (id === null || id === current?.id) return current === null ? null : { release: current, older: null }
  // A closed site shows no earlier release, also where it was not removed yet.
  if (current?.manifest.closed === true) return null
  const found = await older.get(id)
  return found === null ? null : { release: found.release, older: found }
}

interface Content {
  /** Of the bytes, for the ETag: a strong one identifies them, so each coding has its own. */
  readonly hash: string
  readonly type: Headers
  readonly open: () => Body | Promise<Body>
}

interface StoredFile extends FileLength, Pick<Content, 'hash' | 'type'> {
  readonly coding: Coding | null
}

/** The bytes as they are kept: generatedAt is the build's. */
function streamed(
  { id }: LoadedRelease,
  file: StoredFile,
  { client, exchange }: FileRequest,
  { store, streams }: FilesContext,
): Content {
  const { hash, type, bytes, coding } = file
  const open = async (): Promise<Body> => {
    const opened = await streams.open(client(), bytes, () => store.stream(id, file, exchange))
    return { kind: 'stream', bytes, stamped: false, coding, ...opened }
  }
  return { hash, type, open }
}

/** The best sibling that the builder wrote; releases of older builders have none. */
function manifestFile(
  { release, manifestBytes, manifestSiblings }: OlderRelease,
  codings: readonly Coding[],
): StoredFile {
  for (const coding of codings) {
    const bytes = manifestSiblings?.[coding] ?? null
    const suffix = CODING_SUFFIX[coding]
    if (bytes !== null)
      return { path: `${MANIFEST_NAME}${suffix}`, bytes, hash: `${release.id}${suffix}`, type: JSON_TYPE, coding }
  }
  return { path: MANIFEST_NAME, bytes: manifestBytes, hash: release.id, type: JSON_TYPE, coding: null }
}

/** As on disk. A manifest of 10,000 files takes milliseconds to write, and longer to compress, so once. */
const MANIFEST_TEXTS = new WeakMap<Manifest, CodedText>()

/** Coded here, because not every builder and origin has it coded. */
async function currentManifest({ id, manifest }: LoadedRelease, codings: readonly Coding[]): Promise<Content> {
  const coding = codings[0] ?? null
  const text = MANIFEST_TEXTS.get(manifest) ?? codedText(manifestText(manifest))
  MANIFEST_TEXTS.set(manifest, text)
  const { body, hash } = await text(coding)
  return { hash: coding === null ? id : hash, type: JSON_TYPE, open: () => body }
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

function noSuchFile(request: RequestHead): Answer {
  const problem: Problem = {
    status: 404,
    error: 'Not Found',
    message: 'No such snapshot. Read /snapshots/current/manifest.json: it lists every path of the current release.',
  }
  return problemAnswer(problem, CORS, request.hasBody)
}
