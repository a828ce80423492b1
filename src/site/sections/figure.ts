// Owns a figure: its chart, with the grid and the labels of both axes in a language, and what it shows in words, the same in a page
// and in a file (pictures/chart-files.ts). Pure.
import type { Interval } from '../../contract/windows.ts'
import type { Frame, Plot } from '../charts/plot.ts'
import { timeZoneOf } from '../../contract/time-zone.ts'
import { countScale, timeTicks } from '../charts/scales.ts'
import { linkContext } from '../page/drawing.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import type { Page } from '../page/page.ts'

export type Figure = ReturnType<typeof figureOf>

interface Drawn extends Pick<Frame, 'height' | 'values' | 'partial' | 'label'> {
  /** The name of its file, which it also has in its page. */
  readonly name: string
  readonly heading: string
  readonly finding: string
  /** What is drawn in another way than the rest. */
  readonly key?: Legend
  /** What a reader must know about the numbers; a page says it once for a section. */
  readonly notes?: readonly string[]
  /** How values are written at the axis; by default as counts. */
  readonly written?: (value: number) => string
  /** When the bucket of each value begins. */
  readonly starts: readonly string[]
  readonly interval: Interval
  /** The table with these values, and the numbers of their columns: `table/1,4`. */
  readonly from: string
}

export type Legend = readonly (readonly [kind: 'partial' | 'dashed', text: string])[]

/** A figure, with a link to its file on the page that shows all as usual: only its charts are files. */
export function figure({ t, view }: Page, { name, heading, finding, chart, key = [] }: Figure): Markup {
  const file =
    view === null &&
    html`<p class="sources"><a href="charts/${name}.svg">${t.w.downloads.chart}${linkContext(heading)}</a></p>`
  return html`<figure><figcaption><h3>${heading}</h3>${finding !== '' && html`<p>${finding}</p>`}</figcaption>${chart !== null && html`${keyLine(key)}${chart.inPage}${file}`}</figure>`
}

export function keyLine(key: Legend): Content {
  const marks = key.map(([kind, text]) => html`<span class="swatch ${kind}" aria-hidden="true"></span>${text} `)
  return key.length > 0 && html`<p class="key">${marks}</p>`
}

/** Since when there are bars or points where a chart does not show all. */
export function sinceText({ t }: Page, start = '', unit: Interval): string {
  return t.say(t.w.activity.spans.from, { when: t.bucket(start, unit) })
}

/** A low chart has half as many labels. Where nothing was counted, nothing is drawn. */
export function figureOf({ t, input }: Page, drawn: Drawn, draw: (frame: Frame) => Plot) {
  const { name, heading, finding, height, values, partial, label, written = t.short, starts, interval, from } = drawn
  const zone = timeZoneOf(input)
  const [lines, labels] = height > 100 ? [4, 6] : [2, 3]
  const { top, ticks } = countScale(values, lines)
  const frame = {
    id: name,
    title: [heading, finding].filter(Boolean).join('. '),
    height,
    top,
    values,
    partial,
    label,
    y: [0, ...ticks].map((value) => ({ value, text: written(value) })),
    x: timeTicks(
      starts.map((start) => zone.clockOfLabel(start)),
      labels,
    ).map((index) => ({ at: (index + 0.5) / values.length, text: t.tick(starts[index] ?? '', interval) })),
    hook: html`data-chart="${from}" data-points="${values.length}"`,
  }
  // Null = there is nothing to draw.
  return { ...drawn, chart: values.some((value) => (value ?? 0) > 0) ? draw(frame) : null }
}
