// Owns the mapping file's format: name, params, choices, requires, sections. Text in, value or error out; opens no file.
import { RELATIONS, type Relation } from './relations.ts'
import { SourceError } from '../database/source-error.ts'
import { tokens } from '../sql/tokens.ts'

export const PARAM_TYPES = ['int', 'bigint', 'text', 'boolean', 'text[]'] as const
export type ParamType = (typeof PARAM_TYPES)[number]

export interface MappingParam {
  readonly name: string
  readonly type: ParamType
  /** null = required. */
  readonly default: string | null
  readonly description: string
}

/** Columns that the sections read. Names stand as in SQL: `"createdAt"`, `polis.votes`. */
export interface MappingRequires {
  readonly table: string
  readonly columns: readonly string[]
  /** What brought the columns, such as `Fider 0.22`; empty = they were always there. */
  readonly since: string
  /** `where present`: read where the platform's version has them, not missed where it has not. */
  readonly optional: boolean
}

export interface MappingFile {
  readonly name: string
  readonly params: readonly MappingParam[]
  /** By parameter: a SELECT of `value` and `label`, what the parameter may be in this database. Read by `check` only. */
  readonly choices: ReadonlyMap<string, string>
  readonly requires: readonly MappingRequires[]
  /** `categories` may be absent; every other relation is there. */
  readonly sections: ReadonlyMap<Relation, string>
  /** Says whether the site is closed to visitors; null = there is no such section, and the site is open. */
  readonly closed: string | null
}

/** The section that is no relation. */
const CLOSED = 'closed'
const SECTIONS = [...RELATIONS, CLOSED] as const

const DIRECTIVE = /^-- ?(mapping:|param\b|choices\b|requires\b|section\b)\s*(.*)$/

/**
 * Reads a mapping file.
 * @throws SourceError (configuration) naming file, line and what was expected
 */
export function parseMappingFile(fileName: string, text: string): MappingFile {
  const fail = (line: number, why: string): never => {
    throw new SourceError('configuration', `${fileName}:${line}: ${why}`)
  }
  let name: string | null = null
  const params: MappingParam[] = []
  const requires: MappingRequires[] = []
  const sections = new Map<(typeof SECTIONS)[number], Block>()
  const choices = new Map<string, Block>()
  let current: Block | null = null
  for (const [i, line] of text
    .replace(/^\uFEFF/, '')
    .split(/\r?\n/)
    .entries()) {
    const directive = DIRECTIVE.exec(line)
    const rest = (directive?.[2] ?? '').trim()
    switch (directive?.[1]) {
      case 'mapping:':
        if (name !== null) fail(i + 1, 'a second "-- mapping:" line; a file holds one mapping')
        name = /^[\w-]{1,64}$/.test(rest) ? rest : fail(i + 1, `the name "${rest}" must be 1 to 64 of A-Z a-z 0-9 _ -`)
        break
      case 'param': {
        const param = parseParam(rest)
        if (typeof param === 'string') return fail(i + 1, param)
        if (params.some((other) => other.name === param.name)) fail(i + 1, `param ${param.name} is declared twice`)
        params.push(param)
        break
      }
      case 'requires':
        requires.push(parseRequires(rest) ?? fail(i + 1, REQUIRES_EXPECTED))
        break
      case 'choices':
        if (choices.has(rest)) fail(i + 1, `choices ${rest} stands twice`)
        current = { what: `choices ${rest}`, line: i + 1, lines: [] }
        choices.set(rest, current)
        break
      case 'section': {
        const section = SECTIONS.find((known) => known === rest)
        if (section === undefined) return fail(i + 1, `no section "${rest}"; allowed: ${SECTIONS.join(', ')}`)
        if (sections.has(section)) fail(i + 1, `section ${section} stands twice`)
        current = { what: `section ${section}`, line: i + 1, lines: [] }
        sections.set(section, current)
        break
      }
      default:
        if (current !== null) current.lines.push(line)
        else if (line.trim() !== '' && !line.startsWith('--'))
          fail(i + 1, 'SQL before the first section; expected: -- section users (or another relation)')
    }
  }
  if (name === null) return fail(1, 'no name; the file must have a line: -- mapping: NAME')
  for (const relation of RELATIONS)
    if (relation !== 'categories' && !sections.has(relation))
      fail(1, `section ${relation} is missing; expected a line: -- section ${relation}`)
  for (const [param, { line }] of choices)
    if (!params.some((known) => known.name === param))
      fail(line, `choices ${param}: no such param; declared: ${params.map((known) => known.name).join(', ') || 'none'}`)
  const selects = <K>(blocks: ReadonlyMap<K, Block>): ReadonlyMap<K, string> =>
    new Map([...blocks].map(([key, block]) => [key, selectOf(block) ?? fail(block.line, `${block.what} ${EMPTY}`)]))
  const all = selects(sections)
  const relations = RELATIONS.flatMap((relation) => {
    const sql = all.get(relation)
    return sql === undefined ? [] : [[relation, sql] as const]
  })
  return {
    name,
    params,
    choices: selects(choices),
    requires,
    sections: new Map(relations),
    closed: all.get(CLOSED) ?? null,
  }
}

