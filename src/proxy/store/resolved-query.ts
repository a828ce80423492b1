// Owns the resolution of a query against a release: which snapshot, which excerpt of it, under which ETag; remembered.
// Reads no file.
import { hash } from 'node:crypto'
import { csvFileName } from '../../contract/kinds/export.ts'
import type { Endpoint } from '../../contract/kinds/kind.ts'
import { KINDS, type Query } from '../../contract/kinds/register.ts'
import { snapshotPath } from '../../contract/snapshot-paths.ts'
import { parseQuery } from '../../contract/parse-query.ts'
import { badParameters, internalError } from '../../contract/problems.ts'
import { remembering } from '../../process/remembering.ts'
import { contentHashOf } from '../../release/format/manifest.ts'
import { CSV_TYPE, JSON_TYPE, NOSNIFF, problemAnswer, type ErrorAnswer, type Headers } from '../answer/answer.ts'
import { validatorHeaders } from '../answer/api-headers.ts'
import { variantOf } from './body-cache.ts'
import type { LoadedRelease } from './release-watcher.ts'

/** An error, or what a 200 and its 304 are made of. */
type ResolvedQuery = ErrorAnswer | ReturnType<typeof lookUp>

/** The manifest lists no snapshot for the query: the release was made before there was such a thing. */
const NOT_YET = problemAnswer(internalError('not yet'))
const NO_RELEASE = problemAnswer(internalError('no release'))

const REMEMBERED = 2000

/**
 * The queries of one release, by their targets. It is known by its object: one that is built again has the same id but other
 * files. Bad parameters are bad without a release, too.
 */
export function resolvedQueries() {
  const resolving = (release: LoadedRelease | null) =>
    remembering((_target: string, { endpoint, query }: { endpoint: Endpoint; query: string }): ResolvedQuery => {
      const parsed = parseQuery(endpoint, query)
      if (!parsed.ok) return problemAnswer(badParameters(parsed.bad))
      return release === null ? NO_RELEASE : lookUp(parsed.query, release)
    }, REMEMBERED)
  return remembering(resolving, 1)
}

/** `typeHeaders` are those of a body: its type and name; `headers` those of the release and the snapshot, also of a 304. */
function lookUp(query: Query, release: LoadedRelease) {
  const kind = KINDS[query.endpoint]
  const asked = 'category' in query ? query.category : null
  const category = asked === null ? null : release.categoryMeant(asked)
  const file = release.files.get(
    snapshotPath(asked === null ? query : ({ ...query, category } as Query), release.keyOf),
  )
  if (file === undefined) return NOT_YET
  const part = kind.part?.(query)
  let [sha256, from] = [contentHashOf(file), part?.from]
  // For a category that no idea has, the answer is made of the file of all ideas.
  if (asked !== null && category === null) {
    sha256 = hash('sha256', `${sha256} ${asked}`)
    from = (ofAll) => kind.nothing?.(ofAll, { ...query, category: asked }) ?? 'there is no answer about nothing'
  }
  // A weak tag: the numbers are the same, not the bytes (generatedAt differs). It has 128 bits of the content hash.
  const etag = `W/"${sha256.slice(0, 32)}${part ? `-${part.key}` : ''}"`
  const variant = variantOf(release.id, file, from === undefined ? null : { key: etag, from })
  const headers: Headers = [...NOSNIFF, ...validatorHeaders(release, etag)]
  return { release, etag, typeHeaders: typeHeaders(query, release), headers, variant }
}

function typeHeaders(query: Query, release: LoadedRelease): Headers {
  if (query.endpoint !== 'export' || query.format === 'json') return JSON_TYPE
  const name = csvFileName(query, release.manifest.dataAsOf)
  return [...CSV_TYPE, 'Content-Disposition', `attachment; filename="${name}"`]
}
