// Owns cutting SQL text into code, strings, identifiers and comments. Knows the lexical rules only, no grammar.
import { foldedName } from './names.ts'

export type TokenKind = 'code' | 'string' | 'identifier' | 'comment'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

/** A character that is part of a word. */
const WORD = String.raw`[\w$\u0080-\uffff]`
// E'…' and, on a later line, '…' are one literal (manual, section 4.1.2.1): backslashes go on escaping.
const CONTINUATION = String.raw`[ \t\f]*(?:--[^\r\n]*)?[\r\n](?:\s|--[^\r\n]*[\r\n])*'`
const CONTINUED = new RegExp(`^${CONTINUATION}$`)

const STRINGS = [
  // E'…' but not NAME'…': the E must not be the end of a word.
  String.raw`(?<=(?<!${WORD})[eE])'(?:[^'\\]+|\\[^]?|''|'${CONTINUATION})*'?`,
  String.raw`'(?:[^']+|'')*'?`,
  // $ inside a word (a$b) or of a parameter ($1) opens nothing.
  String.raw`(?<!${WORD})(?<tag>\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$)(?:[^]*?\k<tag>|[^]*)`,
]
const IDENTIFIER = String.raw`"(?:[^"]+|"")*"?`
/** A line comment, or the beginning of a block comment, which may have others in it. */
const COMMENT = String.raw`--[^\r\n]*[\r\n]?|/\*`
const SPECIAL = new RegExp(`(?<string>${STRINGS.join('|')})|(?<identifier>${IDENTIFIER})|${COMMENT}`, 'g')

/** Cuts SQL by PostgreSQL's lexical structure (manual, section 4.1). What is not closed extends to the end: the server will report it. */
export function tokens(sql: string): Token[] {
  const found: Token[] = []
  let at = 0
  const cut = (kind: TokenKind, end: number): void => {
    if (at < end) found.push({ kind, text: sql.slice(at, end) })
    at = end
  }
  while (at < sql.length) {
    SPECIAL.lastIndex = at
    const special = SPECIAL.exec(sql)
    cut('code', special?.index ?? sql.length)
    if (special?.groups?.['string'] !== undefined) cut('string', SPECIAL.lastIndex)
    else if (special?.groups?.['identifier'] !== undefined) cut('identifier', SPECIAL.lastIndex)
    else if (special !== null) cut('comment', special[0] === '/*' ? blockEnd(sql, at) : SPECIAL.lastIndex)
  }
  return found
}

function blockEnd(sql: string, at: number): number {
  let depth = 0
  for (const { 0: mark, index } of sql.slice(at).matchAll(/\/\*|\*\//g)) {
    depth += mark === '/*' ? 1 : -1
    if (depth === 0) return at + index + mark.length
  }
  return sql.length
}

/** The statement that a text holds; null = it holds comments only. */
export function statementIn(text: string): string | null {
  // One semicolon at the end is allowed, so that sections can be pasted into psql and back.
  const sql = withoutLast(text, ';').trim()
  return tokens(sql).every((token) => token.kind === 'comment' || token.text.trim() === '') ? null : sql
}

/** The SQL without the mark that it ends with; comments may follow the mark. */
export function withoutLast(sql: string, mark: ';' | ','): string {
  const parts = tokens(sql).map((token) => ({ ...token }))
  const last = parts.findLast((token) => token.kind !== 'comment' && token.text.trim() !== '')
  if (last?.kind === 'code') last.text = last.text.replace(new RegExp(`${mark}\\s*$`), '\n')
  return parts.map((token) => token.text).join('')
}

/** Names and other words as the server knows them. Words of strings are there unfolded, too: they may be keys of a row as JSON. */
export function wordsIn(sql: string, kinds: readonly TokenKind[] = ['code', 'identifier', 'string']): Set<string> {
  const words = tokens(sql).flatMap(({ kind, text }) => {
    if (!kinds.includes(kind)) return []
    const found = kind === 'identifier' ? [text] : (text.match(/[\w$\u0080-\uffff]+/g) ?? [])
    return kind === 'string' ? [...found, ...found.map(foldedName)] : found.map(foldedName)
  })
  return new Set(words)
}

/** What the server takes for white space: to it, a blank of another kind is part of a name. */
const PIECES = /[ \t\n\r\f\v]+|[^ \t\n\r\f\v]+/g

/**
 * The same SQL with one blank for comments and white space outside strings and quoted names: equal = the server reads the same.
 * A string goes on in the next one where only a line break is between them (manual, section 4.1.2.1), so that break stays.
 */
export function withSingleBlanks(sql: string): string {
  let [found, gap, last] = ['', '', 'code']
  for (const { kind, text } of tokens(sql)) {
    for (const piece of kind === 'code' ? (text.match(PIECES) ?? []) : [text]) {
      if (kind === 'comment' || /^[ \t\n\r\f\v]/.test(piece)) gap += piece
      else {
        const goesOn = last === 'string' && kind === 'string' && CONTINUED.test(`${gap}'`)
        found += `${gap === '' || found === '' ? '' : goesOn ? '\n' : ' '}${piece}`
        ;[gap, last] = ['', kind]
      }
    }
  }
  return found
}

// Finds `:name`, but not in `::` casts, in `:=`, or in array slices such as [1:2].
const NAME = /(?<![:\w\]]):([A-Za-z_]\w*)/g

/** Puts `value(name)` in place of `:name` in code (outside strings, identifiers, comments and `::`). */
export function substitute(sql: string, value: (name: string) => string): string {
  return tokens(sql)
    .map((token) =>
      token.kind === 'code' ? token.text.replaceAll(NAME, (_, name: string) => value(name)) : token.text,
    )
    .join('')
}
