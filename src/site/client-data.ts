// Owns what the page gives to the client besides its markup: as JSON in an element that is data, not a script.
import { html, markup, type Markup } from './html.ts'
import { IDS } from './hooks.ts'
import type { Language } from './input.ts'
import { baseOf, type Page } from './page.ts'
import type { Catalogue } from './words/en.ts'

export interface Scene {
  readonly language: Language
  readonly w: Catalogue['client'] & Pick<Catalogue['totals'], 'few'>
  /** Where what is in the language of the page is; may be relative to the page. */
  readonly base: string
}

export function clientData(page: Page): Markup {
  const { t } = page
  const data: Scene = { language: t.language, w: { ...t.w.client, few: t.w.totals.few }, base: baseOf(page) }
  // Nothing in it ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${IDS.data}">${markup(json)}</script>
`
}
