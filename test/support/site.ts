// Owns what tests ask of the site of a release.
import { assetOf, writeSite, type SiteAssets, type SiteRequest } from '../../src/builder/site/write-site.ts'
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

/** How a release that a test makes gets its site: given to it, so that one without a site does not depend on how it is written. */
export interface SampleSite {
  readonly request: SiteRequest
  readonly write: typeof writeSite
  readonly assets: SiteAssets
}

export function sampleSite(options: Partial<SiteOptions> = {}): SampleSite {
  return { request: siteOf(options), write: writeSite, assets: ASSETS }
}
