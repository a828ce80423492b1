// Owns which files the site of a release has: one function for each. Pure: documents in, text out.
import { pagePath } from '../contract/site-paths.ts'
import type { SiteFile, SiteInput } from './input.ts'
import { indexPage } from './pages/index-page.ts'

export function siteFiles(input: SiteInput): SiteFile[] {
  const { languages } = input
  return languages.map((language) => ({ path: pagePath(language, languages), text: indexPage(input, language) }))
}
