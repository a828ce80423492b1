// Owns writing the site of a release into its staging: its assets, read from the package and named by their content, its
// pages, and the archive of all CSV. Knows neither what is on a page nor how files are kept.
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import pMap from 'p-map'
import { BULK_PATH, IDEAS_WORKBOOK, isTable, TABLES_WORKBOOK } from '../../contract/snapshot-paths.ts'
import type { SiteOptions } from '../../contract/site-options.ts'
import { siteKindOf } from '../../contract/site-paths.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { packagePath } from '../../process/package-root.ts'
import { remembering } from '../../process/remembering.ts'
import type { SitePart } from '../../release/format/manifest.ts'
import { COLUMNS_SHEET, sheetsOf } from '../../release/format/workbooks.ts'
import type { Staging } from '../../release/writing/staging.ts'
import { beginSheet, writeWorkbook } from '../../release/writing/workbook.ts'
import { writeZip } from '../../release/writing/zip-file.ts'
import type { SiteFile, SiteInput } from '../../site/page/input.ts'
import { bulkReadme } from '../../site/catalogues/bulk-readme.ts'
import { columnsSheet } from '../../site/catalogues/columns-sheet.ts'
import { dataPackage } from '../../site/catalogues/data-package.ts'
import { siteFiles } from '../../site/site.ts'
import { styleSheet } from '../../site/page/style.ts'

/** The website that a release is. */
export interface SiteRequest {
  readonly options: SiteOptions
  /** The text of `logo.svg`, of which the options have the hash. */
  readonly logo: string | null
}

/** What a page loads from its release. */
export type SiteAssets = Readonly<Record<'css' | 'js', SiteFile>>

/** Each file is read once, so that, while a schedule runs, its pages and their assets are of one version. */
const sourceOf = remembering((path: string) => readFileSync(packagePath(path), 'utf8'))

export function packageAssets(accent: string | null): SiteAssets {
  return {
    css: assetOf('page', 'css', styleSheet(sourceOf('src/site/assets/page.css'), accent)),
    js: assetOf('page', 'js', sourceOf('dist/site/assets/page.js')),
  }
}

/** The name changes with the content, so that it may be cached for ever. */
export function assetOf(name: string, extension: 'css' | 'js', text: string): SiteFile {
  return { path: `assets/${name}-${hash('sha256', text).slice(0, 10)}.${extension}`, text }
}

const AT_ONCE = 32

/**
 * Measured on page and script: level 5 is 8 % smaller than 4, the snapshots' quality, in 1.15 times its time; at 4 the
 * script is larger than its .gz. Level 11 is 16 % smaller in 35 to 60 times the time.
 */
const BR_QUALITY = 5

/**
 * @param about what the site says of its release
 * @param carriedBeside the assets of earlier releases that stay beside these
 * @returns the part of the manifest
 */
export async function writeSite(
  staging: Staging,
  { options, logo }: SiteRequest,
  about: Omit<SiteInput, 'words' | 'languages' | 'publicUrl' | 'files' | 'assets'>,
  carriedBeside: (own: ReadonlySet<string>) => Promise<readonly { readonly path: string; readonly bytes: Buffer }[]>,
  { css, js }: SiteAssets = packageAssets(options.accent),
): Promise<SitePart> {
  const { languages, publicUrl } = options
  const assets = { css: css.path, js: js.path }
  const carried = await carriedBeside(new Set(Object.values(assets)))
  const described = { ...about, words: options, publicUrl, languages, assets }
  await writeWorkbooks(staging, described)
  await writeBulk(staging, described)
  const input: SiteInput = { ...described, files: staging.files() }
  const few = [css, js, ...(logo === null ? [] : [{ path: 'logo.svg', text: logo }])]
  // Each file waits for the disk.
  await pMap(carried, ({ path, bytes }) => putSiteFile(staging, path, bytes), { concurrency: AT_ONCE })
  for (const files of [few, siteFiles(input)])
    await pMap(files, ({ path, text }) => putSiteFile(staging, path, text), { concurrency: AT_ONCE })
  return { assets: Object.values(assets) }
}

/** The sheets of the tables were written with them. */
async function writeWorkbooks(staging: Staging, described: Omit<SiteInput, 'files'>): Promise<void> {
  const files = staging.files()
  const { columns, rows } = columnsSheet(described, sheetsOf(TABLES_WORKBOOK, files))
  const sheet = beginSheet(staging, COLUMNS_SHEET, columns, timeZoneOf(described))
  await sheet.add(rows)
  await sheet.end()
  for (const path of [IDEAS_WORKBOOK, TABLES_WORKBOOK])
    await writeWorkbook(staging, path, sheetsOf(path, files), Date.parse(described.dataAsOf))
  await staging.removeParts()
}

/** The archive is written before the pages, which show how large it is; the tables that it describes are all there. */
async function writeBulk(staging: Staging, described: Omit<SiteInput, 'files'>): Promise<void> {
  const { path, text } = dataPackage({ ...described, files: staging.files() })
  const readme = { name: 'README.txt', text: bulkReadme(described) }
  const files = staging.files().filter((file) => isTable(file.path))
  const texts = [readme, { name: path, text }]
  const timeMs = Date.parse(described.dataAsOf)
  await writeZip(staging.stream(BULK_PATH, 0), { folder: staging.folder, files, texts, timeMs })
}

/** @throws TypeError for a path that no server would serve as what it is: a fault of the program */
export async function putSiteFile(staging: Staging, path: string, content: string | Buffer): Promise<void> {
  if (siteKindOf(path) === null) throw new TypeError(`${path} is not a path of a site; see SITE_PATHS in site-paths.ts`)
  await staging.put(path, content, { rows: null, tail: 0, brQuality: BR_QUALITY })
}
