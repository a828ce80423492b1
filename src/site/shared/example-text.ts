// Owns how an answer is shown as an example: as JSON on several lines, long lists and texts cut. Knows no document.

const MAX_ITEMS = 2
const MAX_TEXT = 100
const INDENT = '  '

/** JSON, but for `…` where something is left out. */
export function exampleText(value: unknown, indent: string = ''): string {
  if (typeof value === 'string') return JSON.stringify(cut(value))
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const inner = indent + INDENT
  if (!Array.isArray(value)) {
    const members = Object.entries(value).map(
      ([key, one]) => `${inner}${JSON.stringify(key)}: ${exampleText(one, inner)}`,
    )
    return members.length === 0 ? '{}' : `{\n${members.join(',\n')}\n${indent}}`
  }
  if (value.every((one) => typeof one === 'string') && value.length <= MAX_ITEMS)
    return `[${value.map((one) => exampleText(one)).join(', ')}]`
  const shown = value.slice(0, MAX_ITEMS).map((one) => inner + exampleText(one, inner))
  // Without their number: of categories the site is given the first ones only.
  const rest = value.length > shown.length ? [`${inner}…`] : []
  return `[\n${[...shown, ...rest].join(',\n')}\n${indent}]`
}

function cut(text: string): string {
  const points = Array.from(text.slice(0, 4 * MAX_TEXT))
  return points.length <= MAX_TEXT && text.length <= 4 * MAX_TEXT ? text : `${points.slice(0, MAX_TEXT).join('')}…`
}
