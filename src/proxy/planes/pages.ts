// Owns the answers of the pages plane: health, readiness, freshness, the page at `/`, and 404 outside all planes. Decides;
// writes nothing.
import { ENDPOINTS, OPENAPI_PATH } from '../../contract/endpoints.ts'
import { methodNotAllowed, notFound } from '../../contract/problems.ts'
import { JSON_TYPE, NO_STORE, NOSNIFF, problemAnswer, textBody, type Answer, type Headers } from '../answer/answer.ts'
import { CORS, preflight } from '../answer/api-headers.ts'
import { DEMO_MAPPING } from '../../release/format/manifest.ts'
import type { LoadedRelease, ReleaseWatcher } from '../store/release-watcher.ts'
import type { RequestHead } from '../http/head.ts'
import type { PageRoute, PagePath } from '../http/route.ts'

export function answerPage(
  { page }: PageRoute,
  { method, hasBody, host }: RequestHead,
  watcher: ReleaseWatcher,
  nowMs: number,
  isDraining: boolean,
): Answer {
  // Also `OPTIONS *`, which asks of the server as a whole (RFC 9110 section 9.3.7).
  if (method === 'OPTIONS') return preflight(CORS, hasBody)
  // With CORS: in a browser a mistyped address should read as one.
  if (page === null) return problemAnswer(notFound(), CORS, hasBody)
  if (method !== 'GET' && method !== 'HEAD') return problemAnswer(methodNotAllowed(method), [], hasBody)
  const { release, problem } = watcher
  return PAGES[page]({ release, problem, nowMs, isDraining, host })
}

interface PageState extends Pick<ReleaseWatcher, 'release' | 'problem'> {
  readonly nowMs: number
  readonly isDraining: boolean
  readonly host: string
}

const PAGES: Readonly<Record<PagePath, (state: PageState) => Answer>> = {
  '/healthz': ({ release }) => status(200, { status: 'up', ...notices(release) }),
  '/readyz': readiness,
  '/freshz': freshness,
  '/': home,
}

function status(code: number, body: object): Answer {
  return {
    status: code,
    headers: [...JSON_TYPE, ...NO_STORE, ...NOSNIFF],
    body: textBody(`${JSON.stringify(body)}\n`),
  }
}

/** Only where the numbers are not those of an open site. */
function notices(release: LoadedRelease | null): { readonly demo?: true; readonly closed?: true } {
  return {
    ...(release?.manifest.mapping.name === DEMO_MAPPING ? { demo: true } : {}),
    ...(release?.manifest.closed === true ? { closed: true } : {}),
  }
}

/** For load balancers: with a loaded release, however old, this proxy can answer. */
function readiness({ release, problem, isDraining }: PageState): Answer {
  if (isDraining) return status(503, { status: 'not ready', reason: 'stopping' })
  if (release === null)
    return status(503, { status: 'not ready', reason: problem ?? 'no release has been published yet' })
  return status(200, {
    status: 'ready',
    release: release.id,
    dataAsOf: release.manifest.dataAsOf,
    ...notices(release),
    ...(problem === null ? {} : { problem }),
  })
}

/** For alerts: whether builds still arrive. */
function freshness({ release, problem, nowMs }: PageState): Answer {
  if (release === null) return status(503, { status: 'stale', reason: problem ?? 'no release has been published yet' })
  const ageSeconds = Math.max(0, Math.floor((nowMs - release.dataAsOfMs) / 1000))
  const cadenceSeconds = Math.round((release.nextUpdateAtMs - release.dataAsOfMs) / 1000)
  const { dataAsOf } = release.manifest
  const about = { release: release.id, dataAsOf, ageSeconds, cadenceSeconds, ...notices(release) }
  if (nowMs <= release.staleAtMs) return status(200, { status: 'fresh', ...about })
  return status(503, {
    status: 'stale',
    ...about,
    reason: `the data is ${ageSeconds} s old, over twice its cadence of ${cadenceSeconds} s`,
  })
}

const EXAMPLES: readonly (readonly [string, string])[] = [
  [ENDPOINTS.stats.path, ENDPOINTS.stats.summary],
  [`${ENDPOINTS.trending.path}?period=7d&limit=10`, ENDPOINTS.trending.summary],
  [`${ENDPOINTS.categories.path}?period=30d`, ENDPOINTS.categories.summary],
  [`${ENDPOINTS.timeline.path}?period=90d`, ENDPOINTS.timeline.summary],
  [ENDPOINTS.outcomes.path, ENDPOINTS.outcomes.summary],
  [`${ENDPOINTS.export.path}?type=ideas&period=30d`, 'Whole tables as JSON'],
  [`${ENDPOINTS.export.path}?type=ideas&period=30d&format=csv`, 'Whole tables as CSV'],
  [OPENAPI_PATH, 'The API described for programs (OpenAPI 3.1)'],
  ['/snapshots/current/manifest.json', 'The same data as files, for CDNs and mirrors'],
]

const STYLE = `:root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}
h1{font-size:1.5rem;margin:0 0 .25rem}p.asof{margin:0 0 2rem;opacity:.75}dt{margin-top:1.1rem;font-weight:600}dd{margin:.2rem 0 0}
code{font:13px/1.5 ui-monospace,monospace;display:block;overflow-x:auto;padding:.45rem .7rem;border-radius:.4rem;background:#8882;white-space:pre}`

const PAGE_HEADERS: Headers = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  `default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'`,
  'Referrer-Policy',
  'no-referrer',
]

/** Only a valid address is shown: a client can send any text. */
const ADDRESS = /^[\w.-]{1,253}(?::\d{1,5})?$|^\[[\da-f:.]{2,45}\](?::\d{1,5})?$/i

function home({ release, nowMs, host }: PageState): Answer {
  const base = ADDRESS.test(host) ? `http://${host}` : 'http://HOST'
  const asOf =
    release === null
      ? 'No release has been published yet.'
      : `Data as of <time>${release.manifest.dataAsOf}</time>${nowMs > release.staleAtMs ? ' (older than it should be)' : ''}.`
  const { demo, closed } = notices(release)
  const notice =
    (demo === true ? ' This is the demo: all numbers are invented.' : '') +
    (closed === true ? ' The site is closed to visitors: every number is zero.' : '')
  const items = EXAMPLES.map(([target, what]) => {
    const shown = target.replaceAll('&', '&amp;')
    return `<dt><a href="${shown}">${what}</a></dt><dd><code>curl -s "${base}${shown}"</code></dd>`
  })
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>Public statistics API</title><style>${STYLE}</style>
<h1>Public statistics API</h1><p class="asof">${asOf}${notice} Free, no login, limited per IP address.</p>
<dl>${items.join('\n')}</dl></html>
`
  return { status: 200, headers: [...PAGE_HEADERS, ...NO_STORE, ...NOSNIFF], body: textBody(html) }
}
