import { expect, test } from 'vitest'
import { ENDPOINTS } from '../../../src/contract/kinds/register.ts'
import { resolvedQueries } from '../../../src/proxy/store/resolved-query.ts'
import { loadRelease } from '../../../src/proxy/store/release-watcher.ts'
import type { Manifest } from '../../../src/release/format/manifest.ts'
import { aboutOf, AS_OF_MS } from '../../release/sample-release.ts'

test('a category is found by its key in the manifest: another Node.js may have computed another one', () => {
  const path = 'analytics/trending/7d/category/other-0123456789ab.json'
  const file = { path, bytes: 1, sha256: '', contentHash: 'c'.repeat(64), rows: 0 }
  const manifest: Manifest = {
    id: '20260520T093000000Z-01234567',
    ...aboutOf(AS_OF_MS),
    categories: [{ name: 'Product', key: 'other-0123456789ab' }],
    files: [file],
  }
  const query = 'category=product'
  const queries = resolvedQueries()(loadRelease(manifest))
  const resolved = queries(`/api/analytics/trending?${query}`, { endpoint: ENDPOINTS.trending, query })
  expect(resolved).toMatchObject({ variant: { file } })
})
