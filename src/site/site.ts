// Owns which files the site of a release has: one function for each. Pure: documents in, text out.
import { pagePath } from '../contract/site-paths.ts'
import type { SiteFile, SiteInput } from './input.ts'
import { indexPage } from './pages/index-page.ts'
import { notFoundPage } from './pages/not-found.ts'
import { badgeFiles } from './shared/badges.ts'
import { dataPackage } from './shared/data-package.ts'
import { dcatFile } from './shared/dcat.ts'
import { embedFiles } from './shared/embeds.ts'
import { favicon } from './shared/favicon.ts'
import { launchedFeeds } from './shared/launched-feeds.ts'
import { robotsFile } from './shared/robots.ts'

export function siteFiles(input: SiteInput): SiteFile[] {
  const { languages } = input
  return [
    ...languages.map((language) => ({ path: pagePath(language, languages), text: indexPage(input, language) })),
    { path: '404.html', text: notFoundPage(input) },
    robotsFile(input),
    favicon(input),
    ...badgeFiles(input),
    ...embedFiles(input),
    ...launchedFeeds(input),
    dataPackage(input),
    ...dcatFile(input),
  ]
}
