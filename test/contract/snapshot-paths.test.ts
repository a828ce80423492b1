import { readFileSync } from 'node:fs'
import { assert, constantFrom, oneof, property, tuple, uniqueArray } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { categoryKey, normalizeCategory } from '../../src/contract/category-name.ts'
import { EXPORT_FORMATS } from '../../src/contract/kinds/export.ts'
import { ENDPOINTS, KINDS } from '../../src/contract/kinds/register.ts'
import { EXPORT_TYPES } from '../../src/contract/kinds/tables.ts'
import { combinationAt, combinations, snapshotPath, snapshotPaths } from '../../src/contract/snapshot-paths.ts'
import { parseQuery } from '../../src/contract/parse-query.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { PERIODS } from '../../src/contract/windows.ts'
import { anyText } from './any-text.ts'

// As the manifest accepts them: no segment begins with a dot.
const MANIFEST_PATH = /^(?:[a-z0-9-][a-z0-9.-]*\/)*[a-z0-9-][a-z0-9.-]*$/

// prettier-ignore
const HOSTILE = [
  'all', 'ALL', 'All', '__proto__', 'constructor', '../x', '..', '.', '.htaccess', '/', '/etc/passwd', '\\', 'a/b', 'a\\b',
  'a b', 'a-b', 'a_b', 'a.json', 'all.json', 'all-5ef5ef0364b6', '😀', '👨‍👩‍👧', '文', 'é', 'e\u0301', '%2e%2e%2f', '?x=1',
  '#', '&', '-', '--', '\u202E', '\u200B', '\uFEFF', 'CON', 'nul', '~', '*', '\n', "'", '"', '<b>', '\u0001', '\u007F',
  'x'.repeat(40), 'x'.repeat(41), 'x'.repeat(10_000), '文'.repeat(5000), 'Uncategorized',
]
const names = oneof(constantFrom(...HOSTILE), anyText({ minLength: 1, maxLength: 60 }))
const anyCombination = names.chain((name) => constantFrom(...combinations([name])))

describe('combinations and snapshot paths are one to one', () => {
  test('a path leads back to its combination', () => {
    assert(
      property(anyCombination, (combination) => {
        const known = 'category' in combination ? combination.category : null
        const found = combinationAt(snapshotPath(combination), (key) =>
          known !== null && key === categoryKey(known) ? known : undefined,
        )
        expect(found).toEqual(combination)
      }),
    )
  })

  test('each path is of exactly one of the files that the reference lists for its kind', () => {
    for (const one of combinations(['Parks'])) {
      const path = snapshotPath(one).replace(/(?<=^analytics\/export\/.*\.)json$/, 'csv')
      const isOf = (listed: string): boolean =>
        new RegExp(`^${listed.replaceAll('.', '\\.').replaceAll(/<[a-z]+>/g, '[^/]+')}$`).test(path)
      expect(
        KINDS[one.endpoint].files.filter(([listed]) => isOf(listed)),
        path,
      ).toHaveLength(1)
    }
  })

  test('every path is one that a manifest accepts, without dot segments and short enough for any file system', () => {
    assert(
      property(anyCombination, (combination) => {
        const path = snapshotPath(combination)
        expect(path).toMatch(MANIFEST_PATH)
        expect(path.split('/').filter((segment) => segment === '' || segment.startsWith('.'))).toEqual([])
        expect(Math.max(...path.split('/').map((segment) => segment.length))).toBeLessThan(100)
      }),
    )
  })

  test('all combinations of a platform have paths of their own, also where the file system ignores case', () => {
    const platforms = uniqueArray(names.map(normalizeCategory), { maxLength: 12 })
    assert(
      property(platforms, (categories) => {
        const paths = [...combinations(categories)].map((combination) => snapshotPath(combination))
        expect(new Set(paths.map((path) => path.toLowerCase())).size).toBe(paths.length)
        const ofAllIdeas = 1 + 4 + 5 + 6 + 1 + (EXPORT_TYPES.length * 5 + 1) * 2
        expect(paths.length).toBe(ofAllIdeas + (4 + 1) * categories.length)
        expect([...snapshotPaths(categories.map(categoryKey))].sort()).toEqual(paths.sort())
      }),
    )
  })

  test('every query that is accepted has its snapshot among them', () => {
    const values = (kind: string, of: readonly string[]) => constantFrom('', ...of.map((value) => `&${kind}=${value}`))
    const raws = tuple(
      values('period', PERIODS),
      values('interval', ['hour', 'day', 'month']),
      values('category', ['all', 'Product']),
      values('type', EXPORT_TYPES),
      values('format', EXPORT_FORMATS),
    ).map((parts) => parts.join(''))
    const paths = new Set([...combinations(['Product', 'all'])].map((combination) => snapshotPath(combination)))
    assert(
      property(constantFrom(...Object.values(ENDPOINTS)), raws, (endpoint, raw) => {
        const parsed = parseQuery(endpoint, raw)
        if (parsed.ok) expect(paths).toContain(snapshotPath(parsed.query))
      }),
    )
  })
})

