// Owns finding the tables and columns that a SELECT mentions, by its words and the catalogue. A guess for people to read:
// no grammar, so a name that two tables share is taken for both.
import { grantName, type CatalogTable } from '../database/catalog.ts'
import type { MappingRequires } from '../mapping/file-format.ts'
import { folded, written } from './names.ts'
import { tokens } from './tokens.ts'

/** A name with what stands before it: `t.id` has the qualifier t. */
interface Mention {
  readonly qualifier: string | null
  /** `*` for all columns. */
  readonly name: string
  readonly after: string
}

const NAME = String.raw`[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*`
const WORDS = new RegExp(String.raw`${NAME}|[.,()*]|[^\s]`, 'g')
const IS_NAME = new RegExp(`^${NAME}$`)
/** What may stand where an alias could, but is none. */
const KEYWORDS = new Set(
  `ON WHERE JOIN LEFT RIGHT FULL INNER CROSS NATURAL GROUP ORDER LIMIT UNION EXCEPT INTERSECT USING HAVING WINDOW LATERAL
   OFFSET FETCH FOR TABLESAMPLE AS SELECT FROM AND OR NOT IN IS THEN ELSE END WHEN CASE`.split(/\s+/),
)
/** A comma behind ON or USING is still one of FROM. */
const CLAUSES = new Set('SELECT FROM WHERE GROUP ORDER HAVING LIMIT UNION'.split(' '))

type Word = { readonly text: string; readonly name: string | null }

function wordsOf(sql: string): Word[] {
  return tokens(sql).flatMap((token): Word[] => {
    if (token.kind === 'identifier') return [{ text: token.text, name: folded(token.text) }]
    if (token.kind !== 'code') return []
    return (token.text.match(WORDS) ?? []).map((text) => ({ text, name: IS_NAME.test(text) ? folded(text) : null }))
  })
}

/** The names (without schema) that stand where a table does: after FROM, JOIN, or a comma of FROM. */
export function referencedTables(sql: string): string[] {
  return [...new Set(tableMentions(wordsOf(sql)).map(({ name }) => name))]
}

interface TableMention {
  readonly schema: string | null
  readonly name: string
  readonly alias: string
  /** Its words, from `from` to before `to`: they name no column. */
  readonly from: number
  readonly to: number
}

function tableMentions(words: readonly Word[]): TableMention[] {
  const found: TableMention[] = []
  const clauses: string[] = ['']
  for (const [i, { text }] of words.entries()) {
    const upper = text.toUpperCase()
    if (text === '(') clauses.push('')
    else if (text === ')') clauses.pop()
    else if (CLAUSES.has(upper)) clauses[clauses.length - 1] = upper
    const table = upper === 'FROM' || upper === 'JOIN' || (text === ',' && clauses.at(-1) === 'FROM')
    const mention = table ? tableAt(words, i + 1) : null
    if (mention !== null) found.push(mention)
  }
  return found
}

function tableAt(words: readonly Word[], at: number): TableMention | null {
  if (words[at]?.text.toUpperCase() === 'ONLY' || words[at]?.text === '(') return tableAt(words, at + 1)
  const first = words[at]?.name ?? null
  const dotted = words[at + 1]?.text === '.'
  const name = dotted ? (words[at + 2]?.name ?? null) : first
  const next = at + (dotted ? 3 : 1)
  if (name === null || first === null || words[at]?.text.toUpperCase() === 'SELECT' || words[next]?.text === '(')
    return null
  const aliasAt = words[next]?.text.toUpperCase() === 'AS' ? next + 1 : next
  const alias = words[aliasAt]
  const named = alias?.name != null && !KEYWORDS.has(alias.text.toUpperCase())
  const to = named ? aliasAt + 1 : next
  return { schema: dotted ? first : null, name, alias: named ? (alias.name ?? name) : name, from: at, to }
}

function mentionsOf(words: readonly Word[], tables: readonly TableMention[]): Mention[] {
  const isTable = (i: number): boolean => tables.some(({ from, to }) => i >= from && i < to)
  return words.flatMap(({ text, name }, i): Mention[] => {
    // Of t.id the t is no column, nor is the name of a WITH.
    const next = words[i + 1]?.text.toUpperCase()
    if (isTable(i) || next === '.' || (next === 'AS' && words[i + 2]?.text === '(')) return []
    const dotted = words[i - 1]?.text === '.'
    const after = words[i - 1]?.text.toUpperCase() ?? ''
    // count(*) reads no column.
    if (text === '*' ? !(dotted || ['SELECT', 'DISTINCT', 'ALL', ','].includes(after)) : name === null) return []
    return [{ qualifier: dotted ? (words[i - 2]?.name ?? null) : null, name: name ?? '*', after }]
  })
}

/**
 * By table, the columns that a SELECT seems to read, in the catalogue's order. A table of which it reads none (it is
 * counted, or asked whether there is a row) needs a grant on one: its first.
 */
export function referencedColumns(sql: string, catalog: readonly CatalogTable[]): Map<CatalogTable, string[]> {
  const words = wordsOf(sql)
  const mentioned = tableMentions(words)
  const tables = mentioned.flatMap((mention) => {
    const table = catalog.find(
      (one) => one.name === mention.name && (mention.schema === null ? one.visible : one.schema === mention.schema),
    )
    return table === undefined ? [] : [{ ...mention, table }]
  })
  // FROM stands before a column, too (extract, IS DISTINCT FROM): what has no alias and is no table may be one.
  const notColumns = [...tables, ...mentioned.filter(({ name, alias }) => alias !== name)]
  const names = mentionsOf(words, notColumns)
  const found = new Map<CatalogTable, string[]>()
  for (const { alias, table } of tables) {
    const mine = names.filter(
      ({ qualifier, after }) =>
        (qualifier === null && after !== 'AS') || qualifier === alias || qualifier === table.name,
    )
    const columns = table.columns
      .map((column) => column.name)
      .filter((name) => mine.some((mention) => isAll(mention, alias) || mention.name === name))
    if (columns.length === 0) columns.push(...table.columns.slice(0, 1).map(({ name }) => name))
    const before = found.get(table) ?? []
    found.set(
      table,
      table.columns.map(({ name }) => name).filter((name) => before.includes(name) || columns.includes(name)),
    )
  }
  return found
}

/** `*`, and the alias itself: a whole row. */
function isAll({ qualifier, name }: Mention, alias: string): boolean {
  return name === '*' || (qualifier === null && name === alias)
}

/** `requires` lines for a mapping that has none. */
export function proposeRequires(selects: readonly string[], catalog: readonly CatalogTable[]): MappingRequires[] {
  const columns = new Map<string, Set<string>>()
  for (const sql of selects)
    for (const [table, names] of referencedColumns(sql, catalog)) {
      const before = columns.get(grantName(table)) ?? new Set()
      columns.set(grantName(table), new Set([...before, ...names.map(written)]))
    }
  return [...columns]
    .filter(([, names]) => names.size > 0)
    .map(([table, names]) => ({ table, columns: [...names], since: '', optional: false }))
}
