// Owns a figure: its chart and what it shows in words, the same in a page and in a file (shared/chart-files.ts). Pure.
import type { Plot } from '../charts/plot.ts'
import { linkContext } from '../drawing.ts'
import { html, type Content, type Markup } from '../html.ts'
import type { Page } from '../page.ts'

export interface Figure {
  /** Of its file. */
  readonly name: string
  readonly heading: string
  readonly finding: string
  /** Null = there is nothing to draw. */
  readonly chart: Plot | null
  /** What its bars are. */
  readonly key?: Key
  /** What a reader must know of the numbers; a page says it once for a section. */
  readonly notes?: readonly string[]
}

export type Key = readonly (readonly [kind: 'of' | 'part' | 'partial', text: string])[]

/** With a link to its file on the page that shows all as usual: only its charts are files. */
export function figure({ t, view }: Page, { name, heading, finding, chart, key = [] }: Figure): Markup {
  const file =
    view === null &&
    html`<p class="sources"><a href="charts/${name}.svg">${t.w.downloads.chart}${linkContext(heading)}</a></p>`
  return html`<figure><figcaption><h3>${heading}</h3>${finding !== '' && html`<p>${finding}</p>`}</figcaption>${keyLine(key)}${chart !== null && html`${chart.inPage}${file}`}</figure>`
}

export function keyLine(key: Key): Content {
  const marks = key.map(([kind, text]) => html`<span class="swatch ${kind}" aria-hidden="true"></span>${text} `)
  return key.length > 0 && html`<p class="key">${marks}</p>`
}
