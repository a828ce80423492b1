// Owns which files the site of a release has: one function for each. Pure: documents in, text out.
import { pagePath } from '../contract/site-paths.ts'
import { PERIODS } from '../contract/windows.ts'
import type { SiteFile, SiteInput } from './input.ts'
import { categoryPage } from './pages/category-page.ts'
import { dataPage } from './pages/data-page.ts'
import { indexPage, isBare } from './pages/index-page.ts'
import { notFoundPage } from './pages/not-found.ts'
import { referencePage } from './pages/reference-page.ts'
import { badgeFiles } from './shared/badges.ts'
import { chartFiles } from './shared/chart-files.ts'
import { dataPackage } from './shared/data-package.ts'
import { dcatFile } from './shared/dcat.ts'
import { categoryEmbed, embedFiles } from './shared/embeds.ts'
import { favicon } from './shared/favicon.ts'
import { categoryFeed, launchedFeeds } from './shared/launched-feeds.ts'
import { robotsFile } from './shared/robots.ts'

/** Each page is made when it is taken: of all, only one is in memory. */
export function* siteFiles(input: SiteInput): Generator<SiteFile> {
  const others = otherFiles(input)
  yield* others
  const files = [
    ...input.files,
    ...others.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text), rows: null })),
  ]
  // The page lists them.
  yield* pages({ ...input, files })
}

function* pages(input: SiteInput): Generator<SiteFile> {
  const { languages, documents } = input
  for (const language of languages) {
    yield { path: pagePath(language, languages), text: indexPage(input, language) }
    if (isBare(input)) continue
    for (const period of PERIODS)
      yield { path: pagePath(language, languages, { period }), text: indexPage(input, language, period) }
    for (const category of documents.ofCategories)
      yield { path: pagePath(language, languages, { category }), text: categoryPage(input, language, category) }
  }
  if (isBare(input)) return
  for (const category of documents.ofCategories)
    yield* [categoryEmbed(input, category), ...categoryFeed(input, category)]
}

function otherFiles(input: SiteInput): SiteFile[] {
  return [
    { path: '404.html', text: notFoundPage(input) },
    referencePage(input),
    ...input.languages.map((language) => dataPage(input, language)),
    robotsFile(input),
    favicon(input),
    ...badgeFiles(input),
    ...(isBare(input) ? [] : chartFiles(input)),
    ...embedFiles(input),
    ...launchedFeeds(input),
    dataPackage(input),
    ...dcatFile(input),
  ]
}
