// Owns what the page gives to the client besides its markup: as JSON in an element that is data, not a script.
import { html, markup, type Markup } from './html.ts'
import { IDS } from './hooks.ts'
import type { Language } from './input.ts'
import type { Page } from './page.ts'
import type { Catalogue } from './words/en.ts'

export interface ClientData {
  readonly language: Language
  readonly w: Catalogue['client'] & Pick<Catalogue['totals'], 'few'>
  readonly publicUrl: string | null
}

/** What the parts of the client are given. */
export interface Scene extends ClientData {
  readonly root: string
}

export function clientData({ input: { publicUrl }, t }: Page): Markup {
  const data: ClientData = { language: t.language, w: { ...t.w.client, few: t.w.totals.few }, publicUrl }
  // Nothing in it ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${IDS.data}">${markup(json)}</script>
`
}
