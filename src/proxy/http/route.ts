// Owns what a path asks for: its plane and endpoint, found once for routing, the limiter and the metrics. Reads no query.
import { ENDPOINTS, OPENAPI_PATH, type EndpointName } from '../../contract/kinds/register.ts'

const HEALTH_PATHS = ['/healthz', '/readyz', '/freshz']

export interface ApiRoute {
  readonly plane: 'api'
  readonly endpoint: EndpointName | 'openapi' | 'other'
}

/** `site` at the root, `files` under /snapshots. */
export interface FileRoute {
  readonly plane: 'files'
  readonly endpoint: 'files' | 'site'
}

/** `endpoint` is a metric label: there are few, whatever clients ask for. */
export type Route = ApiRoute | FileRoute | { readonly plane: 'health'; readonly endpoint: 'page' }

const BY_PATH: ReadonlyMap<string, Route> = new Map<string, Route>([
  ...Object.values(ENDPOINTS).map(({ path, name }) => [path, { plane: 'api', endpoint: name }] as const),
  [OPENAPI_PATH, { plane: 'api', endpoint: 'openapi' }],
  ...HEALTH_PATHS.map((path) => [path, { plane: 'health', endpoint: 'page' }] as const),
])

const FILES: Route = { plane: 'files', endpoint: 'files' }
const SITE: Route = { plane: 'files', endpoint: 'site' }
const OTHER_API: Route = { plane: 'api', endpoint: 'other' }

/** Paths are compared byte for byte: no decoding, no dot segments, no trailing slash. */
export function routeOf(path: string): Route {
  const known = BY_PATH.get(path)
  if (known !== undefined) return known
  if (path === '/api' || path.startsWith('/api/')) return OTHER_API
  return path === '/snapshots' || path.startsWith('/snapshots/') ? FILES : SITE
}
