// Owns the mapping file's format: name, params, choices, requires, sections. Text in, value or error out; opens no file.
import { usageError } from '../../process/cli-error.ts'
import { needsOf, type MappingFile, type MappingSelect } from './mapping-file.ts'
import { RELATIONS } from './relations.ts'
import { parseParam, type MappingParam } from './parameters.ts'
import { parseRequires, type MappingRequires } from './requires-line.ts'
import { statementIn } from '../sql/tokens.ts'
import { partsOf, withShared } from './shared-sql.ts'

/** The section that is no SELECT: it is put in front of those SELECTs that name one of its parts. */
const WITH = 'with'
const SECTIONS = [...RELATIONS, 'closed', 'page', WITH] as const

const DIRECTIVE = /^-- ?(mapping:|param\b|choices\b|requires\b|section\b)\s*(.*)$/

/**
 * Reads a mapping file.
 * @throws CliError naming file, line and what was expected
 */
export function parseMappingFile(fileName: string, text: string): MappingFile {
  const parser = new MappingParser(fileName)
  const lines = text.replace(/^\uFEFF/, '').split(/\r?\n/)
  for (const [i, line] of lines.entries()) parser.add(i + 1, line)
  return parser.file()
}

/** The lines below a directive, down to the next one. */
interface Block {
  readonly kind: 'section' | 'choices'
  /** The name of a section, or of the parameter whose choices it lists. */
  readonly name: string
  /** What messages call it, and no other block of the file is called. */
  readonly about: string
  readonly wherePresent: boolean
  readonly line: number
  readonly lines: string[]
}

class MappingParser {
  readonly #fileName: string
  #name: string | null = null
  readonly #params: MappingParam[] = []
  /** Each with the number of its line. */
  readonly #requires = new Map<MappingRequires, number>()
  readonly #blocks = new Map<string, Block>()
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
        return this.#addParam(number, this.#valid(number, parseParam(rest)))
      case 'requires':
        return void this.#requires.set(this.#valid(number, parseRequires(rest)), number)
      case 'choices':
      case 'section':
        return this.#begin(directive[1], number, rest)
      default:
        if (this.#current !== null) this.#current.lines.push(line)
        else if (line.trim() !== '' && !line.startsWith('--'))
          this.#fail(number, 'SQL before the first section; expected: -- section users (or another relation)')
    }
  }

  file(): MappingFile {
    const name = this.#name ?? this.#fail(1, 'no name; the file must have a line: -- mapping: NAME')
    for (const relation of RELATIONS)
      if (relation !== 'categories' && !this.#blocks.has(`section ${relation}`))
        this.#fail(1, `section ${relation} is missing; expected a line: -- section ${relation}`)
    const declared = this.#params.map((param) => param.name)
    for (const { kind, name: param, line } of this.#blocks.values())
      if (kind === 'choices' && !declared.includes(param))
        this.#fail(line, `choices ${param}: no such param; declared: ${declared.join(', ') || 'none'}`)
    this.#checkIdentifiers()
    const statements = new Map([...this.#blocks].map(([about, block]) => [about, this.#statementOf(block)]))
    const shared = this.#blocks.get(`section ${WITH}`)
    const parts = shared === undefined ? [] : this.#valid(shared.line, partsOf(this.#statementOf(shared)))
    const order = [
      ...RELATIONS.map((relation) => `section ${relation}`),
      ...declared.map((param) => `choices ${param}`),
      'section closed',
      ...[...this.#blocks].flatMap(([about, { wherePresent }]) => (wherePresent ? [about] : [])),
    ]
    const page = statements.get('section page')
    return {
      name,
      params: this.#params,
      requires: [...this.#requires.keys()],
      selects: order.flatMap((about): MappingSelect[] => {
        const [block, sql] = [this.#blocks.get(about), statements.get(about)]
        if (block === undefined || sql === undefined) return []
        const needs = block.wherePresent ? this.#needsOf(block, sql) : []
        return [{ kind: block.kind, name: block.name, about, sql: withShared(parts, sql), needs }]
      }),
      parts: parts.map((part) => part.name),
      page: page === undefined ? null : withShared(parts, page),
    }
  }

  #fail(line: number, why: string): never {
    throw usageError(`${this.#fileName}:${line}: ${why}`)
  }

  #addName(line: number, name: string): void {
    if (this.#name !== null) this.#fail(line, 'a second "-- mapping:" line; a file holds one mapping')
    if (!/^[\w-]{1,64}$/.test(name)) this.#fail(line, `the name "${name}" must be 1 to 64 of A-Z a-z 0-9 _ -`)
    this.#name = name
  }

  /** @param read what a text was read as, or what is wrong with it */
  #valid<T extends object>(line: number, read: T | string): T {
    return typeof read === 'string' ? this.#fail(line, read) : read
  }

  #addParam(line: number, param: MappingParam): void {
    if (this.#params.some(({ name }) => name === param.name)) this.#fail(line, `param ${param.name} is declared twice`)
    this.#params.push(param)
  }

  #begin(kind: Block['kind'], line: number, text: string): void {
    const [, name = text, present] = /^(\w+)(\s+where present)?$/.exec(text) ?? []
    const about = `${kind} ${name}${present === undefined ? '' : ' where present'}`
    const block = { kind, name, about, wherePresent: present !== undefined, line, lines: [] }
    if (kind === 'section' && !SECTIONS.some((one) => one === name))
      this.#fail(line, `no section "${text}"; allowed: ${SECTIONS.join(', ')}`)
    if (kind === 'section' && block.wherePresent && !RELATIONS.some((one) => one === name))
      this.#fail(line, `section ${name} cannot be "where present"; allowed: ${RELATIONS.join(', ')}`)
    if (this.#blocks.has(about)) this.#fail(line, `${about} is there twice`)
    this.#blocks.set(about, block)
    this.#current = block
  }

  /** What a block `where present` needs itself, without the shared SQL in front of it. */
  #needsOf({ kind, name, about, line }: Block, sql: string): MappingRequires[] {
    const needs = needsOf(sql, [...this.#requires.keys()])
    if (needs.length === 0)
      this.#fail(line, `${about} names no table, with a column, of a requires line "where present"`)
    const other = `${kind} ${name}`
    if (name !== 'categories' && !this.#blocks.has(other))
      this.#fail(line, `${other} is missing; expected one without "where present" for the other versions, too`)
    return needs
  }

  /** Checks that each `:name` in a `requires` line is a parameter of type identifier. */
  #checkIdentifiers(): void {
    const identifiers = this.#params.filter(({ type }) => type === 'identifier').map(({ name }) => name)
    for (const [{ table, columns }, line] of this.#requires)
      for (const [, name = ''] of [table, ...columns].join(',').matchAll(/(?:^|[.,]):(\w+)/g))
        if (!identifiers.includes(name)) {
          const declared = identifiers.length === 0 ? 'none is declared' : `declared: ${identifiers.join(', ')}`
          this.#fail(line, `requires uses :${name}, but of the params of type identifier ${declared}`)
        }
  }

  #statementOf(block: Block): string {
    return statementIn(block.lines.join('\n')) ?? this.#fail(block.line, `${block.about} is empty; expected one SELECT`)
  }
}
