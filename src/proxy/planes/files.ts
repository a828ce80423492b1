// Owns the answers of the file plane: the files of a release as they are, at the root as a website and under /snapshots for
// CDNs. Decides; writes nothing.
import { internalError, methodNotAllowed, NOT_FOUND, RANGE_NOT_SATISFIABLE } from '../../contract/problems.ts'
import { LOG_NAME } from '../../release/format/day-log.ts'
import { SERVED_FOLDER } from '../../release/format/manifest.ts'
import { onReleaseError } from '../../release/format/release-error.ts'
import { cacheControlOf } from '../../release/format/served-files.ts'
import { noticeHeaders, PREFLIGHT } from '../answer/api-headers.ts'
import {
  conditionalAnswer,
  NO_STORE,
  NOSNIFF,
  problemAnswer,
  textBody,
  type HttpAnswer,
  type Exchange,
  type Headers,
} from '../answer/answer.ts'
import { kindHeaders } from '../answer/file-headers.ts'
import type { ServerContext } from '../context/context.ts'
import { parseRange, type AskedRange } from '../http/byte-range.ts'
import type { RequestHead } from '../http/head.ts'
import { preferredCodings, prefersHtml } from '../http/negotiation.ts'
import { rangeFits, type Validators } from '../http/preconditions.ts'
import type { FileRoute } from '../http/route.ts'
import { contentOf, type FileContent } from '../store/file-content.ts'
import type { LoadedRelease } from '../store/release-watcher.ts'
import { failureOf } from '../store/snapshot-store.ts'

interface FilePath {
  /** Whether it is at the root, where people look; this shows the current release, as /snapshots/current/ does. */
  readonly isSite: boolean
  /** null = the current release. */
  readonly id: string | null
  readonly path: string
  /** Whether it is the log, which is beside the releases. */
  readonly isLog: boolean
}

const LOG_PATH = `/snapshots/${LOG_NAME}`

function parseFilePath({ endpoint }: FileRoute, path: string): FilePath | null {
  if (endpoint === 'site') return { isSite: true, id: null, path: path.slice(1), isLog: false }
  if (path === LOG_PATH) return { isSite: false, id: null, path: LOG_NAME, isLog: true }
  const parts = /^\/snapshots\/(?:current|releases\/([^/]+))\/(.*)$/.exec(path)
  if (parts === null) return null
  const [, id = null, file = ''] = parts
  return id === null || SERVED_FOLDER.test(id) ? { isSite: false, id, path: file, isLog: false } : null
}

export async function answerFiles(route: FileRoute, exchange: Exchange, context: ServerContext): Promise<HttpAnswer> {
  const { head } = exchange
  const { method } = head
  if (method === 'OPTIONS') return PREFLIGHT
  const file = parseFilePath(route, head.path)
  if (file === null) return NO_SUCH_FILE
  if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method))
  const { watcher, older, log } = context
  const before = watcher.release
  const again = onReleaseError(async (error) => {
    // Perhaps the release was replaced or removed since it was loaded: the store is asked once more.
    if (file.id !== null) older.doubt(file.id)
    await watcher.lookBriefly()
    // The same current release would fail again.
    if (file.id === null && watcher.release === before) throw error
    return answerFile(file, exchange, context)
  })
  const failed = onReleaseError((error) => {
    log.error({ path: head.path }, error.message)
    return problemAnswer(internalError(failureOf(error)))
  })
  return answerFile(file, exchange, context).catch(again).catch(failed)
}