const BY_DAY = { endpoint: 'export', type: 'timeline', period: 'all', interval: 'day', format: 'json' } as const
test.each([
  ['public/stats.json', { endpoint: 'stats' }],
  ['analytics/trending/24h/all.json', { endpoint: 'trending', period: '24h', category: null }],
  ['analytics/trending/7d/category/all-5ef5ef0364b6.json', { endpoint: 'trending', period: '7d', category: 'all' }],
  ['analytics/categories/all.json', { endpoint: 'categories', period: 'all' }],
  ['analytics/timeline/24h.json', { endpoint: 'timeline', period: '24h', interval: 'hour', category: null }],
  ['analytics/timeline/all.json', { endpoint: 'timeline', period: 'all', interval: 'month', category: null }],
  ['analytics/timeline/all-by-day.json', { endpoint: 'timeline', period: 'all', interval: 'day', category: null }],
  ['analytics/outcomes.json', { endpoint: 'outcomes', category: null }],
  ['analytics/category/all-5ef5ef0364b6.json', { endpoint: 'category', category: 'all' }],
  ['analytics/export/timeline/all.csv', { endpoint: 'export', type: 'timeline', period: 'all', format: 'csv' }],
  ['analytics/export/timeline/all-by-day.json', BY_DAY],
  ['analytics/export/outcomes/7d.json', { endpoint: 'export', type: 'outcomes', period: '7d', format: 'json' }],
  [
    'analytics/export/timeline-by-category/all.csv',
    { endpoint: 'export', type: 'timeline-by-category', period: 'all', format: 'csv' },
  ],
  ['analytics/export/users/90d.csv', { endpoint: 'export', type: 'users', period: '90d', format: 'csv' }],
] as const)('%s is a path of the file plane', (path, combination) => {
  expect(snapshotPath(combination)).toBe(path)
})

test.each([
  { endpoint: 'timeline', period: '24h', interval: 'hour', category: 'all' },
  { endpoint: 'timeline', period: 'all', interval: 'month', category: 'all' },
  { endpoint: 'outcomes', category: 'all' },
] as const)('the answers for a category come from one file: %o', (query) => {
  expect(snapshotPath(query)).toBe('analytics/category/all-5ef5ef0364b6.json')
  expect(snapshotPath(query, () => 'key-0123456789ab')).toBe('analytics/category/key-0123456789ab.json')
})

test('limit is no part of a path: the proxy cuts', () => {
  const path = snapshotPath({ endpoint: 'trending', period: '7d', category: null, limit: 5 })
  expect(path).toBe('analytics/trending/7d/all.json')
})

// prettier-ignore
test.each([
  '', '/', 'manifest.json', '/public/stats.json', 'public/stats.json/', 'public/stats.json\n', 'Public/stats.json',
  'public/stats.json.gz', 'public/../public/stats.json', 'analytics/trending/all/all.json',
  'analytics/trending/7d/category/all.json', 'analytics/trending/7d/category/unknown-5ef5ef0364b6.json',
  'analytics/trending/7d/category/ALL-5ef5ef0364b6.json', 'analytics/trending/7d/category/../all-5ef5ef0364b6.json',
  'analytics/timeline/7d-by-day.json', 'analytics/timeline/all-by-month.json', 'analytics/timeline/all.csv', 'analytics/timeline/.json',
  'analytics/outcomes/7d.json', 'analytics/category/all.json', 'analytics/category/unknown-5ef5ef0364b6.json',
  'analytics/category/all-5ef5ef0364b6.csv', 'analytics/export/users/all-by-day.csv', 'analytics/export/timeline/7d-by-day.csv',
  'analytics/export/timeline-by-category/all-by-day.json', 'analytics/export/timeline/timeline-by-category.csv',
  'analytics/trending/7d/all.csv', 'analytics/export/secrets/7d.json', 'analytics/export/users/7d.xml',
])('%j is no snapshot path', (path) => {
  expect(combinationAt(path, (key) => (key === 'all-5ef5ef0364b6' ? 'all' : undefined))).toBeNull()
})

test('nginx.conf has the path of every combination', () => {
  const pattern = /^ +"~(\S+)" \$data;$/m.exec(readFileSync(packagePath('nginx.conf'), 'utf8'))?.[1] ?? ''
  const paths = [...snapshotPaths(['a-0123456789ab'])]
  expect(paths.filter((path) => new RegExp(pattern).exec(`/${path}`)?.groups?.['data'] !== path)).toEqual([])
})
