// Owns how an answer is shown as an example: as JSON on several lines, long lists and texts cut. Knows no document.

const MAX_ITEMS = 2
const MAX_TEXT = 100
const REST = '…'

/** JSON, but for `…` where something is left out. */
export function exampleText(value: unknown): string {
  const cut = (_: string, one: unknown): unknown => {
    if (typeof one === 'string') return cutText(one)
    // Without their number: of categories the site is given the first ones only.
    return Array.isArray(one) && one.length > MAX_ITEMS ? [...one.slice(0, MAX_ITEMS), REST] : one
  }
  return JSON.stringify(value, cut, 2).replaceAll(/^( *)"…"$/gm, `$1${REST}`)
}

function cutText(text: string): string {
  const points = Array.from(text.slice(0, 4 * MAX_TEXT))
  return points.length <= MAX_TEXT && text.length <= 4 * MAX_TEXT
    ? text
    : `${points.slice(0, MAX_TEXT).join('')}${REST}`
}
