// Owns the shared SQL of a mapping (section `with`): the names of its parts, and putting it in front of a SELECT. Pure.
import { folded } from '../sql/names.ts'
import { tokens } from '../sql/tokens.ts'

export const SHARED_EXPECTED = 'expected NAME AS (SELECT …), NAME AS (SELECT …), without the words WITH and RECURSIVE'

const WORD = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`
/** One part, of which everything in brackets was taken out. */
const PART = new RegExp(
  String.raw`^\s*(?:"(\d+)"|(${WORD}))\s*(?:\(\)\s*)?\bAS\b\s*(?:(?:NOT\s+)?MATERIALIZED\s*)?\(\)\s*$`,
  'i',
)

/** The names of its parts, as the server knows them; null = it is no list of parts. */
export function partsOf(sql: string): string[] | null {
  const quoted: string[] = []
  let outside = ''
  let depth = 0
  for (const { kind, text } of tokens(sql)) {
    if (kind === 'identifier' && depth === 0) outside += `"${quoted.push(text) - 1}"`
    if (kind === 'string' && depth === 0) return null
    if (kind === 'comment') outside += ' '
    if (kind !== 'code') continue
    for (const character of text) {
      if (character === ')') depth -= 1
      if (depth < 0) return null
      if (depth === 0) outside += character
      if (character === '(') depth += 1
    }
  }
  const names = outside.split(',').map((part) => {
    const [, number, word] = PART.exec(part) ?? []
    const name = number === undefined ? word : quoted[Number(number)]
    return name === undefined ? null : folded(name)
  })
  return depth !== 0 || names.includes(null) ? null : names.filter((name) => name !== null)
}

/** Which of these names a SELECT has anywhere in its code. */
export function namedIn(sql: string, names: readonly string[]): string[] {
  const words = tokens(sql).flatMap(({ kind, text }) => {
    if (kind === 'identifier') return [folded(text)]
    return kind === 'code' ? (text.match(new RegExp(WORD, 'g')) ?? []).map(folded) : []
  })
  return names.filter((name) => words.includes(name))
}

const BEGIN = 'WITH /* section with */\n'
const END = '\nSELECT * FROM ( /* the section itself */\n'

/** The SELECT is one level below, so that it may have a WITH, an ORDER BY or a LIMIT of its own. */
export function withShared(parts: string, select: string): string {
  return `${BEGIN}${parts}${END}${select}\n) AS section`
}

/** Where a line of such text was written; a SELECT without shared SQL is all its own. */
export function lineAsWritten(sql: string, line: number): { line: number; of: number; shared: boolean } {
  const lines = (text: string): number => text.split('\n').length
  const end = sql.startsWith(BEGIN) ? sql.indexOf(END) : -1
  if (end < 0) return { line: Math.min(line, lines(sql)), of: lines(sql), shared: false }
  const above = lines(sql.slice(0, end + END.length)) - 1
  const own = lines(sql) - above - 1
  return line > above
    ? { line: Math.min(line - above, own), of: own, shared: false }
    : { line: Math.min(Math.max(1, line - 1), above - 2), of: above - 2, shared: true }
}
