// Owns the headers of files by path and plane: type, policy, CORS. The same under every mount, and in nginx.conf. Pure.
import { mediaTypeOf } from '../../release/format/served-files.ts'
import { PAGE_POLICY, siteKindOf, type SitePolicy } from '../../contract/site-paths.ts'
import { forOthers, type Headers } from './answer.ts'

/** The headers on every answer at the root. */
export const SITE_CORS: Headers = forOthers('Accept-Ranges, Content-Range, ETag, Date, X-Data-Closed, X-Demo-Data')

/** The headers below /snapshots, where the site is once more, and each release: for programs, not for search engines. */
export const SNAPSHOTS_CORS: Headers = [...SITE_CORS, 'X-Robots-Tag', 'noindex']

const policy = (text: string): Headers => ['Content-Security-Policy', text, 'Referrer-Policy', 'no-referrer']
/** The headers of a document for frames: in a page that isolates itself it must isolate itself, too. Ours load nothing. */
const framed = (text: string): Headers => [...policy(text), 'Cross-Origin-Embedder-Policy', 'require-corp']

/**
 * A browser enforces the policy in the header and the one in the page: what both allow is allowed. So the header lets an
 * embed have a style element, and the page says by its hash which one.
 */
const POLICIES: Readonly<Record<SitePolicy, Headers>> = {
  page: policy(`${PAGE_POLICY}; frame-ancestors 'none'`),
  embed: framed(
    "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *",
  ),
  // Opened by its address, an SVG is a page that could run scripts.
  svg: framed("default-src 'none'; style-src 'unsafe-inline'; sandbox"),
  data: [],
}

/** Content-Type, and what a browser may do with it. */
export function kindHeaders(path: string): { readonly type: Headers; readonly policy: Headers } {
  return { type: ['Content-Type', mediaTypeOf(path)], policy: POLICIES[siteKindOf(path)?.policy ?? 'data'] }
}
