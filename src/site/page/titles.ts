// Owns how the names that strangers gave are shown: cut, without what turns text around, isolated from the text around them.
import { cut } from '../../process/printable.ts'
import { html, type Markup } from './html.ts'

const MAX_TITLE = 120
/** A grapheme can have any number of marks. Within so many units, 120 graphemes still are a title. */
const MAX_TITLE_UNITS = 480

/** No script has more marks on a letter than these; with more, a title would write over its neighbours. */
const MORE_MARKS = /(\p{Mn}{4})\p{Mn}+/gu

/** Nearly all titles are in one line already. Asking this first saves a twentieth of the time of all pages. */
const IN_LINE = /^[!-~\u00A1-\u02FF]+(?: [!-~\u00A1-\u02FF]+)*$/

/** A title in one line, of at most 120 characters as readers count them. */
export function cutTitle(title: string, max = MAX_TITLE, maxUnits = MAX_TITLE_UNITS): string {
  return cut(IN_LINE.test(title) ? title : inLine(title), max, maxUnits)
}

function inLine(title: string): string {
  return title
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .replaceAll(MORE_MARKS, '$1')
    .trim()
}

/** A name for pages: whatever its direction, the text around it keeps its own. */
export function isolated(name: string): Markup {
  return html`<bdi>${name}</bdi>`
}

/** The same where there are no elements, as in the title of a chart. */
export function isolatedText(name: string): string {
  return `\u2068${name.replaceAll(/[\u202A-\u202E\u2066-\u2069]/g, '')}\u2069`
}

/** A text without marks of direction, for a title that others keep, such as a bookmark: there they would be boxes. */
export function unmarked(text: string): string {
  return text.replaceAll(/[\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, '')
}
