// Owns which files the site of a release has: one function for each. Pure: documents in, text out.
import { pagePath } from '../contract/site-paths.ts'
import { PERIODS } from '../contract/windows.ts'
import { xml } from './page/html.ts'
import type { SiteFile, SiteInput } from './page/input.ts'
import { pageOf, pagesOf } from './page/page.ts'
import { categoryPage } from './pages/category-page.ts'
import { dataPage } from './pages/data-page.ts'
import { indexPage, isBare, searchPage } from './pages/index-page.ts'
import { notFoundPage } from './pages/not-found.ts'
import { referencePage } from './pages/reference-page.ts'
import { badgeFiles } from './pictures/badges.ts'
import { chartFiles } from './pictures/chart-files.ts'
import { dataPackage } from './catalogues/data-package.ts'
import { dcatFile } from './catalogues/dcat.ts'
import { categoryEmbed, embedFiles } from './embeds/embeds.ts'
import { categoryFeed, feeds } from './feeds/feeds.ts'
import { accentsOf } from './page/style.ts'

/** Each page is made when it is taken, so that only one of them is in memory. */
export function* siteFiles(input: SiteInput): Generator<SiteFile> {
  const others = otherFiles(input)
  yield* others
  const listed = others.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text), rows: null }))
  // The page lists them.
  yield* pages({ ...input, files: [...input.files, ...listed] })
}

function* pages(input: SiteInput): Generator<SiteFile> {
  const { languages, documents } = input
  for (const language of languages) {
    yield { path: pagePath(language, languages), text: indexPage(input, language) }
    if (isBare(input)) continue
    yield { path: pagePath(language, languages, { own: 'search/index' }), text: searchPage(input, language) }
    for (const period of PERIODS)
      yield { path: pagePath(language, languages, { period }), text: indexPage(input, language, period) }
    for (const category of documents.ofCategories)
      yield { path: pagePath(language, languages, { category }), text: categoryPage(input, language, category) }
  }
  if (isBare(input)) return
  const first = pageOf(input)
  for (const category of documents.ofCategories)
    yield* [categoryEmbed(first, category), ...categoryFeed(first, category)]
}

function otherFiles(input: SiteInput): SiteFile[] {
  return [
    { path: '404.html', text: notFoundPage(input) },
    referencePage(input),
    ...input.languages.map((language) => dataPage(input, language)),
    robotsFile(input),
    favicon(input),
    ...pagesOf(input).flatMap((page) => [
      ...badgeFiles(page),
      ...(isBare(input) ? [] : chartFiles(page)),
      ...embedFiles(page),
      ...feeds(page),
    ]),
    dataPackage(input),
    ...dcatFile(input),
  ]
}

/** What machines read is not to be found by people who search; nor are the invented numbers of a demo. */
export function robotsFile({ demo }: SiteInput): SiteFile {
  const rules = demo ? ['Disallow: /'] : ['Disallow: /api/', 'Disallow: /snapshots/']
  return { path: 'robots.txt', text: ['User-agent: *', ...rules, ''].join('\n') }
}

/** Three bars in the colour of the site. */
export function favicon({ words }: SiteInput): SiteFile {
  const text = xml`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32">
<g fill="${accentsOf(words.accent).light}"><rect x="3" y="17" width="7" height="12" rx="2"/><rect x="12.5" y="10" width="7" height="19" rx="2"/><rect x="22" y="3" width="7" height="26" rx="2"/></g>
</svg>
`.text
  return { path: 'favicon.svg', text }
}
