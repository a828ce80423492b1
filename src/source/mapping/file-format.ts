// Owns the mapping file's format: name, params, choices, requires, sections. Text in, value or error out; opens no file.
import { some } from '../../process/printable.ts'
import { needsOf } from './alternatives.ts'
import type { Alternative, MappingFile } from './mapping-file.ts'
import { RELATIONS, type Relation } from './relations.ts'
import { parseParam, type MappingParam } from './param-line.ts'
import { parseRequires, REQUIRES_EXPECTED, type MappingRequires } from './requires-line.ts'
import { SourceError } from '../database/source-error.ts'
import { tableName, written } from '../sql/names.ts'
import { statementIn } from '../sql/tokens.ts'
import { namedIn, partsOf, SHARED_EXPECTED, withShared } from './shared-sql.ts'

/** The sections that are no relation. */
const CLOSED = 'closed'
const PAGE = 'page'
/** Not a SELECT: put in front of those that name one of its parts. */
export const WITH = 'with'
const SECTIONS = [...RELATIONS, CLOSED, PAGE, WITH] as const

const DIRECTIVE = /^-- ?(mapping:|param\b|choices\b|requires\b|section\b)\s*(.*)$/

/**
 * Reads a mapping file.
 * @throws SourceError (configuration) naming file, line and what was expected
 */
export function parseMappingFile(fileName: string, text: string): MappingFile {
  const parser = new MappingParser(fileName)
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const [i, line] of lines.entries()) parser.add(i + 1, line)
  return parser.file()
}

/** The lines below a directive, down to the next one. */
interface Block {
  readonly what: string
  readonly line: number
  readonly lines: string[]
}

class MappingParser {
  readonly #fileName: string
  #name: string | null = null
  readonly #params: MappingParam[] = []
  readonly #requires: (MappingRequires & { readonly line: number })[] = []
  readonly #sections = new Map<(typeof SECTIONS)[number], Block>()
  readonly #alternatives = new Map<Relation | typeof CLOSED, Block>()
  readonly #pageAlternatives = new Map<typeof PAGE, Block>()
  readonly #choices = new Map<string, Block>()
  readonly #choiceAlternatives = new Map<string, Block>()
  readonly #lines = new Map<string, number>()
  #current: Block | null = null

  constructor(fileName: string) {
    this.#fileName = fileName
  }

