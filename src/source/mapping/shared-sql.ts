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

export interface Part {
  /** As the server knows it. */
  readonly name: string
  /** Without the commas around it. */
  readonly sql: string
}

/** null = it is no list of parts. */
export function partsOf(sql: string): Part[] | null {
  const pieces = atCommas(sql)
  const parts = (pieces ?? []).map(({ text, outside, quoted }) => {
    const [, number, word] = PART.exec(outside) ?? []
    const name = number === undefined ? word : quoted[Number(number)]
    return name === undefined ? null : { name: folded(name), sql: text }
  })
  return pieces === null || parts.includes(null) ? null : parts.filter((part) => part !== null)
}

/** A text between commas. */
class Piece {
  text = ''
  /** Of it, what is not in brackets; a quoted name is its number, in quotes. */
  outside = ''
  readonly quoted: string[] = []
}

/** Cut at the commas outside brackets; null = its brackets do not match, or there is a string outside them. */
function atCommas(sql: string): Piece[] | null {
  let piece = new Piece()
  const pieces = [piece]
  let depth = 0
  for (const { kind, text } of tokens(sql)) {
    if (kind === 'string' && depth === 0) return null
    if (kind !== 'code') {
      piece.text += text
      if (depth === 0) piece.outside += kind === 'identifier' ? `"${piece.quoted.push(text) - 1}"` : ' '
      continue
    }
    for (const character of text) {
      if (character === ')') depth -= 1
      if (depth < 0) return null
      if (character === ',' && depth === 0) pieces.push((piece = new Piece()))
      else {
        piece.text += character
        if (depth === 0) piece.outside += character
      }
      if (character === '(') depth += 1
    }
  }
  return depth === 0 ? pieces : null
}

/** Which of these names a SELECT has anywhere in its code. */
export function namedIn(sql: string, names: readonly string[]): string[] {
  const words = new Set(
    tokens(sql).flatMap(({ kind, text }) => {
      if (kind === 'identifier') return [folded(text)]
      return kind === 'code' ? (text.match(new RegExp(WORD, 'g')) ?? []).map(folded) : []
    }),
  )
  return names.filter((name) => words.has(name))
}

/**
 * With the parts in front that it names, and those that they name; unchanged if it names none. The SELECT is one level below,
 * so that it may have a WITH, an ORDER BY or a LIMIT of its own.
 */
export function withShared(parts: readonly Part[], select: string): string {
  const needed = neededBy(select, parts)
  if (needed.size === 0) return select
  let list = ''
  // A part that is not needed leaves its line breaks: with the same text a mapping has the hash that it had before.
  for (const part of parts)
    if (needed.has(part)) list += `${list.trim() === '' ? '' : ','}${part.sql}`
    else list += part.sql.replaceAll(/[^\n]/g, '')
  return `WITH /* section with */\n${list}\nSELECT * FROM ( /* the section itself */\n${select}\n) AS section`
}

function neededBy(sql: string, parts: readonly Part[]): Set<Part> {
  const all = parts.map(({ name }) => name)
  const names = new Set(namedIn(sql, all))
  const needed = new Set<Part>()
  // A part can name those above it: from the last one up, each is looked at once.
  for (const part of parts.toReversed()) {
    if (!names.has(part.name)) continue
    needed.add(part)
    for (const name of namedIn(part.sql, all)) names.add(name)
  }
  return needed
}
