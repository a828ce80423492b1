// Owns text for a terminal or a log line: safe, short, wrapped, as wide as it looks; numbers and lists. Pure; knows no printer.
import fastStringWidth from 'fast-string-width'

/** In columns of a terminal: a Chinese character and most emoji take two, and colours none. */
export function columnsOf(text: string): number {
  return fastStringWidth(text)
}

/** A cell of a table, with spaces before it. */
export function padStart(text: string, width: number): string {
  return ' '.repeat(Math.max(0, width - columnsOf(text))) + text
}

/** Without escape sequences and line breaks. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Made when first needed: most programs never need it. */
let graphemes: Intl.Segmenter | undefined

/**
 * As much of a text as fits a line.
 * @param width in what `columns` counts
 */
export function short(text: string, width: number, columns: (text: string) => number = columnsOf): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  graphemes ??= new Intl.Segmenter('en')
  let [shown, end] = ['', 0]
  for (const { segment } of graphemes.segment(clean)) {
    end += columns(segment)
    if (end > width) return `${shown}…`
    if (end < width) shown += segment
  }
  return clean
}

/** `12,345`. */
export function count(n: number): string {
  return n.toLocaleString('en')
}

/** A count that may not be published. */
export function countOrDash(n: number | null): string {
  return n === null ? '-' : count(n)
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
    if (line !== '' && columnsOf(line) + columnsOf(part.trimEnd()) > width) lines.push(part)
    else lines[lines.length - 1] = line + part
  }
  return lines.map((line) => line.trimEnd())
}

/** A sentence in lines that fit a terminal, each but the first with an indent; one line where there is no width. */
export function folded(sentence: string, width: number | null, indent = ''): string[] {
  if (width === null || columnsOf(sentence) <= width) return [sentence]
  const start = /^ */.exec(sentence)?.[0] ?? ''
  const text = sentence.trim()
  const [first = ''] = wrap(text.split(' '), width - start.length, ' ')
  const rest = text.slice(first.length).trim()
  const lines = rest === '' ? [] : wrap(rest.split(' '), width - indent.length, ' ')
  return [`${start}${first}`, ...lines.map((line) => `${indent}${line}`)]
}
