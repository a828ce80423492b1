// Owns what every part of a page is given: the documents, the language, and how it addresses the other files of the release. Pure.
import { pagePath } from '../contract/site-paths.ts'
import { speechOf } from './catalogues.ts'
import type { Drawing } from './drawing.ts'
import { html, type Markup } from './html.ts'
import type { Language, SiteDataFile, SiteInput } from './input.ts'
import type { Speech } from './speech.ts'

export interface Page extends Drawing {
  readonly input: SiteInput
  readonly t: Speech
  readonly files: ReadonlyMap<string, SiteDataFile>
}

export function pageOf(input: SiteInput, language: Language): Page {
  const depth = pagePath(language, input.languages).split('/').length - 1
  const files = new Map(input.files.map((file) => [file.path, file]))
  return { input, t: speechOf(language), root: '../'.repeat(depth), files }
}

export function time(page: Page, timestamp: string): Markup {
  return html`<time datetime="${timestamp}">${page.t.dateTime(timestamp)}</time>`
}
