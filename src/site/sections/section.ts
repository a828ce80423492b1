// Owns the frame of a section: its heading, what it shows in a sentence, and what follows. Pure.
import { html, type Content, type Markup } from '../html.ts'
import type { Page } from '../page.ts'

export interface Section {
  /** Its anchor; also the name for the client. */
  readonly id: string
  readonly heading: string
  readonly lead: Content
  /** Below the lead: what a reader must know of the numbers. */
  readonly notes?: Content
  readonly body: Content
  readonly period?: string
}

export function section({ id, heading, lead, notes, body, period }: Section): Markup {
  return html`<section id="${id}" aria-labelledby="${id}-heading" data-section="${id}"${period !== undefined && html` data-period="${period}"`}>
<div class="intro"><h2 id="${id}-heading"><a class="anchor" href="#${id}">${heading}</a></h2><p>${lead}</p>${notes}</div>
<div class="content">${body}</div>
</section>
`
}

/** A table behind a chart or a list. */
export function folded({ t }: Page, content: Markup, summary: string = t.w.table.show): Markup {
  return html`<details><summary>${summary}</summary>${content}</details>`
}

export interface Column {
  readonly text: string
  readonly isNumber?: boolean
  /** Left out where there is little room. */
  readonly isMinor?: boolean
  /** Of the first: names the times of the rows, which are newest first. */
  readonly isTime?: boolean
}

/**
 * @param columns a text alone is that of a column of numbers
 * @param rows the first cell of each names the row
 */
export function table(
  id: string,
  caption: string,
  columns: readonly (Column | string)[],
  rows: readonly (readonly Content[])[],
): Markup {
  const all = columns.map((column): Column => (typeof column === 'string' ? { text: column } : column))
  const kinds = all.map(({ isNumber = true, isMinor = false }) => [isNumber && 'n', isMinor && 'minor'].filter(Boolean))
  const kindOf = (i: number): Content => {
    const names = kinds[i] ?? []
    return names.length > 0 && html` class="${names.join(' ')}"`
  }
  return html`<div class="scroll" tabindex="0" role="region" aria-labelledby="${id}-caption"><table id="${id}" data-sortable="${all[0]?.isTime === true ? 'time' : 'text'}"><caption id="${id}-caption"><span>${caption}</span></caption><thead><tr>${all.map(
    ({ text }, i) => html`<th scope="col"${kindOf(i)}>${text}</th>`,
  )}</tr></thead><tbody>${rows.map(
    ([name, ...cells]) =>
      html`<tr><th scope="row">${name}</th>${cells.map((cell, i) => html`<td${kindOf(i + 1)}>${cell}</td>`)}</tr>`,
  )}</tbody></table></div>`
}
