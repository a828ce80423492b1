// Owns the frame of a section: its heading, what it shows in a sentence, and what follows. Pure.
import { html, type Content, type Markup } from '../page/html.ts'
import type { Page } from '../page/page.ts'

export interface Section {
  /** Its anchor, which is also its name for the client. */
  readonly id: string
  readonly heading: string
  readonly lead?: Content
  /** What a reader must know about the numbers; it is below the lead. */
  readonly notes?: readonly string[]
  readonly body: Content
  readonly period?: string
}

export function section({ id, heading, lead, notes = [], body, period }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-heading" data-section="${id}"${period !== undefined && html` data-period="${period}"`}>
<div class="intro"><h2 id="${id}-heading"><a class="anchor" href="#${id}">${heading}</a></h2>${lead !== undefined && html`<p>${lead}</p>`}${notes.map((note) => html`<p class="remark">${note}</p>`)}</div>
<div class="content">${body}</div>
</section>
`
}

/** Each fact says first, as a heading, what it is: a number alone says nothing to readers who go from heading to heading. */
export function factList(facts: readonly (readonly Content[])[]): Markup {
  return html`<ul class="facts">${facts.map(
    ([label, big, said = '', news = '']) =>
      html`<li><h3>${label}</h3><p class="big">${big}</p>${said !== '' && html`<p>${said}</p>`}${news !== '' && html`<p class="news">${news}</p>`}</li>`,
  )}</ul>`
}

/** Content that is folded, such as a table behind a chart or a list. */
export function folded(summary: string, content: Content): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`
}

/**
 * A column: its head, and its cell in each row. `minor`: it is left out where there is little room. `time`: the first
 * column names the times of the rows, which are newest first.
 */
export type DrawnColumn<Row> = readonly [text: string, cell: (row: Row) => Content, kind?: 'minor' | 'time']

/** @param columns the first names the row; the others are of numbers */
export function table<Row>(
  { t }: Page,
  id: string,
  caption: string,
  rows: readonly Row[],
  columns: readonly (DrawnColumn<Row> | false)[],
): Markup {
  const shown = columns.filter((column) => column !== false)
  const order = shown[0]?.[2] === 'time' ? 'time' : 'text'
  const kinds = shown.map(([, , kind], i) => i > 0 && html` class="${kind === 'minor' ? 'n minor' : 'n'}"`)
  const head = shown.map(([text], i) => html`<th scope="col"${kinds[i]}>${text}</th>`)
  const cell = (row: Row, [, of]: DrawnColumn<Row>, i: number): Markup => {
    const content = of(row)
    if (i === 0) return html`<th scope="row">${content}</th>`
    return html`<td${kinds[i]}>${typeof content === 'number' ? t.number(content) : content}</td>`
  }
  const body = rows.map((row) => html`<tr>${shown.map((column, i) => cell(row, column, i))}</tr>`)
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-caption"><table id="${id}" data-sortable="${order}"><caption id="${id}-caption"><span>${caption}</span></caption><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`
}

/** Says how many rows a table has no room for. */
export function moreIn({ t }: Page, file: 'CSV' | 'JSON', n: number): Content {
  return n > 0 && html`<p class="remark">${t.say(t.w.table.more, { file, n })}</p>`
}
