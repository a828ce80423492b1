import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { routeOf } from '../../../src/proxy/http/route.ts'

const API = Object.values(ENDPOINTS).map(({ path, name }): [string, string, string[]] => ['api', name, [path]])

test.each<[plane: string, endpoint: string, paths: string[]]>([
  ...API,
  ['api', 'openapi', ['/api/openapi.json']],
  [
    'api',
    'other',
    ['/api', '/api/public/stats/', '/api//public/stats', '/api/public/%73tats', '/api/x/../public/stats'],
  ],
  ['files', 'files', ['/snapshots', '/snapshots/', '/snapshots/current/manifest.json']],
  ['health', 'page', ['/healthz', '/readyz', '/freshz']],
  [
    'files',
    'site',
    [
      '/',
      '/index.html',
      '/public/stats.json',
      '/healthz/',
      '/snapshotsx',
      '/API/public/stats',
      '/apix',
      '__proto__',
      '*',
      '',
    ],
  ],
])('to the plane %s and the endpoint %s belong %j: paths are compared byte for byte', (plane, endpoint, paths) => {
  for (const path of paths) expect(routeOf(path), path).toMatchObject({ plane, endpoint })
})
