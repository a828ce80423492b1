// Owns showing other people's text on a terminal: titles, ids, what a server answered. Knows no terminal.

/** On one line and without an escape sequence: no word of theirs moves the cursor, turns the text or ends the line. */
export function harmless(text: string): string {
  return text.replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ')
}
