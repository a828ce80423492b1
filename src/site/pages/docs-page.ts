// Owns what the pages for programmers and analysts have in common: their frame, and how a table, a code and an anchor look there.
import { pagePath } from '../../contract/site-paths.ts'
import { html, type Content, type Markup } from '../page/html.ts'
import type { SiteInput } from '../page/input.ts'
import { layout, type Shell } from '../page/layout.ts'
import type { Page } from '../page/page.ts'

export interface DocsSection {
  /** Lower case and `-`: the anchor. */
  readonly id: string
  readonly heading: string
  readonly content: Content
}

/** Shown where the address of the site is not known. */
const UNKNOWN_BASE = 'https://ADDRESS'

/** Where the site is, without a slash at its end, for text to copy. */
export function baseOf({ publicUrl }: SiteInput): string {
  return publicUrl ?? UNKNOWN_BASE
}

export function baseNote({ publicUrl }: SiteInput): Content {
  return publicUrl === null && html`<p>Replace <code>${UNKNOWN_BASE}</code> by the address of this site.</p>\n`
}

/** @param rows the first cell of each names the row */
export function matrix(head: readonly string[], rows: readonly (readonly Content[])[]): Markup {
  return html`<div class="scroll" tabindex="0"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>
${rows.map(
  ([name, ...cells]) => html`<tr><th scope="row">${name}</th>${cells.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
)}</tbody></table></div>
`
}

export function code(text: string): Markup {
  return html`<code>${text}</code>`
}

/** Text to copy, on lines of its own. */
export function block(text: string): Markup {
  return html`<pre tabindex="0"><code>${text}</code></pre>
`
}

/** Text of this program in which `…` is code. */
export function prose(text: string): Content {
  return text.split('`').map((part, i): Content => ((i & 1) === 1 ? code(part) : part))
}

export function paragraphs(...texts: readonly string[]): Content {
  return texts.map((text) => html`<p>${prose(text)}</p>\n`)
}

export function bullets(items: readonly string[]): Markup {
  return html`<ul>
${items.map((item) => html`<li>${prose(item)}</li>\n`)}</ul>
`
}

export interface DocsPage extends Pick<Shell, 'title' | 'description' | 'path'> {
  /** What comes before the sections. */
  readonly lead?: Content
  readonly sections: readonly DocsSection[]
  /** The other page of this kind, and its path from the root of the release. */
  readonly other: readonly [title: string, path: string]
}

export function docsPage(page: Page, { sections, other: [otherTitle, otherPath], lead, ...shell }: DocsPage): string {
  const { input, t, root } = page
  const nav = html`<nav class="contents" aria-label="${t.w.page.contents}"><ul><li><a href="${root}${pagePath(t.language, input.languages)}">${input.words.title}</a></li><li><a href="${root}${otherPath}">${otherTitle}</a></li>${sections.map(({ id, heading }) => html`<li><a href="#${id}">${heading}</a></li>`)}</ul></nav>
`
  return layout({ ...shell, page, nav, main: [lead, sections.map(drawn)] })
}

function drawn({ id, heading, content }: DocsSection): Markup {
  return html`<section class="docs" id="${id}" aria-labelledby="${id}-heading"><h2 id="${id}-heading">${heading}</h2>
${content}</section>
`
}
