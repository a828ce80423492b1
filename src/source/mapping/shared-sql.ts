// Owns the shared SQL of a mapping (section `with`): the names of its parts, and putting it in front of a SELECT. Pure.
import { foldedName } from '../sql/names.ts'
import { tokens, withoutLast, wordsIn } from '../sql/tokens.ts'

const EXPECTED =
  'section with: expected NAME AS (SELECT …), each NAME at the beginning of a line, without the words WITH and RECURSIVE'

const BEGINNING = new RegExp(
  String.raw`^("(?:[^"]|"")+"|[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*)\s*(?:\([^()]*\)\s*)?AS\s*(?:(?:NOT\s+)?MATERIALIZED\s*)?\(`,
  'gim',
)

export interface SqlPart {
  /** The name as the server knows it. */
  readonly name: string
  /** The text of the part, without the comma that ends it. */
  readonly sql: string
}

/** Cuts section `with` into its parts; where a text is returned, it says what is wrong. */
export function partsOf(sql: string): SqlPart[] | string {
  const found = [...sql.matchAll(BEGINNING)]
  const head = tokens(sql.slice(0, found[0]?.index))
  if (head.some(({ kind, text }) => kind !== 'comment' && text.trim() !== '')) return EXPECTED
  return found.map(({ 1: name = '', index }, i) => ({
    name: foldedName(name),
    sql: withoutLast(sql.slice(i === 0 ? 0 : index, found[i + 1]?.index), ','),
  }))
}

/** Which of these names a SELECT has anywhere in its code. */
export function namedIn(sql: string, names: readonly string[]): string[] {
  const words = wordsIn(sql, ['code', 'identifier'])
  return names.filter((name) => words.has(name))
}

/**
 * Puts the parts that a SELECT names, and those that they name, in front of it; one that names none is unchanged. The
 * SELECT is one level below, so that it may have a WITH, an ORDER BY or a LIMIT of its own.
 */
export function withShared(parts: readonly SqlPart[], select: string): string {
  const all = parts.map(({ name }) => name)
  const names = new Set(namedIn(select, all))
  // A part can only name those above it, so that going from the last one up looks at each once.
  const needed = parts.toReversed().filter(({ name, sql }) => {
    if (names.has(name)) for (const one of namedIn(sql, all)) names.add(one)
    return names.has(name)
  })
  if (needed.length === 0) return select
  const list = needed.toReversed().map(({ sql }) => sql)
  return `WITH /* section with */\n${list.join('\n, ')}\nSELECT * FROM ( /* the section itself */\n${select}\n) AS section`
}
