// Owns which paths of a release are its site, and what each is to a web server: one table for builder, proxy, verify and
// nginx.conf. Knows no combination and no file system.
import { SEARCH_FILE } from './search-files.ts'
import { PERIODS, type Period } from './windows.ts'

/** The first of `--languages` has the page at the root, each further one in a folder of its name. */
export const LANGUAGES = ['en', 'de', 'fr', 'es'] as const
export type Language = (typeof LANGUAGES)[number]

/** What a page may load. The page says so itself, for static hosts; so does a server, which also forbids framing it. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; script-src 'self'; connect-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'"

/** How a file is served: pages and embeds are HTML, but only embeds may be framed; an SVG is sandboxed; data is neither. */
export type SitePolicy = 'page' | 'embed' | 'svg' | 'data'

export interface SiteKind {
  /** The media type, as it is sent. */
  readonly type: string
  readonly policy: SitePolicy
  /** Whether it has compressed siblings: some formats are compressed themselves, and some files are many and small. */
  readonly coded: boolean
}

/** A badge or a chart, by the word in its path. */
const PICTURE = '[a-z][a-z0-9-]*'
/** `<name>-<first 10 hex digits of its sha256>.<ext>` */
const ASSET = '[a-z][a-z0-9-]*-[0-9a-f]{10}'

/** The key of a category (category-name.ts). */
const KEY = '[a-z0-9-]*-[0-9a-f]{12}'

const HTML = 'text/html; charset=utf-8'
const JSON_TYPE = 'application/json'
const SVG = 'image/svg+xml'
const ATOM = 'application/atom+xml; charset=utf-8'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

/** The pattern of a path that is there in each language of the site. */
const inLanguages = (path: string): RegExp => new RegExp(`^(?:(?:${LANGUAGES.join('|')})/)?${path}$`)

/** The kind of a file that is a list of bytes to everything but its reader. */
const data = (type: string): SiteKind => ({ type, policy: 'data', coded: true })
const uncoded = (type: string): SiteKind => ({ ...data(type), coded: false })
const page: SiteKind = { type: HTML, policy: 'page', coded: true }
const embed: SiteKind = { ...page, policy: 'embed' }
const svg: SiteKind = { type: SVG, policy: 'svg', coded: true }

/** A path of a site matches one pattern. A snapshot (snapshot-paths.ts) and what a server answers itself match none. */
export const SITE_PATHS: readonly (readonly [pattern: RegExp, kind: SiteKind])[] = [
  [inLanguages(`(?:period/(?:${PERIODS.join('|')})/|category/${KEY}/)?index\\.html`), page],
  [/^404\.html$/, page],
  [/^docs\/index\.html$/, page],
  [inLanguages('docs/data\\.html'), page],
  [inLanguages('search/index\\.html'), page],
  [inLanguages('embed/(?:totals|trending)\\.html'), embed],
  [new RegExp(`^category/${KEY}/embed\\.html$`), { ...embed, coded: false }],
  [/^robots\.txt$/, data('text/plain; charset=utf-8')],
  [/^(?:favicon|logo)\.svg$/, svg],
  [inLanguages(`(?:badges|charts)/${PICTURE}\\.svg`), svg],
  [inLanguages(`badges/${PICTURE}\\.json`), data(JSON_TYPE)],
  [new RegExp(`^assets/${ASSET}\\.css$`), data('text/css; charset=utf-8')],
  [new RegExp(`^assets/${ASSET}\\.js$`), data('text/javascript; charset=utf-8')],
  [inLanguages('feeds/(?:launched|new|changes)\\.atom'), data(ATOM)],
  [new RegExp(`^category/${KEY}/launched\\.atom$`), uncoded(ATOM)],
  [inLanguages('feeds/launched\\.json'), data('application/feed+json')],
  [SEARCH_FILE, data(JSON_TYPE)],
  [/^datapackage\.json$/, data(JSON_TYPE)],
  [/^dcat\.jsonld$/, data('application/ld+json')],
  [/^bulk\.zip$/, uncoded('application/zip')],
  [/^(?:ideas|tables)\.xlsx$/, uncoded(XLSX)],
]

/** What a path of a release is to its site; null = it is no part of it. */
export function siteKindOf(path: string): SiteKind | null {
  return SITE_PATHS.find(([pattern]) => pattern.test(path))?.[1] ?? null
}

/** What a page shows: all as usual, all in a period, one category, or what has a page of its own: what the data means, and the search. */
export type View =
  | { readonly period: Period }
  | { readonly category: { readonly key: string } }
  | { readonly own: 'docs/data' | 'search/index' }
  | null

/** The folder of what is in a language: `de/`, or '' for the first one and for one that the site does not have. */
export function languageFolder(language: Language, languages: readonly Language[]): string {
  return languages.indexOf(language) < 1 ? '' : `${language}/`
}

export function pagePath(language: Language, languages: readonly Language[], view: View = null): string {
  const folder = languageFolder(language, languages)
  if (view === null) return `${folder}index.html`
  if ('own' in view) return `${folder}${view.own}.html`
  return `${folder}${'period' in view ? `period/${view.period}` : `category/${view.category.key}`}/index.html`
}

/** The path of what a category has besides its pages, in the first language. */
export function categoryFile(key: string, name: 'embed.html' | 'launched.atom'): string {
  return `category/${key}/${name}`
}
