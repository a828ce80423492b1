import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { LANGUAGES, pagePath, SITE_PATHS, siteKindOf } from '../../src/contract/site-paths.ts'
import { combinations, snapshotPath } from '../../src/contract/snapshot-paths.ts'
import { packagePath } from '../../src/process/package-root.ts'
import { routeOf } from '../../src/proxy/http/route.ts'

const HASH = '0123456789'

// prettier-ignore
const PATHS: Readonly<Record<string, readonly [type: string, policy: string, coded: boolean]>> = {
  'index.html': ['text/html; charset=utf-8', 'page', true],
  'fr/index.html': ['text/html; charset=utf-8', 'page', true],
  'period/7d/index.html': ['text/html; charset=utf-8', 'page', true],
  'de/category/parks-0123456789ab/index.html': ['text/html; charset=utf-8', 'page', true],
  '404.html': ['text/html; charset=utf-8', 'page', true],
  'docs/index.html': ['text/html; charset=utf-8', 'page', true],
  'docs/data.html': ['text/html; charset=utf-8', 'page', true],
  'fr/docs/data.html': ['text/html; charset=utf-8', 'page', true],
  'embed/totals.html': ['text/html; charset=utf-8', 'embed', true],
  'embed/trending.html': ['text/html; charset=utf-8', 'embed', true],
  'de/embed/trending.html': ['text/html; charset=utf-8', 'embed', true],
  'robots.txt': ['text/plain; charset=utf-8', 'data', true],
  'favicon.svg': ['image/svg+xml', 'svg', true],
  'logo.svg': ['image/svg+xml', 'svg', true],
  'category/parks-0123456789ab/embed.html': ['text/html; charset=utf-8', 'embed', false],
  'badges/launched-ideas.svg': ['image/svg+xml', 'svg', true],
  'charts/votes.svg': ['image/svg+xml', 'svg', true],
  'de/charts/votes.svg': ['image/svg+xml', 'svg', true],
  'badges/ideas.json': ['application/json', 'data', true],
  'de/badges/ideas.svg': ['image/svg+xml', 'svg', true],
  'de/badges/ideas.json': ['application/json', 'data', true],
  [`assets/page-${HASH}.css`]: ['text/css; charset=utf-8', 'data', true],
  [`assets/page-${HASH}.js`]: ['text/javascript; charset=utf-8', 'data', true],
  'feeds/launched.atom': ['application/atom+xml; charset=utf-8', 'data', true],
  'feeds/new.atom': ['application/atom+xml; charset=utf-8', 'data', true],
  'de/feeds/new.atom': ['application/atom+xml; charset=utf-8', 'data', true],
  'feeds/changes.atom': ['application/atom+xml; charset=utf-8', 'data', true],
  'de/feeds/changes.atom': ['application/atom+xml; charset=utf-8', 'data', true],
  'feeds/launched.json': ['application/feed+json', 'data', true],
  'de/feeds/launched.atom': ['application/atom+xml; charset=utf-8', 'data', true],
  'de/feeds/launched.json': ['application/feed+json', 'data', true],
  'category/parks-0123456789ab/launched.atom': ['application/atom+xml; charset=utf-8', 'data', false],
  'search/index.html': ['text/html; charset=utf-8', 'page', true],
  'de/search/index.html': ['text/html; charset=utf-8', 'page', true],
  'search/1.json': ['application/json', 'data', true],
  'search/5.json': ['application/json', 'data', true],
  'datapackage.json': ['application/json', 'data', true],
  'dcat.jsonld': ['application/ld+json', 'data', true],
  'bulk.zip': ['application/zip', 'data', false],
  'ideas.xlsx': ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'data', false],
  'tables.xlsx': ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'data', false],
}

/** The first segments of paths that a server answers itself: no file of a release may be found there. */
const RESERVED_NAMES = ['api', 'snapshots', 'healthz', 'readyz', 'freshz']
const isReserved = (path: string): boolean => RESERVED_NAMES.includes(path.split('/', 1)[0] ?? '')

describe('the paths of a site', () => {
  test.each(Object.entries(PATHS))('%s', (path, [type, policy, coded]) => {
    expect(siteKindOf(path)).toEqual({ type, policy, coded })
    expect(SITE_PATHS.filter(([pattern]) => pattern.test(path))).toHaveLength(1)
    expect(isReserved(path)).toBe(false)
  })

  test('each row of the table has an example here', () => {
    for (const [pattern] of SITE_PATHS) expect(Object.keys(PATHS).some((path) => pattern.test(path))).toBe(true)
  })

  test('each is one that nginx.conf has', () => {
    const maps = readFileSync(packagePath('nginx.conf'), 'utf8').matchAll(/^ +"~(\S+)" \$(data|page|other);$/gm)
    const patterns = [...maps].map(([, pattern = '', group = '']) => ({ pattern: new RegExp(pattern), group }))
    const isThere = (path: string): boolean =>
      patterns.some(({ pattern, group }) => pattern.exec(`/${path}`)?.groups?.[group] === path)
    expect(Object.keys(PATHS).filter((path) => !isThere(path))).toEqual([])
  })

  // prettier-ignore
  test.each([
    '', 'manifest.json', 'index.html.gz', 'xx/index.html', 'en/404.html', 'xx/feeds/launched.atom', 'feeds/new.json', 'category/parks-0123456789ab/new.atom', 'de/de/badges/ideas.svg', 'de/assets/page-0123456789.css', 'de/category/parks-0123456789ab/embed.html', 'category/parks/launched.atom', 'docs/other.html', 'fr/docs/index.html', 'xx/docs/data.html', '/index.html', 'index.html\n',
    'assets/page.css', 'assets/page-012345678.css', 'assets/page-0123456789.css.map', 'assets/../page-0123456789.css',
    'badges/.svg', 'badges/a/b.svg', 'xx/charts/votes.svg', 'charts/votes.json', 'period/7d/charts/votes.svg', 'feeds/launched.xml', 'sub/bulk.zip', 'de/ideas.xlsx',
    'users.xlsx', 'analytics/export/ideas/7d.xlsx', 'public/index.html', 'xindex.html', 'indexXhtml',
  ])('%j is none', (path) => {
    expect(siteKindOf(path)).toBeNull()
  })

  test('no combination has one of them', () => {
    for (const one of combinations(['a', 'index.html', '../logo.svg'])) {
      expect(siteKindOf(snapshotPath(one))).toBeNull()
      expect(isReserved(snapshotPath(one))).toBe(false)
    }
  })

  test('the first language is at the root, and stands for those that the site does not have', () => {
    const pages = LANGUAGES.map((language) => pagePath(language, ['fr', 'en', 'de']))
    expect(pages).toEqual(['en/index.html', 'de/index.html', 'index.html', 'index.html'])
    expect(pagePath('de', ['fr', 'de'], { own: 'docs/data' })).toBe('de/docs/data.html')
    expect(pagePath('de', ['fr', 'de'], { own: 'search/index' })).toBe('de/search/index.html')
  })
})

describe('names that a server answers itself', () => {
  test('are those that the proxy answers', () => {
    const other = routeOf('/other')
    for (const name of RESERVED_NAMES)
      expect([routeOf(`/${name}`), routeOf(`/${name}/`)], name).not.toEqual([other, other])
  })
})
