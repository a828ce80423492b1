// Owns what the page gives to the client besides its markup: as JSON in an element that is data, not a script.
import type { DrawnWords } from './drawing.ts'
import { html, markup, type Markup } from './html.ts'
import { IDS } from './hooks.ts'
import type { Language } from './input.ts'
import type { Page } from './page.ts'
import { changesOf, type Changes } from './sections/activity.ts'
import { choicesOf } from './sections/pickers.ts'

export interface ClientData {
  readonly language: Language
  readonly words: DrawnWords
  readonly siteUrl: string | null
  readonly publicUrl: string | null
  readonly changes: Changes
  /** The names of the categories that can be chosen, by key. */
  readonly names: Readonly<Record<string, string>>
}

export function clientData(page: Page): Markup {
  const { input, t } = page
  const { utc, mixed } = t.w.page
  const { activity, trending, categories, outcomes, totals, table, client } = t.w
  const data: ClientData = {
    language: t.language,
    words: { activity, trending, categories, outcomes, totals, table, client, page: { utc, mixed } },
    siteUrl: input.siteUrl,
    publicUrl: input.publicUrl,
    changes: changesOf(input.documents),
    names: Object.fromEntries(choicesOf(page).map(({ name, key }) => [key, name])),
  }
  // Nothing in it ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${IDS.data}">${markup(json)}</script>
`
}
