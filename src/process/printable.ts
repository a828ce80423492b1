// Owns making other people's text fit for a terminal: names, labels and titles. Pure; knows nothing of who prints.

/** No escape sequence and no second line of theirs is printed. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}

/** Made when first needed: it takes 10 ms, and most programs never print what somebody wrote. */
let graphemes: Intl.Segmenter | undefined

/** Of what somebody wrote, what fits a line. */
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
