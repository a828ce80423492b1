// Owns what a path asks for: its plane and endpoint, found once for routing, the limiter and the metrics. Reads no query.
import { ENDPOINTS, OPENAPI_PATH, type EndpointName } from '../../contract/endpoints.ts'

const PAGE_PATHS = ['/', '/healthz', '/readyz', '/freshz'] as const
export type PagePath = (typeof PAGE_PATHS)[number]

export interface ApiRoute {
  readonly plane: 'api'
  readonly endpoint: EndpointName | 'openapi' | 'other'
}

export interface PageRoute {
  readonly plane: 'pages'
  readonly endpoint: 'page' | 'other'
  /** null = there is no such page. */
  readonly page: PagePath | null
}

/** `endpoint` is a metric label: there are few, whatever clients ask for. */
export type Route = ApiRoute | PageRoute | { readonly plane: 'files'; readonly endpoint: 'files' }

const BY_PATH: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...Object.values(ENDPOINTS).map(({ path, name }) => [path, { plane: 'api', endpoint: name }] as const),
  [OPENAPI_PATH, { plane: 'api', endpoint: 'openapi' }],
  ...PAGE_PATHS.map((page) => [page, { plane: 'pages', endpoint: 'page', page }] as const),
])

const FILES: Route = { plane: 'files', endpoint: 'files' }
const OTHER_API: Route = { plane: 'api', endpoint: 'other' }
const OTHER: Route = { plane: 'pages', endpoint: 'other', page: null }

/** Paths are compared byte for byte: no decoding, no dot segments, no trailing slash. */
export function routeOf(path: string): Route {
  const known = BY_PATH.get(path)
  if (known !== undefined) return known
  if (path.startsWith('/snapshots/')) return FILES
  return path === '/api' || path.startsWith('/api/') ? OTHER_API : OTHER
}
