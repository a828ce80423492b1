// Owns writing the site of a release into its staging. Knows neither what is on a page nor how files are kept.
import pMap from 'p-map'
import type { SiteOptions } from '../../contract/site-options.ts'
import { isReserved, siteKindOf } from '../../contract/site-paths.ts'
import type { SitePart } from '../../release/format/manifest.ts'
import type { Staging } from '../../release/writing/staging.ts'
import type { SiteDocuments, SiteInput, SiteWords } from '../../site/input.ts'
import { siteFiles } from '../../site/site.ts'
import type { CarriedAsset } from './earlier-assets.ts'
import type { SiteRequest } from './request.ts'
import { assetPaths, type SiteAssets } from './site-assets.ts'

const AT_ONCE = 32

/** What the site says of its release. */
export type AboutSite = Pick<
  SiteInput,
  'siteUrl' | 'dataAsOf' | 'nextUpdateAt' | 'closed' | 'demo' | 'people' | 'programVersion' | 'categories'
> & { readonly documents: SiteDocuments }

/** @returns the part of the manifest */
export async function writeSite(
  staging: Staging,
  { options, logo }: SiteRequest,
  about: AboutSite,
  assets: SiteAssets,
  carried: readonly CarriedAsset[],
): Promise<SitePart> {
  const { languages, publicUrl } = options
  const input: SiteInput = {
    ...about,
    words: wordsOf(options),
    languages,
    publicUrl,
    files: staging.files().map(({ path, bytes, rows }) => ({ path, bytes, rows })),
    assets: assetPaths(assets),
  }
  const own = [assets.css, assets.js]
  const written = [...own, ...siteFiles(input), ...(logo === null ? [] : [{ path: 'logo.svg', text: logo }])]
  const files = [
    ...written.map(({ path, text }) => [path, text] as const),
    ...carried.map(({ path, bytes }) => [path, bytes] as const),
  ]
  // Each waits for the disk.
  await pMap(files, ([path, content]) => putSiteFile(staging, path, content), { concurrency: AT_ONCE })
  return { assets: own.map(({ path }) => path) }
}

/** @throws TypeError for a path that no server would serve as what it is: a fault of the program */
export async function putSiteFile(staging: Staging, path: string, content: string | Buffer): Promise<void> {
  const kind = siteKindOf(path)
  if (kind === null || isReserved(path))
    throw new TypeError(`${path} is not a path of a site; see SITE_PATHS and RESERVED_NAMES in site-paths.ts`)
  await staging.put(path, content, { contentHash: null, rows: null, tail: 0, coded: kind.coded })
}

function wordsOf({ title, publisher, contact, license, accent, logo }: SiteOptions): SiteWords {
  return { title, publisher, contact, license, accent, logo: logo !== null }
}
