// Owns what tests ask of the site of a release.
import type { SiteRequest } from '../../src/builder/site/write-site.ts'
import { assetOf, type SiteAssets } from '../../src/builder/site/write-site.ts'
import { DEFAULT_SITE, type SiteOptions } from '../../src/contract/site-options.ts'

/** As a build without an option of the site. */
export const SITE: SiteRequest = { options: DEFAULT_SITE, logo: null }

export function siteOf(options: Partial<SiteOptions>): SiteRequest {
  return { ...SITE, options: { ...DEFAULT_SITE, ...options } }
}

/** Those of the package need the compiled script. */
export const ASSETS: SiteAssets = {
  css: assetOf('page', 'css', ':root { color-scheme: light dark }\n'),
  js: assetOf('page', 'js', 'export {}\n'),
}