async function answerFile(at: FilePath, exchange: Exchange, context: ServerContext): Promise<HttpAnswer> {
  const { head } = exchange
  const release = await findRelease(at.id, context)
  if (release === null) return nothingAt(at, null, exchange, context)
  const path = at.path === '' || at.path.endsWith('/') ? `${at.path}index.html` : at.path
  // A client that asks for a part means the bytes of the file, not those of a coding.
  const asked = head.method === 'GET' ? parseRange(head.fields['range']) : null
  const codings = asked === null ? preferredCodings(head.fields['accept-encoding']) : []
  const content = await (at.isLog ? context.logOfDays(release) : contentOf(release, path, codings, exchange, context))
  if (content === null)
    return release.files.has(`${path}/index.html`) ? toFolder(at, head) : nothingAt(at, release, exchange, context)
  const validators = { etag: `"${content.hash.slice(0, 32)}"`, lastModified: at.isLog ? null : release.lastModified }
  const { type, policy } = kindHeaders(path)
  const place = ['Cache-Control', cacheControlOf(path, at.id), ...NOSNIFF]
  const headers = [...fileHeaders(release, validators), ...place, ...policy]
  const unchanged = conditionalAnswer(validators, head.fields, headers)
  if (unchanged !== null) return unchanged
  if (asked !== null && rangeFits(head.fields['if-range'], validators, context.nowMs())) {
    const part = await partAnswer(content, asked, [...type, ...headers])
    if (part !== null) return part
  }
  const body = await content.open()
  return { status: 200, headers: [...type, ...headers], body }
}

/** @param id null = the current one */
async function findRelease(id: string | null, { watcher, older }: ServerContext): Promise<LoadedRelease | null> {
  const current = watcher.release
  if (id === null || id === current?.id) return current
  // A closed site shows no earlier release, also where it was not removed yet.
  return current?.manifest.closed === true ? null : older.get(id)
}

const VARY: Headers = ['Vary', 'Accept-Encoding']

function fileHeaders(release: LoadedRelease, { etag, lastModified }: Validators): Headers {
  const validators = ['ETag', etag, ...(lastModified === null ? [] : ['Last-Modified', lastModified])]
  return [...validators, 'Accept-Ranges', 'bytes', ...VARY, ...noticeHeaders(release)]
}

/** The answer 206 or 416; null = the store has whole files only, which a server may send instead (RFC 9110 section 14.2). */
async function partAnswer(
  { bytes, part }: FileContent,
  asked: AskedRange,
  headers: Headers,
): Promise<HttpAnswer | null> {
  const range = asked(bytes)
  if (range === null) return problemAnswer(RANGE_NOT_SATISFIABLE, ['Content-Range', `bytes */${bytes}`, ...VARY])
  const body = await part(range)
  const contentRange = `bytes ${range.first}-${range.last}/${bytes}`
  return body && { status: 206, headers: ['Content-Range', contentRange, ...headers], body }
}

/** Leads to the folder whose index.html was meant, relatively, so that it is right behind any prefix. Its name is that of a folder. */
function toFolder({ path }: FilePath, { query }: RequestHead): HttpAnswer {
  const name = path.slice(path.lastIndexOf('/') + 1)
  const location = `${name}/${query === '' ? '' : `?${query}`}`
  // It is not stored: a cache that ignores queries would give everybody that of the first who asked.
  const headers = ['Location', location, ...VARY, ...NO_STORE, ...NOSNIFF]
  return { status: 308, headers, body: textBody('') }
}

const NOT_FOUND_PAGE = '404.html'
const SITE_VARY: Headers = ['Vary', 'Accept, Accept-Encoding']

async function nothingAt(
  { isSite, path }: FilePath,
  release: LoadedRelease | null,
  exchange: Exchange,
  context: ServerContext,
): Promise<HttpAnswer> {
  const { head } = exchange
  if (!isSite) return NO_SUCH_FILE
  if (path === '' && release === null) return problemAnswer(internalError('no release'))
  const nothing = problemAnswer(NOT_FOUND, SITE_VARY)
  if (release === null || !prefersHtml(head.fields['accept'])) return nothing
  const withPage = async (): Promise<HttpAnswer> => {
    const codings = preferredCodings(head.fields['accept-encoding'])
    const page = await contentOf(release, NOT_FOUND_PAGE, codings, exchange, context)
    if (page === null) return nothing
    const body = await page.open()
    const { type, policy } = kindHeaders(NOT_FOUND_PAGE)
    const headers = [...type, ...policy, ...NO_STORE, ...NOSNIFF, ...SITE_VARY]
    return { status: 404, headers, body }
  }
  return withPage().catch(onReleaseError(() => nothing))
}

const NO_SUCH_FILE: HttpAnswer = problemAnswer({
  status: 404,
  error: 'Not Found',
  message: 'No such snapshot. Read /snapshots/current/manifest.json: it lists every path of the current release.',
})
