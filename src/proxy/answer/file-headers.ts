// Owns the headers of files by path and place: type, policy, cache, CORS. The same under every mount, and in nginx.conf. Pure.
import { MONTH } from '../../release/format/manifest.ts'
import { PAGE_POLICY, siteKindOf, type SitePolicy } from '../../contract/site-paths.ts'
import { CSV_TYPE, JSON_TYPE, NOSNIFF, type Headers } from './answer.ts'

export const FILE_CORS: Headers = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  'Accept-Ranges, Content-Range, ETag, Date, X-Data-Closed, X-Demo-Data',
]

/** An hour, not a year: an idea that was taken down must leave the caches. */
const HOUR = 'public, max-age=3600'
const IMMUTABLE = `${HOUR}, immutable`
const CURRENT = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'

const policy = (text: string): Headers => ['Content-Security-Policy', text, 'Referrer-Policy', 'no-referrer']

/**
 * A browser enforces the policy in the header and the one in the page: what both allow is allowed. So the header lets an
 * embed have a style element, and the page says by its hash which one.
 */
const POLICIES: Readonly<Record<SitePolicy, Headers>> = {
  page: policy(`${PAGE_POLICY}; frame-ancestors 'none'`),
  embed: policy(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  ),
  // Opened by its address, an SVG is a page that could run scripts.
  svg: policy("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
  data: [],
}

/** Content-Type, and what a browser may do with it. */
export function kindHeaders(path: string): { readonly type: Headers; readonly policy: Headers } {
  const kind = siteKindOf(path)
  if (kind === null) return { type: path.endsWith('.csv') ? CSV_TYPE : JSON_TYPE, policy: [] }
  return { type: ['Content-Type', kind.type], policy: POLICIES[kind.policy] }
}

/** @param id null = where another release will be. The name of an asset has the hash of its bytes. */
export function placeHeaders(path: string, id: string | null): Headers {
  // The archive of a month is made again after a rollback.
  const cache = id === null && !path.startsWith('assets/') ? CURRENT : id !== null && MONTH.test(id) ? HOUR : IMMUTABLE
  return ['Cache-Control', cache, ...FILE_CORS, ...NOSNIFF]
}
