// Owns the resolution of a query against a release: which snapshot, which excerpt of it, under which ETag; remembered.
// Reads no file.
import { createHash } from 'node:crypto'
import { textAndHash } from '../../../contract/document-text.ts'
import { csvFileName, emptyOutcomes, emptyTrending } from '../../../contract/documents.ts'
import type { Endpoint, Query } from '../../../contract/endpoints.ts'
import { formatTimestamp } from '../../../contract/timestamp.ts'
import { parseQuery, type BadParameter } from '../../../contract/parse-query.ts'
import { snapshotPath } from '../../../contract/snapshot-paths.ts'
import { windowOf } from '../../../contract/windows.ts'
import { CSV_TYPE, JSON_TYPE, NOSNIFF, type Headers } from '../../answer/answer.ts'
import type { ManifestFile } from '../../../release/format/manifest.ts'
import { CORS, validatorHeaders } from '../../answer/api-headers.ts'
import { variantOf, type Variant } from '../../store/body-cache.ts'
import { firstIdeas, OUTCOMES, timelineOf, zerosFor, type Excerpt } from '../../store/excerpt.ts'
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

export type ResolvedQuery = { readonly bad: readonly BadParameter[] } | typeof NOT_YET | ServableQuery

/** The manifest lists no snapshot for it: the release was made before there was such a thing. */
const NOT_YET = { notYet: true } as const

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
  if (!('category' in query) || query.category === null) return snapshotOf(query, excerptFor(query), release)
  const category = release.categories.find(query.category)
  return category === null
    ? nothingOf({ ...query, category: query.category }, release)
    : snapshotOf({ ...query, category }, excerptFor(query), release)
}

/** null = the answer is the whole snapshot. */
function excerptFor(query: Query): Excerpt | null {
  switch (query.endpoint) {
    case 'trending':
      return firstIdeas(query.limit)
    case 'timeline':
      return query.category === null ? null : timelineOf(query.period)
    case 'outcomes':
      return query.category === null ? null : OUTCOMES
    case 'stats':
    case 'categories':
    case 'export':
      return null
  }
}

function snapshotOf(query: Query, excerpt: Excerpt | null, release: LoadedRelease): ResolvedQuery {
  const file = release.files.get(snapshotPath(query, release.keyOf))
  if (file === undefined) return NOT_YET
  const part = query.endpoint === 'trending' ? String(query.limit) : excerpt?.key
  return servable(query, release, etagOf(file.contentHash, part), { variant: variantOf(release.id, file, excerpt) })
}

type OfCategory = Extract<Query, { category: unknown }> & { readonly category: string }

/** For a category that no idea has: there is no file. */
function nothingOf(query: OfCategory, release: LoadedRelease): ResolvedQuery {
  const { category } = query
  switch (query.endpoint) {
    case 'trending': {
      const { fromMs, toMs } = windowOf(query.period, release.dataAsOfMs)
      const window = { from: formatTimestamp(fromMs ?? toMs), to: formatTimestamp(toMs) }
      const { text, contentHash } = textAndHash(emptyTrending(query.period, category, window, query.limit), window.to)
      return servable(query, release, etagOf(contentHash, String(query.limit)), { text })
    }
    case 'outcomes': {
      if (ofAllIdeas(query, release) === undefined) return NOT_YET
      const { dataAsOf } = release.manifest
      const { text, contentHash } = textAndHash(emptyOutcomes(category, dataAsOf), dataAsOf)
      return servable(query, release, etagOf(contentHash), { text })
    }
    case 'timeline': {
      const ofAll = ofAllIdeas(query, release)
      if (ofAll === undefined) return NOT_YET
      const etag = etagOf(createHash('sha256').update(`${ofAll.contentHash} ${category}`).digest('hex'))
      return servable(query, release, etag, { variant: variantOf(release.id, ofAll, zerosFor(category)) })
    }
  }
}

function ofAllIdeas(query: OfCategory, { files }: LoadedRelease): ManifestFile | undefined {
  return files.get(snapshotPath({ ...query, category: null }))
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
function etagOf(hash: string, part?: string): string {
  return `W/"${hash.slice(0, 32)}${part === undefined ? '' : `-${part}`}"`
}

function typeHeaders(query: Query, release: LoadedRelease): Headers {
  if (query.endpoint !== 'export' || query.format === 'json') return JSON_TYPE
  const name = csvFileName(query.type, query.period, release.manifest.dataAsOf, query.interval)
  return [...CSV_TYPE, 'Content-Disposition', `attachment; filename="${name}"`]
}
