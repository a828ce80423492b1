// Takes one condition out of a SELECT at a time, for the question: would a test notice that it is gone?
import { tokens } from '../../src/source/sql/tokens.ts'

export interface Mutant {
  /** The condition, white space squeezed; ` #2` follows the second one of the same text. */
  readonly removed: string
  readonly sql: string
}

interface Lexeme {
  /** A keyword in capitals, a bracket, a comma; anything else is ''. */
  readonly word: string
  readonly start: number
  readonly end: number
  readonly depth: number
}

const BEGINS = new Set(['WHERE', 'ON', 'WHEN', 'HAVING'])
const ENDS = new Set(
  'WHERE GROUP ORDER LIMIT UNION JOIN LEFT RIGHT FULL CROSS INNER THEN HAVING WINDOW FETCH OFFSET'.split(' '),
)

/**
 * Every condition of WHERE, ON, WHEN and HAVING, of any sub-select, and of the columns `launched` and `closed`: a part of an AND is
 * replaced by true, a part of an OR by false, the whole of a condition that is neither by true.
 */
export function mutantsOf(sql: string): Mutant[] {
  const all = lexemes(sql)
  const found: { start: number; end: number; by: string }[] = []
  for (const [i, { word, depth, end }] of all.entries()) {
    if (BEGINS.has(word)) {
      const last = all.findIndex((next, j) => j > i && (next.depth < depth || (next.depth === depth && ends(next))))
      found.push(...parts(sql, all, end, all[last]?.start ?? sql.length, depth, 'true'))
    }
    if ((word === 'LAUNCHED' || word === 'CLOSED') && all[i - 1]?.word === 'AS') {
      const first = all.findLast(
        (before, j) => j < i - 1 && before.depth === depth && (before.word === ',' || before.word === 'SELECT'),
      )
      found.push(...parts(sql, all, first?.end ?? 0, all[i - 1]?.start ?? 0, depth, 'true'))
    }
  }
  const seen = new Map<string, number>()
  return found
    .map(({ start, end, by }) => ({ text: squeezed(sql.slice(start, end)), start, end, by }))
    .filter(({ text }) => !['true', 'false'].includes(text.toLowerCase()))
    .sort((a, b) => a.start - b.start || b.end - a.end)
    .map(({ text, start, end, by }) => {
      const nth = (seen.get(text) ?? 0) + 1
      seen.set(text, nth)
      return { removed: nth === 1 ? text : `${text} #${nth}`, sql: `${sql.slice(0, start)} ${by} ${sql.slice(end)}` }
    })
}

function ends({ word }: Lexeme): boolean {
  return ENDS.has(word) || word === ','
}

function parts(sql: string, all: readonly Lexeme[], start: number, end: number, depth: number, by: string) {
  const within = all.filter((one) => one.start >= start && one.end <= end)
  const splitter = (word: string): Lexeme[] => within.filter((one) => one.word === word && one.depth === depth)
  if (splitter('BETWEEN').length > 0) throw new Error('BETWEEN has an AND of its own: write >= and <')
  const ors = splitter('OR')
  const ands = ors.length > 0 ? [] : splitter('AND')
  const splits = [...ors, ...ands]
  const value = ors.length > 0 ? 'false' : by
  const pieces: { start: number; end: number; by: string }[] = []
  let from = start
  for (const { start: to, end: next } of [...splits, { start: end, end }]) {
    pieces.push({ start: from, end: to, by: value }, ...inside(sql, all, from, to, depth, value))
    from = next
  }
  return pieces
}

/** A piece that is itself a bracket of conditions: `(a OR b)`, `NOT (a AND b)`, `a AND (b OR c)` within an OR. */
function inside(sql: string, all: readonly Lexeme[], start: number, end: number, depth: number, by: string) {
  const within = all.filter((one) => one.start >= start && one.end <= end)
  const splitHere = within.some((one) => one.depth === depth && one.word === 'AND')
  if (splitHere) return parts(sql, all, start, end, depth, 'true')
  const open = within.find(({ word }) => word === '(')
  if (open === undefined || !/^\s*(NOT\s*)?\($/i.test(sql.slice(start, open.end))) return []
  const close = within.find((one) => one.word === ')' && one.depth === open.depth && one.start > open.start)
  const content = within.filter((one) => one.start > open.start && one.end <= (close?.start ?? end))
  if (content[0]?.word === 'SELECT' || !content.some((one) => one.word === 'AND' || one.word === 'OR')) return []
  const inner = parts(sql, all, open.end, close?.start ?? end, depth + 1, by)
  return inner.length > 1 ? inner : []
}

function lexemes(sql: string): Lexeme[] {
  const found: Lexeme[] = []
  let at = 0
  let depth = 0
  for (const token of tokens(sql)) {
    if (token.kind === 'code')
      for (const match of token.text.matchAll(/[A-Za-z_]\w*|[(),]/g)) {
        const start = at + match.index
        const word = match[0].toUpperCase()
        if (word === ')') depth -= 1
        found.push({ word, start, end: start + match[0].length, depth })
        if (word === '(') depth += 1
      }
    at += token.text.length
  }
  return found
}

function squeezed(text: string): string {
  return tokens(text)
    .filter(({ kind }) => kind !== 'comment')
    .map((token) => token.text)
    .join('')
    .replaceAll(/\s+/g, ' ')
    .trim()
}
