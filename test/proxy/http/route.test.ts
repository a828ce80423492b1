import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { routeOf } from '../../../src/proxy/http/route.ts'

test.each<readonly [path: string, plane: string, endpoint: string]>([
  ...Object.values(ENDPOINTS).map(({ path, name }) => [path, 'api', name] as const),
  ['/api/openapi.json', 'api', 'openapi'],
  ['/api', 'api', 'other'],
  ['/api/public/stats/', 'api', 'other'],
  ['/api//public/stats', 'api', 'other'],
  ['/api/public/%73tats', 'api', 'other'],
  ['/api/x/../public/stats', 'api', 'other'],
  ['/snapshots/', 'files', 'files'],
  ['/snapshots/current/manifest.json', 'files', 'files'],
  ['/healthz', 'health', 'page'],
  ['/readyz', 'health', 'page'],
  ['/freshz', 'health', 'page'],
  ['/snapshots', 'files', 'files'],
  ['/', 'files', 'site'],
  ['/index.html', 'files', 'site'],
  ['/public/stats.json', 'files', 'site'],
  ['/healthz/', 'files', 'site'],
  ['/snapshotsx', 'files', 'site'],
  ['/API/public/stats', 'files', 'site'],
  ['/apix', 'files', 'site'],
  ['__proto__', 'files', 'site'],
  ['*', 'files', 'site'],
  ['', 'files', 'site'],
])('%s belongs to the plane %s and the endpoint %s: paths are compared byte for byte', (path, plane, endpoint) => {
  expect(routeOf(path)).toMatchObject({ plane, endpoint })
})
