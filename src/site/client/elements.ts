/// <reference lib="dom" />
// Owns making elements of the markup of src/site. Only text of this program is parsed; what a template was given is put into the
// text and the attributes of the finished elements.
import { shownText, withGaps, type Markup } from '../html.ts'

/** Code points for private use around the number of a text: no template has them. */
const GAP = /\uE000(\d+)\uE001/g
/** A browser would complain of an attribute that it understands, such as `d`, before it is filled. */
const UNFILLED = 'data-unfilled-'
const WITH_GAP = / ([\w-]+)(?=="[^"]*\uE000)/g

export function elementsOf(given: Markup): DocumentFragment {
  const texts: string[] = []
  const marked = withGaps(given, (text) => `\uE000${texts.push(shownText(text)) - 1}\uE001`)
  const template = document.createElement('template')
  template.innerHTML = marked.replaceAll(WITH_GAP, ` ${UNFILLED}$1`)
  const { content } = template
  const filled = (text: string): string => text.replaceAll(GAP, (_, i: string) => texts[Number(i)] ?? '')
  const walker = document.createTreeWalker(content, NodeFilter.SHOW_ELEMENT | NodeFilter.SHOW_TEXT)
  for (let node = walker.nextNode(); node !== null; node = walker.nextNode())
    if (node instanceof Element) fillAttributes(node, filled)
    else node.nodeValue = filled(node.nodeValue ?? '')
  return content
}

function fillAttributes(element: Element, filled: (text: string) => string): void {
  for (const { name, value } of Array.from(element.attributes))
    if (name.startsWith(UNFILLED)) {
      element.removeAttribute(name)
      element.setAttribute(name.slice(UNFILLED.length), filled(value))
    }
}