/** Every SELECT of a file: what it reads is what they read. */
export function selectsOf({ sections, choices, closed }: MappingFile): string[] {
  return [...sections.values(), ...choices.values(), ...(closed === null ? [] : [closed])]
}

/** The lines below a directive, down to the next one. */
interface Block {
  readonly what: string
  readonly line: number
  readonly lines: string[]
}

const EMPTY = 'is empty; expected one SELECT'

function selectOf(block: Block): string | null {
  const sql = withoutLastSemicolon(block.lines.join('\n')).trim()
  return tokens(sql).every((token) => token.kind === 'comment' || token.text.trim() === '') ? null : sql
}

function parseParam(text: string): MappingParam | string {
  const [declaration = '', ...words] = text.split(/\s--\s/)
  const found = /^([A-Za-z_]\w*)\s*:\s*([a-z]+(?:\[\])?)\s*(?:=\s*(.*))?$/.exec(declaration.trim())
  if (found === null)
    return `expected: -- param NAME : TYPE [= DEFAULT] [-- description], TYPE one of ${PARAM_TYPES.join(', ')}`
  const type = PARAM_TYPES.find((known) => known === found[2])
  if (type === undefined) return `param ${found[1]}: no type "${found[2]}"; allowed: ${PARAM_TYPES.join(', ')}`
  return { name: found[1] ?? '', type, default: found[3]?.trim() ?? null, description: words.join(' -- ').trim() }
}

const REQUIRES_EXPECTED = 'expected: -- requires TABLE(column, column, …) [where present] [-- since when]'
const NAME = String.raw`(?:[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|"(?:[^"]|"")+")`
const REQUIRES = new RegExp(
  String.raw`^(${NAME}(?:\.${NAME})?)\s*\((\s*${NAME}\s*(?:,\s*${NAME}\s*)*)\)(\s+where present)?(?:\s*--\s*(.*))?$`,
)

function parseRequires(text: string): MappingRequires | null {
  const found = REQUIRES.exec(text)
  if (found === null) return null
  const columns = (found[2] ?? '').match(new RegExp(NAME, 'g')) ?? []
  return { table: found[1] ?? '', columns, since: (found[4] ?? '').trim(), optional: found[3] !== undefined }
}

/** One trailing `;` is allowed (sections paste into psql and back); comments may follow it. */
function withoutLastSemicolon(sql: string): string {
  const parts = tokens(sql).map((token) => ({ ...token }))
  const last = parts.findLast((token) => token.kind !== 'comment' && token.text.trim() !== '')
  if (last?.kind === 'code') last.text = last.text.replace(/;\s*$/, '\n')
  return parts.map((token) => token.text).join('')
}
