// Owns what every part of a page is given, and every other file in a language: the documents, the language, what it shows, and
// how it addresses the other files of the release. Pure.
import { languageFolder, pagePath, type View } from '../../contract/site-paths.ts'
import type { Period } from '../../contract/windows.ts'
import { speechOf, type Speech } from './speech.ts'
import { html, type Markup } from './html.ts'
import type { SiteInput } from './input.ts'

export interface Page {
  readonly input: SiteInput
  readonly t: Speech
  readonly view: View
  /** The path from the page to the root of the release: '' or '../'. */
  readonly root: string
  /** The path from the root of the release to what is in the language of the page: '' or `de/`. */
  readonly folder: string
}

/** The address of what is in the language of the page, for lines to copy: relative to the page if that of the site is not known. */
export function languageBase({ input: { publicUrl }, root, folder }: Page): string {
  return `${publicUrl === null ? root : `${publicUrl}/`}${folder}`
}

/** @param language if it is not given, that of files which are in one language only */
export function pageOf(input: SiteInput, language = input.languages[0] ?? 'en', view: View = null): Page {
  const { languages, timeZone } = input
  const depth = pagePath(language, languages, view).split('/').length - 1
  const folder = languageFolder(language, languages)
  return { input, t: speechOf(language, timeZone), view, root: '../'.repeat(depth), folder }
}

/** The page as usual in each language. */
export function pagesOf(input: SiteInput): Page[] {
  return input.languages.map((language) => pageOf(input, language))
}

/** The period that the page shows all in; null = each part as usual. */
export function periodOf({ view }: Page): Period | null {
  return view !== null && 'period' in view ? view.period : null
}

export function timeElement(page: Page, timestamp: string): Markup {
  return html`<time datetime="${timestamp}">${page.t.dateTime(timestamp)}</time>`
}
