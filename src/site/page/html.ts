// Owns the one way in which text becomes HTML, SVG or XML: everything is escaped that is not markup already. Pure; knows no page.

import { remembering } from '../../process/remembering.ts'

/** Markup that is safe to put into a document: only `html`, `xml` and `markup` make it, so other files get its type only. */
class Markup {
  /** Keeps the compiler from taking any other object with a text for one. */
  declare protected readonly brand: true
  readonly text: string

  constructor(text: string) {
    this.text = text
  }
}
export type { Markup }

/** What a template takes. `false`, null and undefined are nothing, so that a part can depend on a condition. */
export type Content = Markup | string | number | false | null | undefined | readonly Content[]

type Escape = (text: string) => string
type Template = (parts: TemplateStringsArray, ...contents: readonly Content[]) => Markup

/** Says that a text is markup already. Only for text of this program: never for what a platform or a client wrote. */
export function markup(text: string): Markup {
  return new Markup(text)
}

// Both quotes are replaced, so that the same text is safe between tags and in a quoted attribute.
const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escaped(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}

/** Controls, noncharacters and halves of surrogate pairs are errors in HTML: a browser shows nothing, or the character used here. */
const NOT_IN_HTML = /[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}|\p{Cs}/gu

/** All but the characters that XML 1.0 has (section 2.2). */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** Finds what may have to be replaced, and every pair of surrogates. Asked first, it saves a tenth of the time of all pages. */
const SUSPECT = /[^ !#-%(-;=?-~\u00A0-\uD7FF\uE000-\uFDCF\uFDF0-\uFFFD]/

/** HTML, and SVG inside it. */
export const html: Template = template((text) => escaped(text.replace(NOT_IN_HTML, '\uFFFD')))

/** Stand-alone XML and SVG: what XML 1.0 forbids is left out, because one such character makes the whole file unreadable. */
export const xml: Template = template((text) => escaped(text.replace(NOT_IN_XML, '')))

function template(escape: Escape): Template {
  return (parts, ...contents) => {
    for (const i of barePlaces(parts))
      if (typeof contents[i] === 'string' || Array.isArray(contents[i]))
        throw new Error(`content in a tag, outside of a quoted attribute: ${parts[i]?.slice(-60) ?? ''}`)
    let text = parts[0] ?? ''
    for (let i = 0; i < contents.length; i++) text += textOf(contents[i], escape) + (parts[i + 1] ?? '')
    return markup(text)
  }
}

function textOf(content: Content, escape: Escape): string {
  if (content === false || content === null || content === undefined) return ''
  if (typeof content === 'string') return SUSPECT.test(content) ? escape(content) : content
  if (typeof content === 'number') return String(content)
  if (content instanceof Markup) return content.text
  let text = ''
  for (const part of content) text += textOf(part, escape)
  return text
}

/**
 * Which contents of a template are inside a tag, but in no quoted attribute: there escaping does not make text safe, so
 * only markup may come, such as a whole attribute.
 */
const barePlaces = remembering((parts: TemplateStringsArray): readonly number[] => {
  let before = ''
  return parts.slice(0, -1).flatMap((part, i) => {
    before += part
    const tag = before.slice(before.lastIndexOf('<'))
    const isInTag = /^<[a-z]/i.test(tag) && !tag.replaceAll(/"[^"]*"/g, '').includes('>')
    return isInTag && (tag.split('"').length & 1) === 1 ? [i] : []
  })
})

/** The address if it is one of the web, whatever a platform wrote; null for `javascript:` and all others. */
export function webAddress(address: string | null, base: string | null): string | null {
  if (address === null || !URL.canParse(address, base ?? undefined)) return null
  const { protocol, href } = new URL(address, base ?? undefined)
  return protocol === 'https:' || protocol === 'http:' ? href : null
}
