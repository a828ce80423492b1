// Owns a release made by hand that has a site: one file of each kind of site-paths.ts, and some documents.
import type { Manifest } from '../../src/release/format/manifest.ts'
import { publishDocuments } from './hand-made.ts'

const page = (what: string): string => `<!doctype html><title>${what}</title><p>${`${what} `.repeat(300)}</p>\n`

export const OF_CATEGORY = 'category/parks-0123456789ab'
export const ASSET = 'assets/page-0123456789'
/** Larger than what a socket takes at once, and than what a stream reads at once. */
export const BULK = `ZIP1${Array.from({ length: 40_000 }, (_, i) => `${i},`.padStart(8)).join('')}ZIP1`

export const SITE_FILES: Readonly<Record<string, string>> = {
  'index.html': page('index'),
  'fr/index.html': page('fr'),
  '404.html': page('nothing here'),
  'docs/index.html': page('docs'),
  'docs/data.html': page('data'),
  'fr/docs/data.html': page('données'),
  'embed/totals.html': page('embed'),
  'fr/embed/totals.html': page('fr embed'),
  [`${OF_CATEGORY}/index.html`]: page('category'),
  [`${OF_CATEGORY}/embed.html`]: page('category embed'),
  [`${OF_CATEGORY}/launched.atom`]: '<feed xmlns="http://www.w3.org/2005/Atom"/>',
  'robots.txt': 'User-agent: *\nAllow: /\n',
  'favicon.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'logo.svg': '<svg xmlns="http://www.w3.org/2000/svg"><!-- a logo --></svg>',
  'badges/ideas.svg': `<svg xmlns="http://www.w3.org/2000/svg">${'<g/>'.repeat(400)}</svg>`,
  'charts/votes.svg': '<svg xmlns="http://www.w3.org/2000/svg"><title>votes</title></svg>',
  'fr/charts/votes.svg': '<svg xmlns="http://www.w3.org/2000/svg"><title>votes, en français</title></svg>',
  'badges/ideas.json': '{"schemaVersion":1,"label":"ideas","message":"7","color":"blue"}\n',
  [`${ASSET}.css`]: 'p { margin: 0 }\n'.repeat(100),
  [`${ASSET}.js`]: 'export const one = 1\n'.repeat(100),
  'fr/badges/ideas.svg': '<svg xmlns="http://www.w3.org/2000/svg"/>',
  'fr/badges/ideas.json': '{"schemaVersion":1,"label":"idées","message":"7","color":"blue"}\n',
  'fr/feeds/launched.atom': '<feed xmlns="http://www.w3.org/2005/Atom" xml:lang="fr"/>',
  'fr/feeds/launched.json': '{"version":"https://jsonfeed.org/version/1.1","language":"fr"}',
  'feeds/launched.atom': '<feed xmlns="http://www.w3.org/2005/Atom"/>',
  'feeds/new.atom': '<feed xmlns="http://www.w3.org/2005/Atom"><title>new</title></feed>',
  'fr/feeds/new.atom': '<feed xmlns="http://www.w3.org/2005/Atom"><title>nouveau</title></feed>',
  'feeds/changes.atom': '<feed xmlns="http://www.w3.org/2005/Atom"><title>changes</title></feed>',
  'feeds/launched.json': '{"version":"https://jsonfeed.org/version/1.1"}',
  'search/index.html': page('search'),
  'fr/search/index.html': page('recherche'),
  'search/1.json': `[${'["A tram to the beach",7,"open","2026-05-01",""],'.repeat(40)}["Ideas",0,"","",""]]\n`,
  'datapackage.json': '{"resources":[]}\n',
  'dcat.jsonld': '{"@context":{}}\n',
  'bulk.zip': BULK,
  'analytics/export/ideas/7d.csv': 'id\r\n1\r\n',
  'ideas.xlsx': 'PK not compressed again\n'.repeat(100),
}

export const DOCUMENTS: Readonly<Record<string, object>> = {
  'public/stats.json': { stats: { totalUsers: 1 }, more: 'x'.repeat(2000) },
  'analytics/categories/7d.json': { categories: [] },
}

/** @param without paths of the site that it does not have */
export function publishSite(dir: string, without: readonly string[] = []): Promise<Manifest> {
  const files = Object.entries(SITE_FILES).filter(([path]) => !without.includes(path))
  return publishDocuments(dir, DOCUMENTS, [], Object.fromEntries(files))
}