  add(number: number, line: string): void {
    const directive = DIRECTIVE.exec(line)
    const rest = (directive?.[2] ?? '').trim()
    switch (directive?.[1]) {
      case 'mapping:':
        return this.#addName(number, rest)
      case 'param':
        return this.#addParam(number, parseParam(rest))
      case 'requires':
        this.#requires.push(this.#columns(number, rest))
        return
      case 'choices':
        return this.#beginChoices(number, rest)
      case 'section':
        return this.#beginSection(number, rest)
      default:
        if (this.#current !== null) this.#current.lines.push(line)
        else if (line.trim() !== '' && !line.startsWith('--'))
          this.#fail(number, 'SQL before the first section; expected: -- section users (or another relation)')
    }
  }

  file(): MappingFile {
    const name = this.#name ?? this.#fail(1, 'no name; the file must have a line: -- mapping: NAME')
    for (const relation of RELATIONS)
      if (relation !== 'categories' && !this.#sections.has(relation))
        this.#fail(1, `section ${relation} is missing; expected a line: -- section ${relation}`)
    const declared = this.#params.map((param) => param.name)
    for (const [param, { line }] of [...this.#choices, ...this.#choiceAlternatives])
      if (!declared.includes(param))
        this.#fail(line, `choices ${param}: no such param; declared: ${declared.join(', ') || 'none'}`)
    this.#checkIdentifiers()
    const { parts, share } = this.#shared()
    const {
      closed = null,
      page = null,
      with: _,
      ...relations
    } = Object.fromEntries(share(this.#selects(this.#sections)))
    return {
      name,
      params: this.#params,
      choices: share(this.#selects(this.#choices)),
      requires: this.#requires,
      sections: new Map(
        RELATIONS.flatMap((relation) => (relation in relations ? [[relation, relations[relation] ?? '']] : [])),
      ),
      alternatives: this.#withNeeds(this.#alternatives, this.#sections, share),
      choiceAlternatives: this.#withNeeds(this.#choiceAlternatives, this.#choices, share),
      parts,
      closed,
      page,
      pageAlternatives: this.#withNeeds(this.#pageAlternatives, this.#sections, share),
      lines: this.#lines,
    }
  }

  #fail(line: number, why: string): never {
    throw new SourceError('configuration', `${this.#fileName}:${line}: ${why}`)
  }

  #columns(line: number, text: string): MappingRequires & { readonly line: number } {
    const columns = parseRequires(text)
    if (columns === null) this.#fail(line, REQUIRES_EXPECTED)
    return { line, ...columns }
  }

  #addName(line: number, name: string): void {
    if (this.#name !== null) this.#fail(line, 'a second "-- mapping:" line; a file holds one mapping')
    if (!/^[\w-]{1,64}$/.test(name)) this.#fail(line, `the name "${name}" must be 1 to 64 of A-Z a-z 0-9 _ -`)
    this.#name = name
  }

  #addParam(line: number, param: MappingParam | string): void {
    if (typeof param === 'string') return this.#fail(line, param)
    if (this.#params.some(({ name }) => name === param.name)) this.#fail(line, `param ${param.name} is declared twice`)
    this.#params.push(param)
  }

  #beginSection(line: number, text: string): void {
    const [, name = text, wherePresent] = /^(\w+)(\s+where present)?$/.exec(text) ?? []
    const section = SECTIONS.find((one) => one === name)
    if (section === undefined) this.#fail(line, `no section "${text}"; allowed: ${SECTIONS.join(', ')}`)
    const block = { what: `section ${text}`, line, lines: [] }
    if (wherePresent === undefined) this.#begin(this.#sections, section, block)
    else if (section === WITH)
      this.#fail(line, 'section with cannot be "where present"; a section that names its parts can')
    else if (section === PAGE) this.#begin(this.#pageAlternatives, section, block)
    else this.#begin(this.#alternatives, section, block)
  }

  #beginChoices(line: number, text: string): void {
    const [, name = text, wherePresent] = /^(\w+)(\s+where present)?$/.exec(text) ?? []
    const blocks = wherePresent === undefined ? this.#choices : this.#choiceAlternatives
    this.#begin(blocks, name, { what: `choices ${text}`, line, lines: [] })
  }

  /** The texts of sections or choices `where present`, and what each itself, without shared SQL, needs. */
  #withNeeds<K extends string>(
    blocks: ReadonlyMap<K, Block>,
    others: ReadonlyMap<string, Block>,
    share: <T>(selects: Map<T, string>) => Map<T, string>,
  ): Map<K, Alternative> {
    const own = this.#selects(blocks)
    const replaced = this.#selects(others)
    const needsIn = (text: string): MappingRequires[] =>
      needsOf(text, this.#requires).map(({ line: _line, ...requires }) => requires)
    return new Map(
      [...share(own)].map(([key, sql]) => {
        const { line, what } = blocks.get(key) ?? { line: 1, what: '' }
        const needs = needsIn(own.get(key) ?? '')
        if (needs.length === 0)
          this.#fail(line, `${what} names no table, with a column, of a requires line "where present"`)
        if (key !== 'categories' && key !== PAGE && !others.has(key))
          this.#fail(
            line,
            `${what.replace(/ where.*/, '')} is missing; expected one without "where present" for the other versions, too`,
          )
        return [key, { sql, needs, otherNeeds: needsIn(replaced.get(key) ?? '') }]
      }),
    )
  }

  #begin<K>(blocks: Map<K, Block>, key: K, block: Block): void {
    if (blocks.has(key)) this.#fail(block.line, `${block.what} is there twice`)
    blocks.set(key, block)
    this.#current = block
  }

  /** A name in a `requires` line may be a parameter, of the type that is a name. */
  #checkIdentifiers(): void {
    const identifiers = this.#params.filter(({ type }) => type === 'identifier').map(({ name }) => name)
    for (const { line, table, columns } of this.#requires)
      for (const [, name = ''] of [table, ...columns].join(',').matchAll(/(?:^|[.,]):(\w+)/g))
        if (!identifiers.includes(name)) {
          const declared = identifiers.length === 0 ? 'none is declared' : `declared: ${identifiers.join(', ')}`
          this.#fail(line, `requires uses :${name}, but of the params of type identifier ${declared}`)
        }
  }

  /** Puts section `with` in front of each SELECT that names one of its parts. */
  #shared(): { parts: readonly string[]; share: <K>(selects: Map<K, string>) => Map<K, string> } {
    const block = this.#sections.get(WITH)
    if (block === undefined) return { parts: [], share: (selects) => selects }
    const sql = this.#selects(new Map([[WITH, block]])).get(WITH) ?? ''
    const parts = partsOf(sql) ?? this.#fail(block.line, `section with: ${SHARED_EXPECTED}`)
    const names = parts.map(({ name }) => name)
    this.#checkParts(block.line, names)
    const others = [...this.#sections].filter(([section]) => section !== WITH).map(([, other]) => other)
    const choices = [...this.#choices.values(), ...this.#choiceAlternatives.values()]
    const selects = [...others, ...this.#alternatives.values(), ...this.#pageAlternatives.values(), ...choices]
    if (selects.every(({ lines }) => namedIn(lines.join('\n'), names).length === 0))
      this.#fail(block.line, `section with: no section names ${some(names, 8, ' or ')}; use it, or take it out`)
    return {
      parts: names,
      share: (texts) =>
        new Map(
          [...texts].map(([key, select]) => [
            key,
            this.#place(withShared(parts, select), this.#lines.get(select) ?? 0),
          ]),
        ),
    }
  }

  #checkParts(line: number, parts: readonly string[]): void {
    const seen = new Set<string>()
    for (const part of parts) {
      if (seen.size === seen.add(part).size) this.#fail(line, `section with: ${written(part)} is there twice`)
      // In a section the name would mean the part, and in the part itself the table.
      if (this.#requires.some(({ table }) => tableName(table).schema === null && tableName(table).name === part))
        this.#fail(line, `section with: ${written(part)} is a table of a requires line; give the part another name`)
    }
  }

  #place(text: string, line: number): string {
    if (!this.#lines.has(text)) this.#lines.set(text, line)
    return text
  }

  #selects<K>(blocks: ReadonlyMap<K, Block>): Map<K, string> {
    return new Map(
      [...blocks].map(([key, block]) => {
        const select =
          statementIn(block.lines.join('\n')) ?? this.#fail(block.line, `${block.what} is empty; expected one SELECT`)
        const first = block.line + 1 + block.lines.findIndex((line) => line.trim() !== '')
        this.#place(key === WITH ? WITH : select, first)
        return [key, select]
      }),
    )
  }
}
