// Owns text for a terminal or a log line: safe, short, wrapped; numbers, ages and lists. Pure; knows no printer.

/** A text without escape sequences and line breaks. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Made when first needed: most programs never need it. */
let graphemes: Intl.Segmenter | undefined

/** As much of a text as fits a line of so many characters, as a reader counts them. */
export function short(text: string, width: number): string {
  return cut(text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim(), width)
}

/**
 * A text of at most so many characters, as a reader counts them; the last is an ellipsis if something is missing.
 * @param mostUnits bounds its bytes, as one character can have any number of marks: at most six for each
 */
export function cut(text: string, most: number, mostUnits = Infinity): string {
  // Nearly all titles end here: no character takes less than a unit. Telling them apart took two fifths of the time of all pages.
  if (text.length <= Math.min(most, mostUnits)) return text
  graphemes ??= new Intl.Segmenter('en')
  let [kept, beforeLast, characters] = ['', '', 0]
  for (const { segment } of graphemes.segment(text.slice(0, 4 * mostUnits))) {
    const isFull = characters === most
    if (isFull || kept.length + segment.length > mostUnits) return `${isFull ? beforeLast : kept}…`
    beforeLast = kept
    kept += segment
    characters += 1
  }
  return kept
}

/** `12,345`. */
export function count(n: number): string {
  return n.toLocaleString('en')
}

/** A count that may not be published. */
export function countOrDash(n: number | null): string {
  return n === null ? '-' : count(n)
}

/** `42s`, `90m`, `47h`, `3d`: one unit, rounded down. */
export function age(ms: number): string {
  const seconds = Math.floor(ms / 1000)
  if (seconds < 60) return `${seconds}s`
  if (seconds < 7200) return `${Math.floor(seconds / 60)}m`
  return seconds < 172_800 ? `${Math.floor(seconds / 3600)}h` : `${Math.floor(seconds / 86_400)}d`
}

/** `1 category`, `2 votes`, `- users`. */
export function countOf(n: number | null, plural: string): string {
  return `${countOrDash(n)} ${n === 1 ? plural.replace(/ies$/, 'y').replace(/s$/, '') : plural}`
}

/** The first of a list, and how many more there are: `a, b and 3 more`. */
export function some(list: readonly string[], atMost: number, between = ', '): string {
  const more = list.length - atMost
  return list.slice(0, atMost).join(between) + (more > 0 ? ` and ${count(more)} more` : '')
}

/** Lines of as many items as fit; a wider item has its own line. */
export function wrap(items: readonly string[], width: number, between = ', '): string[] {
  const lines: string[] = ['']
  for (const [i, item] of items.entries()) {
    const part = `${item}${i === items.length - 1 ? '' : between}`
    const line = lines.at(-1) ?? ''
    if (line !== '' && line.length + part.trimEnd().length > width) lines.push(part)
    else lines[lines.length - 1] = line + part
  }
  return lines.map((line) => line.trimEnd())
}
