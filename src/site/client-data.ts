// Owns what the page gives to the client besides its markup: as JSON in an element that is data, not a script.
import type { BoundedPeriod } from '../contract/windows.ts'
import type { DrawnWords } from './drawing.ts'
import { html, markup, type Markup } from './html.ts'
import { IDS } from './hooks.ts'
import type { Language } from './input.ts'
import type { Page } from './page.ts'
import { choicesOf } from './sections/pickers.ts'
import { SHOWN } from './sections/trending.ts'
import { DRAWN } from './words/drawn.ts'

export interface ClientData {
  readonly language: Language
  readonly words: DrawnWords
  readonly siteUrl: string | null
  readonly publicUrl: string | null
  /** Earlier ranks of trending ideas, by id: among all ideas only. */
  readonly ranks: Readonly<Record<BoundedPeriod, readonly (readonly [id: string, rank: number])[]>>
  /** The names of the categories that can be chosen, by key. */
  readonly names: Readonly<Record<string, string>>
}

export function clientData(page: Page): Markup {
  const { input, t } = page
  const { utc, mixed } = t.w.page
  const drawn = Object.fromEntries(DRAWN.map((part) => [part, t.w[part]])) as Omit<DrawnWords, 'page'>
  const data: ClientData = {
    language: t.language,
    words: { ...drawn, page: { utc, mixed } },
    siteUrl: input.siteUrl,
    publicUrl: input.publicUrl,
    ranks: ranksOf(page),
    names: Object.fromEntries(choicesOf(page).map(({ name, key }) => [key, name])),
  }
  // Nothing in it ends the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c')
  return html`<script type="application/json" id="${IDS.data}">${markup(json)}</script>
`
}

function ranksOf({ input }: Page): ClientData['ranks'] {
  const { trending, previousRanks } = input.documents
  const of = (period: BoundedPeriod): [string, number][] =>
    trending[period].ideas.slice(0, SHOWN).flatMap(({ id }): [string, number][] => {
      const rank = previousRanks[period].get(id)
      return rank == null ? [] : [[id, rank]]
    })
  return { '24h': of('24h'), '7d': of('7d'), '30d': of('30d'), '90d': of('90d') }
}
