// Owns making text from a database safe for a terminal: names, labels and titles. Pure; knows no printer.

/** Without escape sequences and line breaks. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Made when first needed: most programs never need it. */
let graphemes: Intl.Segmenter | undefined

/** As much of a text as fits a line. */
export function short(text: string, width: number): string {
  const clean = text.replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()
  graphemes ??= new Intl.Segmenter('en')
  const characters = Array.from(graphemes.segment(clean), ({ segment }) => segment)
  return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : clean
}

/** The first of a list, and how many more there are: `a, b and 3 more`. */
export function some(list: readonly string[], atMost: number): string {
  const more = list.length - atMost
  return more > 0 ? `${list.slice(0, atMost).join(', ')} and ${more.toLocaleString('en')} more` : list.join(', ')
}
