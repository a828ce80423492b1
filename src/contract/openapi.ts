// Owns the OpenAPI 3.1 document, made from the endpoint table, the schemas and the problem titles.
import type { Endpoint } from './kinds/kind.ts'
import { ENDPOINTS, KINDS, type EndpointName } from './kinds/register.ts'
import { VERSION, type Schema } from './kinds/shape.ts'
import { PROBLEM_TITLES } from './problems.ts'
import { DEFAULT_SITE, type SiteOptions } from './site-options.ts'
import { SCHEMAS } from './schemas.ts'

const ref = (name: string): Schema => ({ $ref: `#/components/schemas/${name}` })
const integer: Schema = { type: 'integer', minimum: 0 }

/** Every header that an answer of the API may carry, beside the general ones of HTTP. */
export const API_HEADERS: Readonly<Record<string, { readonly description: string; readonly schema: Schema }>> = {
  'X-RateLimit-Limit': { description: 'Requests allowed in one window.', schema: integer },
  'X-RateLimit-Remaining': { description: 'Requests left in the current window.', schema: integer },
  'X-RateLimit-Reset': { description: 'Unix time in whole seconds when the window ends.', schema: integer },
  'RateLimit-Policy': {
    description: 'The limit as draft-ietf-httpapi-ratelimit-headers has it: requests (`q`) in so many seconds (`w`).',
    schema: { type: 'string' },
  },
  'X-Data-As-Of': { description: 'dataAsOf: the instant that the numbers describe.', schema: { type: 'string' } },
  'X-Snapshot-Id': { description: 'The release that the answer was taken from.', schema: { type: 'string' } },
  'X-Data-Stale': { description: '`true` when the data is older than twice its cadence.', schema: { enum: ['true'] } },
  'X-Data-Closed': {
    description: '`true` while the site is closed to visitors: every number is zero, every list empty.',
    schema: { enum: ['true'] },
  },
  'X-Demo-Data': { description: '`true` when the numbers are those of the invented demo.', schema: { enum: ['true'] } },
  ETag: { description: 'Weak: equal when no number differs.', schema: { type: 'string' } },
  'Last-Modified': { description: 'dataAsOf, in whole seconds.', schema: { type: 'string' } },
  'Content-Disposition': { description: 'A file name (CSV only).', schema: { type: 'string' } },
  Allow: { description: 'The methods there are (405 only).', schema: { type: 'string' } },
  'Retry-After': { description: 'Seconds until another try may succeed (429 and 503 only).', schema: integer },
}

const CSV: Schema = {
  schema: {
    type: 'string',
    description:
      'RFC 4180: UTF-8, CRLF, header row, quotes around every text. A text cell that a spreadsheet would run as a formula (= + - @) begins with an apostrophe; so does such a part of it after ; or TAB or a line break.',
  },
}

function bodiesOf({ name, hasCsv }: Endpoint<EndpointName>): Schema {
  const names = Object.keys(KINDS[name].shapes ?? {}).map(ref)
  const schema = names.length === 1 ? names[0] : { oneOf: names }
  return { 'application/json': { schema }, ...(hasCsv === true && { 'text/csv': CSV }) }
}

/** A header that a request may carry; it holds the ETag of an earlier answer. */
const IF_NONE_MATCH: Schema = {
  name: 'If-None-Match',
  in: 'header',
  required: false,
  description: 'The ETag of an earlier answer, or several: 304 when no number differs from it.',
  schema: { type: 'string' },
}

/** The headers that say something about this client alone. */
export const RATE_HEADERS: readonly string[] = ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset']
const LIMIT_HEADERS = [...RATE_HEADERS, 'RateLimit-Policy']

function headersOf(status: number, hasCsv = false): Schema {
  const isCarried = (name: string): boolean => {
    if (name === 'Content-Disposition') return status === 200 && hasCsv
    if (name === 'Allow') return status === 405
    if (name === 'Retry-After') return status === 429 || status === 503
    // With 408, 414 and 431 the head of the request could not be read, so no client is known whose limit it would be.
    return status < 400 || (LIMIT_HEADERS.includes(name) && ![408, 414, 431].includes(status))
  }
  return Object.fromEntries(Object.entries(API_HEADERS).filter(([name]) => isCarried(name)))
}

function operationOf(endpoint: Endpoint<EndpointName>): Schema {
  // These paths never return 404.
  const problems = Object.entries(PROBLEM_TITLES).filter(([status]) => status !== '404')
  const content = { 'application/json': { schema: ref('Problem') } }
  const parameters = endpoint.parameters.map(({ name, description, json: schema }) => {
    return { name, in: 'query', required: false, description, schema }
  })
  return {
    operationId: endpoint.operationId ?? endpoint.name,
    summary: endpoint.summary,
    parameters: [...parameters, IF_NONE_MATCH],
    responses: {
      '200': { description: endpoint.summary, headers: headersOf(200, endpoint.hasCsv), content: bodiesOf(endpoint) },
      '304': { description: 'Not Modified', headers: headersOf(304) },
      ...Object.fromEntries(
        problems.map(([status, title]) => [
          status,
          { description: title, headers: headersOf(Number(status)), content },
        ]),
      ),
    },
  }
}

function contactOf({ publisher, contact }: ApiWords): Schema {
  if (publisher === null && contact === null) return {}
  const name = publisher === null ? {} : { name: publisher }
  const mail = contact?.startsWith('mailto:') === true
  const address = contact === null ? {} : mail ? { email: contact.slice('mailto:'.length) } : { url: contact }
  return { contact: { ...name, ...address } }
}

/** What an operator says of the site, as far as it is in the description. */
export type ApiWords = Pick<SiteOptions, 'title' | 'publisher' | 'contact' | 'license' | 'publicUrl'>

/**
 * The whole document.
 * @param words those of the release that is served; without a site, a constant of this version of the program
 */
export function openApiDocument(words: ApiWords = DEFAULT_SITE): Schema {
  return {
    openapi: '3.1.0',
    info: {
      title: `${words.title} API`,
      version: VERSION,
      description: 'Read-only statistics of an idea-sharing platform. Free, no login, 100 requests per hour per IP.',
      ...contactOf(words),
      // This is the licence of the numbers; that of the program says nothing about them.
      ...(words.license === null ? {} : { license: { name: words.license, identifier: words.license } }),
    },
    // The address has no slash at its end, because paths are put behind it as they are.
    servers: [{ url: words.publicUrl ?? '/' }],
    // An empty list says that no key is needed, so that nobody looks for one.
    security: [],
    paths: Object.fromEntries(
      Object.values(ENDPOINTS).map((endpoint) => [endpoint.path, { get: operationOf(endpoint) }]),
    ),
    components: { schemas: SCHEMAS },
  }
}
