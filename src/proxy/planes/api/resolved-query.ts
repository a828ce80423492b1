// Owns the resolution of a query against a release: which snapshot, cut to which limit, under which ETag; remembered.
// Reads no file.
import { textAndHash } from '../../../contract/document-text.ts'
import { csvFileName, emptyTrending } from '../../../contract/documents.ts'
import type { Endpoint, Query } from '../../../contract/endpoints.ts'
import { formatTimestamp } from '../../../contract/timestamp.ts'
import { parseQuery, type BadParameter } from '../../../contract/parse-query.ts'
import { snapshotPath } from '../../../contract/snapshot-paths.ts'
import { windowOf } from '../../../contract/windows.ts'
import { CSV_TYPE, JSON_TYPE, NOSNIFF, type Headers } from '../../answer/answer.ts'
import { CORS, validatorHeaders } from '../../answer/api-headers.ts'
import { variantOf, type Variant } from '../../store/body-cache.ts'
import type { LoadedRelease } from '../../store/release-watcher.ts'
import type { RequestHead } from '../../http/head.ts'

/** A snapshot, or a small text where there is none: for a category that no idea has. */
export type ServableQuery = {
  readonly etag: string
  /** Of a body: its type and name. */
  readonly typeHeaders: Headers
  /** Of the release and the snapshot, also of a 304. */
  readonly headers: Headers
} & ({ readonly variant: Variant } | { readonly text: string })

export type ResolvedQuery =
  | { readonly bad: readonly BadParameter[] }
  /** The manifest lists no snapshot for this combination. */
  | { readonly notInManifest: Query }
  | ServableQuery

/**
 * Honest clients ask for the same few things (npm run bench:micro -- remembered), which are soon known again when all are
 * forgotten. A longer target is resolved each time.
 */
const REMEMBERED = 2000
const MAX_TARGET = 200

/** The queries of one release; cleared when the release changes. */
export class ResolvedQueries {
  readonly #known = new Map<string, ResolvedQuery>()
  #release: LoadedRelease | null = null

  of(release: LoadedRelease, endpoint: Endpoint, { target, query }: RequestHead): ResolvedQuery {
    // Compare objects, not ids: a release that is built again has the same id but other files.
    if (release !== this.#release) {
      this.#known.clear()
      this.#release = release
    }
    const known = this.#known.get(target)
    if (known !== undefined) return known
    const resolved = resolve(release, endpoint, query)
    if (this.#known.size >= REMEMBERED) this.#known.clear()
    if (target.length <= MAX_TARGET) this.#known.set(target, resolved)
    return resolved
  }
}

function resolve(release: LoadedRelease, endpoint: Endpoint, rawQuery: string): ResolvedQuery {
  const parsed = parseQuery(endpoint, rawQuery)
  return parsed.ok ? lookUp(parsed.query, release) : { bad: parsed.bad }
}

function lookUp(query: Query, release: LoadedRelease): ResolvedQuery {
  if (query.endpoint !== 'trending') {
    const file = release.files.get(snapshotPath(query))
    return file === undefined
      ? { notInManifest: query }
      : servable(query, release, etagOf(file.contentHash), { variant: variantOf(release.id, file, null) })
  }
  const category = query.category === null ? null : release.categories.find(query.category)
  if (query.category !== null && category === null) {
    const { fromMs, toMs } = windowOf(query.period, release.dataAsOfMs)
    const window = { from: formatTimestamp(fromMs ?? toMs), to: formatTimestamp(toMs) }
    const document = emptyTrending(query.period, query.category, window, query.limit)
    const { text, contentHash } = textAndHash(document, window.to)
    return servable(query, release, etagOf(contentHash, query.limit), { text })
  }
  const file = release.files.get(snapshotPath({ ...query, category }, release.keyOf))
  if (file === undefined) return { notInManifest: query }
  const variant = variantOf(release.id, file, query.limit)
  return servable(query, release, etagOf(file.contentHash, query.limit), { variant })
}

function servable(
  query: Query,
  release: LoadedRelease,
  etag: string,
  what: { readonly variant: Variant } | { readonly text: string },
): ServableQuery {
  const headers = [...CORS, ...NOSNIFF, ...validatorHeaders(release, etag)]
  return { etag, typeHeaders: typeHeaders(query, release), headers, ...what }
}

/** Weak: the numbers are the same, not the bytes (generatedAt differs). 128 bits of the content hash. */
function etagOf(hash: string, limit?: number): string {
  return `W/"${hash.slice(0, 32)}${limit === undefined ? '' : `-${limit}`}"`
}

function typeHeaders(query: Query, release: LoadedRelease): Headers {
  if (query.endpoint !== 'export' || query.format === 'json') return JSON_TYPE
  const name = csvFileName(query.type, query.period, release.manifest.dataAsOf)
  return [...CSV_TYPE, 'Content-Disposition', `attachment; filename="${name}"`]
}
