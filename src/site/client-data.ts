// Owns what the page gives to the client besides its markup: as JSON in an element that is data, not a script.
import { html, markup, type Markup } from './html.ts'
import { IDS } from './hooks.ts'
import type { Language } from './input.ts'
import type { Page } from './page.ts'
import type { Speech } from './speech.ts'
import type { Catalogue } from './words/en.ts'

type ClientWords = Pick<Catalogue, 'client'> & {
  readonly totals: Pick<Catalogue['totals'], 'few'>
  readonly page: Pick<Catalogue['page'], 'utc'>
}

/** What the parts of the client are given. */
export interface Scene {
  readonly t: Speech<ClientWords>
  readonly root: string
  readonly publicUrl: string | null
}

export interface ClientData {
  readonly language: Language
  readonly words: ClientWords
  readonly publicUrl: string | null
}

export function clientData({ input: { publicUrl }, t }: Page): Markup {
  const { client, totals, page } = t.w
  const words: ClientWords = { client, totals: { few: totals.few }, page: { utc: page.utc } }
  const data: ClientData = { language: t.language, words, publicUrl }
  // Nothing in it ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${IDS.data}">${markup(json)}</script>
`
}
