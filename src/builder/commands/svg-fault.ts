// Owns what may not be in an SVG image that a site shows: what runs, and what asks another host. Pure: text in, a sentence
// out. Browsers and servers forbid both for an image, too; a copy on a static host has no policy.
import { SaxesParser, type SaxesTagNS } from 'saxes'

const SVG = 'http://www.w3.org/2000/svg'

/** By local name, in any namespace: browsers differ in what they take for one. */
const FORBIDDEN = /^(?:script|foreignObject|handler|listener|iframe|object|embed|audio|video|link|meta|base)$/i
/** An animation could set them later. */
const ANIMATED = /^(?:xlink:)?href$|^on/i
const EMBEDDED_IMAGE = /^data:image\/(?:png|jpeg|gif|webp);base64,[\w+/=\s]*$/i

/** Why it may not be shown; null = it may. */
export function svgFault(text: string): string | null {
  let fault: string | null = null
  const note = (found: string | null): void => void (fault ??= found)
  let isRoot = true
  let style = 0
  const parser = new SaxesParser({ xmlns: true })
  parser.on('error', ({ message }) => note(`it is not XML: ${message}`))
  parser.on('xmldecl', ({ encoding }) =>
    note(/^utf-?8$/i.test(encoding ?? 'utf-8') ? null : `its encoding is ${encoding}`),
  )
  parser.on('doctype', () => note('it has a document type; remove <!DOCTYPE …>'))
  parser.on('processinginstruction', ({ target }) => note(`it has <?${target} …?>`))
  parser.on('opentag', (tag) => {
    if (isRoot && (tag.local !== 'svg' || tag.uri !== SVG)) note(`its root is <${tag.name}>, not <svg xmlns="${SVG}">`)
    isRoot = false
    note(tagFault(tag))
    if (tag.local.toLowerCase() === 'style') style += 1
  })
  parser.on('closetag', ({ local }) => void (local.toLowerCase() === 'style' && (style -= 1)))
  parser.on('text', (found) => note(style > 0 ? styleFault(found) : null))
  parser.on('cdata', (found) => note(style > 0 ? styleFault(found) : null))
  parser.write(text).close()
  return fault
}

function tagFault({ name, local, attributes }: SaxesTagNS): string | null {
  if (FORBIDDEN.test(local)) return `it has <${name}>`
  for (const attribute of Object.values(attributes)) {
    const { value } = attribute
    const key = attribute.local.toLowerCase()
    const shown = `${attribute.name}="${value.slice(0, 40)}"`
    if (key.startsWith('on')) return `it has the event handler ${attribute.name}`
    if (key === 'base' && attribute.prefix === 'xml') return `it has ${shown}`
    if (['href', 'src'].includes(key) && !isInside(value)) return `it has the external reference ${shown}`
    if (key === 'attributename' && ANIMATED.test(value.trim())) return `it has ${shown}`
    // Presentation attributes are style, too.
    if (attribute.prefix !== 'xmlns' && name !== 'xmlns' && styleFault(value) !== null) return `it has ${shown}`
  }
  return null
}

function isInside(reference: string): boolean {
  return reference.trim().startsWith('#') || EMBEDDED_IMAGE.test(reference.trim())
}

/** A comment or an escape could hide the rest from a search. */
function styleFault(css: string): string | null {
  if (/\\|@import|(?:image-set|src|image|expression)\s*\(|javascript:/i.test(css) || css.includes('/*'))
    return 'its style has an escape, a comment, an import or an image'
  for (const [, reference = ''] of css.matchAll(/url\s*\(\s*["']?([^)]*)/gi))
    if (!isInside(reference.replace(/["']\s*$/, '')))
      return `its style has the external reference ${reference.slice(0, 40)}`
  return null
}
