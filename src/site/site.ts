// Owns which files the site of a release has: one function for each. Pure: documents in, text out.
import { pagePath } from '../contract/site-paths.ts'
import type { SiteFile, SiteInput } from './input.ts'
import { dataPage } from './pages/data-page.ts'
import { indexPage } from './pages/index-page.ts'
import { notFoundPage } from './pages/not-found.ts'
import { referencePage } from './pages/reference-page.ts'
import { badgeFiles } from './shared/badges.ts'
import { dataPackage } from './shared/data-package.ts'
import { dcatFile } from './shared/dcat.ts'
import { embedFiles } from './shared/embeds.ts'
import { favicon } from './shared/favicon.ts'
import { launchedFeeds } from './shared/launched-feeds.ts'
import { robotsFile } from './shared/robots.ts'

export function siteFiles(input: SiteInput): SiteFile[] {
  const others = otherFiles(input)
  const files = [
    ...input.files,
    ...others.map(({ path, text }) => ({ path, bytes: Buffer.byteLength(text), rows: null })),
  ]
  // The page lists them.
  const listing = { ...input, files }
  const { languages } = input
  return [
    ...languages.map((language) => ({ path: pagePath(language, languages), text: indexPage(listing, language) })),
    ...others,
  ]
}

function otherFiles(input: SiteInput): SiteFile[] {
  return [
    { path: '404.html', text: notFoundPage(input) },
    referencePage(input),
    dataPage(input),
    robotsFile(input),
    favicon(input),
    ...badgeFiles(input),
    ...embedFiles(input),
    ...launchedFeeds(input),
    dataPackage(input),
    ...dcatFile(input),
  ]
}
