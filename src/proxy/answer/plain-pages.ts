// Owns the two pages that are of no release: at `/` where the current release has no index.html, and 404 where it has no
// 404.html. Knows no request.
import { OPENAPI_PATH } from '../../contract/kinds/register.ts'
import { DEMO_MAPPING } from '../../release/format/manifest.ts'
import { NO_STORE, NOSNIFF, textBody, type Answer, type Headers } from './answer.ts'
import type { ServedRelease } from './api-headers.ts'
import { FILE_CORS } from './file-headers.ts'

const HEADERS: Headers = [
  'Content-Type',
  'text/html; charset=utf-8',
  'Content-Security-Policy',
  "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy',
  'no-referrer',
  ...NO_STORE,
  ...NOSNIFF,
  ...FILE_CORS,
]

const STYLE =
  ':root{color-scheme:light dark}body{font:16px/1.55 system-ui,sans-serif;max-width:46rem;margin:3rem auto;padding:0 1rem}'

/** @param rest HTML */
function page(status: number, title: string, rest: string, more: Headers = []): Answer {
  const html = `<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>${title}</title><style>${STYLE}</style>
<h1>${title}</h1>
${rest}
</html>
`
  return { status, headers: [...HEADERS, ...more], body: textBody(html) }
}

const API_LINK = `<a href="${OPENAPI_PATH}">description of the API</a>`

type ShownRelease = Pick<ServedRelease, 'manifest' | 'staleAtMs'>

/** @param release null = none has been published */
export function noPage(release: ShownRelease | null, nowMs: number): Answer {
  const rest =
    release === null
      ? `<p>No release has been published yet. There is a ${API_LINK}.</p>`
      : `<p>${aboutOf(release, nowMs)}</p>
<p>This release has no page. Its numbers are in the API (${API_LINK}) and in <a href="/manifest.json">files</a>.</p>`
  return page(200, 'Public statistics', rest)
}

function aboutOf({ manifest, staleAtMs }: ShownRelease, nowMs: number): string {
  const { dataAsOf, mapping, closed } = manifest
  return [
    `Data as of <time>${dataAsOf}</time>${nowMs > staleAtMs ? ' (older than it should be)' : ''}.`,
    ...(mapping.name === DEMO_MAPPING ? ['This is the demo: all numbers are invented.'] : []),
    ...(closed === true ? ['The site is closed to visitors: every number is zero.'] : []),
  ].join(' ')
}

/** @param vary what the choice of this answer depends on */
export function notFoundPage(vary: Headers): Answer {
  return page(404, 'Not found', '<p>There is nothing at this address. <a href="/">Go to the first page</a>.</p>', vary)
}
