// Owns cutting SQL text into code, strings, identifiers and comments. Knows the lexical rules only, no grammar.
import { folded } from './names.ts'

export type TokenKind = 'code' | 'string' | 'identifier' | 'comment'

export interface Token {
  readonly kind: TokenKind
  readonly text: string
}

/**
 * PostgreSQL's lexical structure (manual, section 4.1): '…' with '' inside, E'…' with backslashes, $tag$…$tag$,
 * "…", line comments, nested block comments. An unclosed one extends to the end: the server will report it.
 */
export function tokens(sql: string): Token[] {
  const found: Token[] = []
  let codeStart = 0
  let at = 0
  while (at < sql.length) {
    const special = specialAt(sql, at)
    if (special === null) {
      at += 1
      continue
    }
    if (codeStart < at) found.push({ kind: 'code', text: sql.slice(codeStart, at) })
    found.push({ kind: special.kind, text: sql.slice(at, special.end) })
    at = special.end
    codeStart = at
  }
  if (codeStart < sql.length) found.push({ kind: 'code', text: sql.slice(codeStart) })
  return found
}

/** The statement that a text holds; null = it holds comments only. */
export function statementIn(text: string): string | null {
  // One is allowed: sections paste into psql and back.
  const sql = withoutLast(text, ';').trim()
  return tokens(sql).every((token) => token.kind === 'comment' || token.text.trim() === '') ? null : sql
}

/** Without the mark that it ends with; comments may follow that. */
export function withoutLast(sql: string, mark: ';' | ','): string {
  const parts = tokens(sql).map((token) => ({ ...token }))
  const last = parts.findLast((token) => token.kind !== 'comment' && token.text.trim() !== '')
  if (last?.kind === 'code') last.text = last.text.replace(new RegExp(`${mark}\\s*$`), '\n')
  return parts.map((token) => token.text).join('')
}

/** Names and other words as the server knows them. Those of strings also as they are: they may be keys of a row taken as JSON. */
export function wordsIn(sql: string, kinds: readonly TokenKind[] = ['code', 'identifier', 'string']): Set<string> {
  const words = tokens(sql).flatMap(({ kind, text }) => {
    if (!kinds.includes(kind)) return []
    const found = kind === 'identifier' ? [text] : (text.match(/[\w$\u0080-\uffff]+/g) ?? [])
    return kind === 'string' ? [...found, ...found.map(folded)] : found.map(folded)
  })
  return new Set(words)
}

/** What the server takes for white space: to it, a blank of another kind is part of a name. */
const PIECES = /[ \t\n\r\f\v]+|[^ \t\n\r\f\v]+/g

/**
 * The same SQL with one blank for comments and white space outside strings and quoted names: equal = the server reads the same.
 * A string goes on in the next one where only a line break is between them (manual, section 4.1.2.1), so that stays.
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

function specialAt(sql: string, at: number): { kind: TokenKind; end: number } | null {
  switch (sql[at]) {
    case "'":
      return { kind: 'string', end: quotedEnd(sql, at, "'", isEscapeString(sql, at)) }
    case '"':
      return { kind: 'identifier', end: quotedEnd(sql, at, '"', false) }
    case '-':
      return sql[at + 1] === '-'
        ? { kind: 'comment', end: at + (/^[^\r\n]*[\r\n]?/.exec(sql.slice(at))?.[0].length ?? 0) }
        : null
    case '/':
      return sql[at + 1] === '*' ? { kind: 'comment', end: blockEnd(sql, at) } : null
    case '$':
      return dollarAt(sql, at)
    default:
      return null
  }
}

// E'…' and, on a later line, '…' are one literal (manual, section 4.1.2.1): backslashes go on escaping.
const CONTINUATION = /[ \t\f]*(?:--[^\r\n]*)?[\r\n](?:\s|--[^\r\n]*[\r\n])*'/y
const CONTINUED = new RegExp(`^${CONTINUATION.source}$`)

function quotedEnd(sql: string, at: number, quote: string, backslashes: boolean): number {
  for (let i = at + 1; i < sql.length; i++) {
    if (backslashes && sql[i] === '\\') i += 1
    else if (sql[i] === quote) {
      if (sql[i + 1] === quote) i += 1
      else {
        CONTINUATION.lastIndex = i + 1
        if (!backslashes || !CONTINUATION.test(sql)) return i + 1
        i = CONTINUATION.lastIndex - 1
      }
    }
  }
  return sql.length
}

// E'…' but not NAME'…': the E must not be the end of a word.
function isEscapeString(sql: string, at: number): boolean {
  return /[eE]/.test(sql[at - 1] ?? '') && !/[\w$\u0080-\uffff]/.test(sql[at - 2] ?? '')
}

function endAfter(sql: string, mark: string, from: number): number {
  const found = sql.indexOf(mark, from)
  return found < 0 ? sql.length : found + mark.length
}

function blockEnd(sql: string, at: number): number {
  let depth = 0
  for (let i = at; i < sql.length; i++) {
    if (sql.startsWith('/*', i)) {
      depth += 1
      i += 1
    } else if (sql.startsWith('*/', i)) {
      depth -= 1
      i += 1
      if (depth === 0) return i + 1
    }
  }
  return sql.length
}

function dollarAt(sql: string, at: number): { kind: TokenKind; end: number } | null {
  // $ inside a word (a$b) or of a parameter ($1) opens nothing.
  if (/[\w$\u0080-\uffff]/.test(sql[at - 1] ?? '')) return null
  const tag = /^\$(?:[A-Za-z_\u0080-\uffff][\w\u0080-\uffff]*)?\$/.exec(sql.slice(at, at + 130))?.[0]
  return tag === undefined ? null : { kind: 'string', end: endAfter(sql, tag, at + tag.length) }
}

// Not part of `::` casts, of `:=`, nor of array slices such as [1:2].
const NAME = /(?<![:\w\]]):([A-Za-z_]\w*)/g

/** Puts `value(name)` in place of `:name` in code (outside strings, identifiers, comments and `::`). */
export function substitute(sql: string, value: (name: string) => string): string {
  return tokens(sql)
    .map((token) =>
      token.kind === 'code' ? token.text.replaceAll(NAME, (_, name: string) => value(name)) : token.text,
    )
    .join('')
}
