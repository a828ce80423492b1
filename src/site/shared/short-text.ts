// Owns how a text of the platform is shortened where room is small. Knows no page.

const MAX_TITLE = 120

/** Without halves of surrogate pairs, which no encoding can write. */
export function readable(text: string): string {
  return text.replaceAll(/\p{Cs}/gu, '\uFFFD')
}

/** At most `most` code points, the last of them `…` where something is left out; white space is one space. */
export function cutText(text: string, most: number = MAX_TITLE): string {
  // A title may be megabytes long: what cannot be shown need not be cut into code points.
  const start = readable(text.slice(0, 8 * most))
    .replaceAll(/[\p{White_Space}\p{Cc}]+/gu, ' ')
    .trim()
  const points = Array.from(start)
  return points.length <= most && text.length <= 8 * most ? start : `${points.slice(0, most - 1).join('')}…`
}
