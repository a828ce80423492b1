// Owns what every part of a page is given: the documents, the language, what it shows, and how it addresses the other files of
// the release. Pure.
import { languageFolder, pagePath, type View } from '../contract/site-paths.ts'
import type { Period } from '../contract/windows.ts'
import { speechOf, type Speech } from './speech.ts'
import { html, type Markup } from './html.ts'
import type { Language, SiteInput } from './input.ts'

export interface Page {
  readonly input: SiteInput
  readonly t: Speech
  readonly view: View
  /** From the page to the root of the release: '' or '../'. */
  readonly root: string
}

/** Where what is in the language of the page is, for lines to copy: relative to the page if the site's address is not known. */
export function baseOf({ input: { publicUrl, languages }, t, root }: Page): string {
  return `${publicUrl === null ? root : `${publicUrl}/`}${languageFolder(t.language, languages)}`
}

export function pageOf(input: SiteInput, language: Language, view: View = null): Page {
  const depth = pagePath(language, input.languages, view).split('/').length - 1
  return { input, t: speechOf(language, input.timeZone), view, root: '../'.repeat(depth) }
}

/** The period that the page shows all in; null = each part as usual. */
export function periodOf({ view }: Page): Period | null {
  return view !== null && 'period' in view ? view.period : null
}

export function time(page: Page, timestamp: string): Markup {
  return html`<time datetime="${timestamp}">${page.t.dateTime(timestamp)}</time>`
}
