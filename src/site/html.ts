// Owns the one way in which text becomes HTML, SVG or XML: everything is escaped that is not markup already. Markup keeps what
// a template was given apart from the template, so that the client can make elements of it without parsing texts. Pure; knows no page.

declare const brand: unique symbol

/** Markup that is safe to put into a document: made by `html`, `xml` or `markup` only. */
export interface Markup {
  readonly text: string
  readonly [brand]: true
}

/** What a template takes. `false`, null and undefined are nothing, so that a part can depend on a condition. */
export type Content = Markup | string | number | false | null | undefined | readonly Content[]

type Escape = (text: string) => string

class Filled {
  readonly parts: readonly string[]
  readonly contents: readonly Content[]
  readonly escape: Escape

  constructor(parts: readonly string[], contents: readonly Content[], escape: Escape) {
    this.parts = parts
    this.contents = contents
    this.escape = escape
  }

  get text(): string {
    return written(this, null)
  }
}

/** Says that a text is markup already. Only for text of this program: never for what a platform or a client wrote. */
export function markup(text: string): Markup {
  return new Filled([text], [], forHtml) as unknown as Markup
}

/** The markup with something else for each text that a template was given, such as the name of a gap to be filled. */
export function withGaps(given: Markup, gap: (text: string) => string): string {
  return written(given as unknown as Filled, gap)
}

// With both quotes: the same text is safe between tags and in a quoted attribute.
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

/** Controls, noncharacters and halves of surrogate pairs: errors in HTML, and a browser shows them as nothing or as this. */
const NOT_IN_HTML = /[^\P{Cc}\t\n\r]|\p{Noncharacter_Code_Point}|\p{Cs}/gu

/** All but the characters that XML 1.0 has (section 2.2). */
const NOT_IN_XML = /[^\t\n\r\u0020-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/** HTML, and SVG inside it. */
export function html(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return filled(parts, contents, forHtml)
}

/** Stand-alone XML and SVG: what XML 1.0 forbids is left out, because one such character makes the whole file unreadable. */
export function xml(parts: TemplateStringsArray, ...contents: readonly Content[]): Markup {
  return filled(parts, contents, forXml)
}

/** As HTML shows it. */
export function shownText(text: string): string {
  return text.replace(NOT_IN_HTML, '\uFFFD')
}

function forHtml(text: string): string {
  return escaped(shownText(text))
}

function forXml(text: string): string {
  return escaped(text.replace(NOT_IN_XML, ''))
}

function filled(parts: TemplateStringsArray, contents: readonly Content[], escape: Escape): Markup {
  const bare = barePlaces(parts)
  for (const [i, content] of contents.entries())
    if (bare[i] === true && (typeof content === 'string' || Array.isArray(content)))
      throw new Error(`content in a tag, outside of a quoted attribute: ${parts[i]?.slice(-60) ?? ''}`)
  return new Filled(parts, contents, escape) as unknown as Markup
}

function written({ parts, contents, escape }: Filled, gap: Escape | null): string {
  let text = parts[0] ?? ''
  for (const [i, content] of contents.entries()) text += textOf(content, escape, gap) + (parts[i + 1] ?? '')
  return text
}

/** @param gap for all texts within, whatever template they are in */
function textOf(content: Content, escape: Escape, gap: Escape | null): string {
  if (content === false || content === null || content === undefined) return ''
  if (typeof content === 'string') return (gap ?? escape)(content)
  if (typeof content === 'number') return String(content)
  if (content instanceof Filled) return written(content, gap)
  return (content as readonly Content[]).map((part) => textOf(part, escape, gap)).join('')
}

const knownPlaces = new WeakMap<TemplateStringsArray, readonly boolean[]>()

/**
 * Which contents of a template are inside a tag, but in no quoted attribute: there escaping does not make text safe, so
 * only markup may come, such as a whole attribute.
 */
function barePlaces(parts: TemplateStringsArray): readonly boolean[] {
  const known = knownPlaces.get(parts)
  if (known !== undefined) return known
  let before = ''
  const places = parts.slice(0, -1).map((part) => {
    before += part
    const tag = before.slice(before.lastIndexOf('<'))
    const isInTag = /^<[a-z]/i.test(tag) && !tag.replaceAll(/"[^"]*"/g, '').includes('>')
    return isInTag && (tag.split('"').length & 1) === 1
  })
  knownPlaces.set(parts, places)
  return places
}

/** The address if it is one of the web, whatever a platform wrote; null for `javascript:` and all else. */
export function webAddress(address: string | null, base: string | null): string | null {
  if (address === null) return null
  try {
    const url = base === null ? new URL(address) : new URL(address, base)
    return url.protocol === 'https:' || url.protocol === 'http:' ? url.href : null
  } catch {
    return null
  }
}
