// Owns the answer that describes the API to programs (OpenAPI). Knows no client, and of a release only its words.
import { contentHash } from '../../contract/document-text.ts'
import { openApiDocument, RATE_HEADERS, type ApiWords } from '../../contract/openapi.ts'
import { remembering } from '../../process/remembering.ts'
import { conditionalAnswer, JSON_TYPE, NOSNIFF, type HttpAnswer } from './answer.ts'
import { codedText } from './prepared-body.ts'
import type { RequestHead } from '../http/head.ts'
import { preferredCodings } from '../http/negotiation.ts'

/** Identical for all clients except the rate-limit headers, so shared caches store it without those (RFC 9111 section 5.2.2.7). */
const OPENAPI_CACHE = `public, max-age=3600, private="${RATE_HEADERS.join(', ')}"`

export function openApi() {
  // It is made at the first request for a release: few clients ask for it, and every start would wait for it.
  const description = remembering((words: ApiWords | undefined) => {
    const text = JSON.stringify(openApiDocument(words))
    const etag = `W/"${contentHash({ text }).slice(0, 32)}"`
    const headers = [...NOSNIFF, 'ETag', etag, 'Vary', 'Accept-Encoding', 'Cache-Control', OPENAPI_CACHE]
    return { etag, headers, text: codedText(() => text) }
  }, 1)
  /** @param words those of the release that is served; undefined = it has no site, or there is none */
  return async ({ fields }: RequestHead, words: ApiWords | undefined): Promise<HttpAnswer> => {
    const { etag, headers, text } = description(words)
    const unchanged = conditionalAnswer({ etag, lastModified: null }, fields, headers)
    if (unchanged !== null) return unchanged
    const { body } = await text(preferredCodings(fields['accept-encoding'])[0] ?? null)
    return { status: 200, headers: [...JSON_TYPE, ...headers], body }
  }
}
