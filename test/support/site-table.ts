// Owns what a front answers for the files of a release, as a table: path, method and headers in; status, type, policy and cache
// out. The proxy and nginx.conf are both compared with it.
import type { IncomingHttpHeaders } from 'node:http'
import { ASSET, OF_CATEGORY, BULK } from './site-release.ts'

export const CURRENT_CACHE = 'public, max-age=60, stale-while-revalidate=300, stale-if-error=86400'
export const HOUR_CACHE = 'public, max-age=3600, immutable'

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json; charset=utf-8'
const PAGE =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
const EMBED =
  "default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors *"
const SVG = "default-src 'none'; style-src 'unsafe-inline'; sandbox"

/** What the file at a path is served as. */
export const KINDS: Readonly<
  Record<string, { readonly type: string; readonly policy?: string; readonly hour?: true }>
> = {
  'index.html': { type: HTML, policy: PAGE },
  'fr/index.html': { type: HTML, policy: PAGE },
  '404.html': { type: HTML, policy: PAGE },
  'docs/index.html': { type: HTML, policy: PAGE },
  'docs/data.html': { type: HTML, policy: PAGE },
  'fr/docs/data.html': { type: HTML, policy: PAGE },
  'embed/totals.html': { type: HTML, policy: EMBED },
  'fr/embed/totals.html': { type: HTML, policy: EMBED },
  [`${OF_CATEGORY}/index.html`]: { type: HTML, policy: PAGE },
  [`${OF_CATEGORY}/embed.html`]: { type: HTML, policy: EMBED },
  'robots.txt': { type: 'text/plain; charset=utf-8' },
  'favicon.svg': { type: 'image/svg+xml', policy: SVG },
  'logo.svg': { type: 'image/svg+xml', policy: SVG },
  'badges/ideas.svg': { type: 'image/svg+xml', policy: SVG },
  'charts/votes.svg': { type: 'image/svg+xml', policy: SVG },
  'fr/charts/votes.svg': { type: 'image/svg+xml', policy: SVG },
  'badges/ideas.json': { type: 'application/json' },
  'fr/badges/ideas.svg': { type: 'image/svg+xml', policy: SVG },
  'fr/badges/ideas.json': { type: 'application/json' },
  [`${ASSET}.css`]: { type: 'text/css; charset=utf-8', hour: true },
  [`${ASSET}.js`]: { type: 'text/javascript; charset=utf-8', hour: true },
  'feeds/launched.atom': { type: 'application/atom+xml; charset=utf-8' },
  'feeds/new.atom': { type: 'application/atom+xml; charset=utf-8' },
  'fr/feeds/new.atom': { type: 'application/atom+xml; charset=utf-8' },
  'feeds/changes.atom': { type: 'application/atom+xml; charset=utf-8' },
  'feeds/launched.json': { type: 'application/feed+json' },
  [`${OF_CATEGORY}/launched.atom`]: { type: 'application/atom+xml; charset=utf-8' },
  'fr/feeds/launched.atom': { type: 'application/atom+xml; charset=utf-8' },
  'fr/feeds/launched.json': { type: 'application/feed+json' },
  'search/index.html': { type: HTML, policy: PAGE },
  'fr/search/index.html': { type: HTML, policy: PAGE },
  'search/1.json': { type: 'application/json' },
  'datapackage.json': { type: 'application/json' },
  'dcat.jsonld': { type: 'application/ld+json' },
  'bulk.zip': { type: 'application/zip' },
  'analytics/export/ideas/7d.csv': { type: 'text/csv; charset=utf-8' },
  'ideas.xlsx': { type: 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet' },
  'public/stats.json': { type: JSON_TYPE },
  'analytics/categories/7d.json': { type: JSON_TYPE },
  'manifest.json': { type: JSON_TYPE },
}

/** The places where a release is, each with how long its files may be kept. */
export function mounts(id: string): readonly (readonly [base: string, cache: string])[] {
  return [
    ['', CURRENT_CACHE],
    ['/snapshots/current', CURRENT_CACHE],
    [`/snapshots/releases/${id}`, HOUR_CACHE],
  ]
}

/** The headers that fronts agree on; a validator only by whether it is there. */
export function described({ status, headers }: { status: number; headers: IncomingHttpHeaders }): object {
  const { etag, 'last-modified': lastModified } = headers
  const names = [
    'accept-ranges',
    'access-control-allow-origin',
    'access-control-expose-headers',
    'cache-control',
    'content-encoding',
    'content-length',
    'content-range',
    'content-security-policy',
    'content-type',
    'cross-origin-embedder-policy',
    'cross-origin-resource-policy',
    'location',
    'referrer-policy',
    'vary',
    'x-content-type-options',
    'x-robots-tag',
  ] as const
  const shown = Object.fromEntries(
    names.flatMap((name) => (headers[name] === undefined ? [] : [[name, headers[name]]])),
  )
  return { status, ...shown, etag: etag !== undefined, 'last-modified': lastModified !== undefined }
}

/** As `described` for a 200 of this file in identity. */
export function whole(path: string, [base, cache]: readonly [base: string, cache: string], bytes: number): object {
  const { type = '', policy, hour } = KINDS[path] ?? {}
  return {
    status: 200,
    'accept-ranges': 'bytes',
    'access-control-allow-origin': '*',
    'access-control-expose-headers': 'Accept-Ranges, Content-Range, ETag, Date, X-Data-Closed, X-Demo-Data',
    'cache-control': hour === true ? HOUR_CACHE : cache,
    'content-length': String(bytes),
    'content-type': type,
    ...(policy === undefined ? {} : { 'content-security-policy': policy, 'referrer-policy': 'no-referrer' }),
    ...(policy === EMBED || policy === SVG ? { 'cross-origin-embedder-policy': 'require-corp' } : {}),
    'cross-origin-resource-policy': 'cross-origin',
    vary: 'Accept-Encoding',
    'x-content-type-options': 'nosniff',
    ...(base === '' ? {} : { 'x-robots-tag': 'noindex' }),
    etag: true,
    'last-modified': true,
  }
}

/** Ranges of BULK, and what comes: [first, last], 416 or the whole. */
export const RANGES: readonly (readonly [range: string, answer: readonly [number, number] | 416 | 200])[] = [
  ['bytes=0-0', [0, 0]],
  ['bytes=0-3', [0, 3]],
  ['bytes=-8', [BULK.length - 8, BULK.length - 1]],
  [`bytes=${BULK.length - 8}-`, [BULK.length - 8, BULK.length - 1]],
  ['bytes=100-300099', [100, 300_099]],
  ['bytes=0-', [0, BULK.length - 1]],
  ['bytes=1000-999999999999999', [1000, BULK.length - 1]],
  ['bytes=-999999999999999', [0, BULK.length - 1]],
  ['Bytes=1-2', [1, 2]],
  [`bytes=${BULK.length}-`, 416],
  [`bytes=${BULK.length}-${BULK.length}`, 416],
  ['bytes=999999999999999-', 416],
  ['bytes=-0', 416],
  ['bytes=0-18446744073709551616', 200],
  ['bytes=18446744073709551616-', 200],
  ['bytes=-18446744073709551616', 200],
  ['bytes=0-1,5-6', 200],
  ['bytes=0-1,', 200],
  ['bytes=', 200],
  ['bytes=-', 200],
  ['bytes=a-b', 200],
  ['bytes= 0-1', 200],
  ['items=0-1', 200],
]

const PAST_THE_END = 'bytes=999999999-'

/** Conditions of a GET of `bytes=0-3` of BULK, and the status: they come before ranges, and If-Range takes what is strong. */
export function conditions(
  etag: string,
  date: string,
): readonly (readonly [headers: Record<string, string>, number])[] {
  return [
    [{}, 206],
    [{ 'If-None-Match': etag }, 304],
    [{ 'If-None-Match': etag, Range: PAST_THE_END }, 304],
    [{ 'If-Match': '"x"' }, 412],
    [{ 'If-Match': '"x"', Range: PAST_THE_END }, 412],
    [{ 'If-Match': etag }, 206],
    [{ 'If-Unmodified-Since': date }, 206],
    [{ 'If-Modified-Since': date }, 304],
    [{ 'If-Range': etag }, 206],
    [{ 'If-Range': date }, 206],
    [{ 'If-Range': `W/${etag}` }, 200],
    [{ 'If-Range': '"x"' }, 200],
    [{ 'If-Range': '"x"', Range: PAST_THE_END }, 200],
    [{ 'If-Range': 'Thu, 21 May 2026 09:30:00 GMT' }, 200],
  ]
}

/** Addresses under the root that are none, whatever is beside the release. */
export const NOWHERE: readonly string[] = [
  '/nothing',
  '/nothing.html',
  '/index',
  '/index.html/',
  '/fr/index.html/',
  '/de',
  '/de/',
  '/public',
  '/public/',
  '/docs/data',
  '/docs//',
  '//',
  '//index.html',
  '/./index.html',
  '/fr/../index.html',
  '/%69ndex.html',
  '/fr%2Findex.html',
  '/fr/index%2ehtml',
  '/%2e/index.html',
  '/%2e%2e/index.html',
  '/INDEX.HTML',
  '/index.html.gz',
  '/index.html.br',
  '/index.html.',
  '/index.html%00',
  '/index.html%20',
  '/.gz',
  '/.state',
  '/.state/x.json',
  '/%2estate/x.json',
  '/.lock',
  '/.hidden.json',
  '/%2ehidden.json',
  '/unlisted.json/',
  '/releases/',
  '/current/index.html',
  '/manifest.json.gz',
  '/apix',
  '/api.json',
  '/healthz/',
  '/snapshotsx',
  '/__proto__',
  '/constructor',
  '/favicon.ico',
  '/nginx.conf',
  '/..;/index.html',
  '/fr;x=1/index.html',
  '/index.html;x',
  '/index.html#top',
  '/\\index.html',
]

/** Accept, and whether the 404 is HTML. */
export const ACCEPTS: readonly (readonly [accept: string | undefined, html: boolean])[] = [
  [undefined, false],
  ['', false],
  ['*/*', false],
  ['application/json', false],
  ['application/json, text/plain, */*', false],
  ['text/html', true],
  ['TEXT/HTML', true],
  ['text/*', true],
  ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
  ['text/html;charset=utf-8', true],
  ['text/html;q=0.5, */*;q=0.1', true],
  ['text/html, application/json', false],
  ['text/html;q=0.9, application/json', false],
  ['text/html, application/json;q=0.9', true],
  ['text/html;q=0, */*', false],
  ['text/html;q=2', false],
  ['text/html;q=x, */*', false],
  ['application/*;q=0.2, text/html;level=1;q=0.3', true],
  ['*/*, application/json;q=0.1', true],
  ['nonsense', false],
  ['text/htmlx', false],
]
