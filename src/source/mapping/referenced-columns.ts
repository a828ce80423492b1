// Owns which tables and columns a SELECT reads: parsed by PostgreSQL's own parser, its names resolved in the catalogue.
// Loads the parser (WebAssembly) when first called; a build calls it only when it fails.
import type { ColumnRef, FuncCall, JoinExpr, Node, RangeVar, SelectStmt } from 'libpg-query'
import { findTable, grantName, type CatalogTable } from '../database/catalog.ts'
import { foldedName, sqlName } from '../sql/names.ts'
import { substitute, withSingleBlanks } from '../sql/tokens.ts'
import type { ParamValue } from './parameters.ts'
import type { MappingRequires } from './requires-line.ts'

/** A parsed SELECT; null where it has a syntax error or nests too deeply, which the server will report. */
export type ParsedSelect = SelectStmt | null

/** @param selects each may have parameters, `:name` */
export async function parseSelects(
  selects: readonly string[],
  values: readonly ParamValue[] = [],
): Promise<ParsedSelect[]> {
  const { loadModule, parseSync } = await import('libpg-query')
  await loadModule()
  /** An identifier stands for its name, or for one that no table has. */
  const standIn = (name: string): string => {
    const value = values.find(({ param }) => param.name === name && param.type === 'identifier')
    return value === undefined ? 'NULL' : (value.sql ?? `":${name}"`)
  }
  return selects.map((sql): ParsedSelect => {
    try {
      // Comments are taken out, because the parser's time grows with the square of their number.
      const statement: Node | undefined = parseSync(substitute(withSingleBlanks(sql), standIn)).stmts?.[0]?.stmt
      const select = statement !== undefined && 'SelectStmt' in statement ? statement.SelectStmt : null
      // Thousands of JOINs nest too deeply for our own reader as well: it is tried here, where a failure gives null.
      void new SelectReader([select])
      return select
    } catch {
      return null
    }
  })
}

/**
 * Proposes `requires` lines for what SELECTs read and no line of the mapping names: all of it, where a mapping has
 * none. A table of which they read no column, because its rows are only counted, needs a grant on one: its first.
 */
export function proposeRequires(
  selects: readonly ParsedSelect[],
  catalog: readonly CatalogTable[],
  requires: readonly MappingRequires[] = [],
): MappingRequires[] {
  return [...new SelectReader(selects, catalog).columns].flatMap(([table, read]): MappingRequires[] => {
    const lines = requires.filter((line) => findTable(line.table, catalog) === table)
    const named = new Set(lines.flatMap(({ columns }) => columns.map(foldedName)))
    const all = table.columns.map(({ name }) => name)
    const needed = read.size > 0 || lines.length > 0 ? all.filter((name) => read.has(name)) : all.slice(0, 1)
    const columns = needed.filter((name) => !named.has(name)).map(sqlName)
    return columns.length === 0 ? [] : [{ table: grantName(table), columns, since: '', optional: false }]
  })
}

/** One item of FROM. */
interface Source {
  /** What the SELECT may call it: its alias or name, and the alias of a join that it is in. */
  readonly names: readonly string[]
  /** null = a sub-select, a WITH query or a function: its own tables are read within it. */
  readonly table: CatalogTable | null
  /** The table's columns, by the names that they have here. */
  readonly columns: ReadonlyMap<string, string>
}

/** What is visible at a place in a SELECT. */
interface Scope {
  /** The items of FROM of the SELECT itself first, then those of the SELECTs around it. */
  readonly sources: readonly (readonly Source[])[]
  readonly withNames: ReadonlySet<string>
}

/** What SELECTs read. */
export class SelectReader {
  /** The names of the tables, without schema. */
  readonly tables = new Set<string>()
  /** The functions that they call, by name without schema, and TABLESAMPLE where it has no REPEATABLE. */
  readonly functions = new Set<string>()
  /** By table of the catalogue, the columns that any of the SELECTs reads; none = its rows are counted only. */
  readonly columns = new Map<CatalogTable, Set<string>>()
  readonly #catalog: readonly CatalogTable[]

  constructor(selects: readonly ParsedSelect[], catalog: readonly CatalogTable[] = []) {
    this.#catalog = catalog
    for (const select of selects) if (select !== null) this.#select(select, { sources: [], withNames: new Set() })
  }

  #select({ withClause, larg, rarg, sortClause = [], ...parts }: SelectStmt, outer: Scope): void {
    const { sources, withNames } = this.#with(withClause, outer)
    if (larg !== undefined) this.#select(larg, { sources, withNames })
    if (rarg !== undefined) this.#select(rarg, { sources, withNames })
    const inner = { sources: [this.#from(parts.fromClause ?? [], withNames), ...sources], withNames }
    this.#visit(parts, inner)
    // In ORDER BY a bare name means an output column first.
    const outputs = (parts.targetList ?? []).flatMap((target) =>
      'ResTarget' in target ? (target.ResTarget.name ?? []) : [],
    )
    for (const sort of sortClause) if (!outputs.includes(bareName(sort))) this.#visit(sort, inner)
  }

  #with(clause: SelectStmt['withClause'], { sources, withNames }: Scope): Scope {
    const queries = (clause?.ctes ?? []).flatMap((node) => ('CommonTableExpr' in node ? [node.CommonTableExpr] : []))
    const visible = new Set(withNames)
    if (clause?.recursive === true) for (const { ctename = '' } of queries) visible.add(ctename)
    for (const { ctename = '', ctequery } of queries) {
      this.#visit(ctequery, { sources, withNames: new Set(visible) })
      visible.add(ctename)
    }
    return { sources, withNames: visible }
  }

  #from(items: readonly Node[], withNames: ReadonlySet<string>): Source[] {
    return items.flatMap((item): Source[] => {
      if ('RangeVar' in item) return [this.#table(item.RangeVar, withNames)]
      if ('JoinExpr' in item) return this.#join(item.JoinExpr, withNames)
      const [{ alias } = {}] = Object.values(item) as { alias?: { aliasname?: string } }[]
      return [{ names: [alias?.aliasname ?? ''], table: null, columns: new Map() }]
    })
  }

  #table({ schemaname: schema, relname = '', alias }: RangeVar, withNames: ReadonlySet<string>): Source {
    const names = [alias?.aliasname ?? relname]
    const isWith = schema === undefined && withNames.has(relname)
    if (!isWith) this.tables.add(relname)
    const table = this.#catalog.find(
      (one) => !isWith && one.name === relname && (schema === undefined ? one.visible : one.schema === schema),
    )
    if (table === undefined) return { names, table: null, columns: new Map() }
    if (!this.columns.has(table)) this.columns.set(table, new Set())
    const renamed = (alias?.colnames ?? []).map(textOf)
    return { names, table, columns: new Map(table.columns.map(({ name }, i) => [renamed[i] ?? name, name])) }
  }

  #join({ larg, rarg, alias, isNatural }: JoinExpr, withNames: ReadonlySet<string>): Source[] {
    const left = this.#from(larg === undefined ? [] : [larg], withNames)
    const right = this.#from(rarg === undefined ? [] : [rarg], withNames)
    const both = [...left, ...right]
    if (isNatural === true)
      for (const name of left.flatMap(({ columns }) => [...columns.keys()]))
        if (right.some(({ columns }) => columns.has(name))) this.#read(both, name)
    const more = alias?.aliasname
    return more === undefined ? both : both.map((one) => ({ ...one, names: [...one.names, more] }))
  }

  #visit(node: unknown, scope: Scope): void {
    if (typeof node !== 'object' || node === null) return
    for (const [key, value] of Object.entries(node)) {
      if (key === 'FuncCall') this.functions.add(((value as FuncCall).funcname ?? []).map(textOf).at(-1) ?? '')
      if (key === 'RangeTableSample' && !('repeatable' in value)) this.functions.add('TABLESAMPLE')
      if (key === 'SelectStmt') this.#select(value as SelectStmt, scope)
      else if (key === 'ColumnRef') this.#column(((value as ColumnRef).fields ?? []).map(textOf), scope.sources)
      else if (key === 'usingClause') for (const name of value as Node[]) this.#column([textOf(name)], scope.sources)
      else this.#visit(value, scope)
    }
  }

  /** Resolves a name as the server does: in the nearest FROM that knows it. */
  #column(fields: readonly string[], scopes: Scope['sources']): void {
    const [name = '', qualifier, schema] = fields.toReversed()
    for (const all of scopes) {
      const sources = all.filter(
        ({ names, table }) =>
          qualifier === undefined || (names.includes(qualifier) && (schema === undefined || table?.schema === schema)),
      )
      if (this.#read(sources, name) || (qualifier !== undefined && sources.length > 0)) return
      // The name is not that of a column, so it is that of a source, and means its whole row.
      const called = all.filter(({ names }) => qualifier === undefined && names.includes(name))
      if (this.#read(called, '*')) return
    }
  }

  /** Notes a column (`*` = all) of each source that has it; returns whether any has it. */
  #read(sources: readonly Source[], name: string): boolean {
    const having = sources.filter(({ columns }) => name === '*' || columns.has(name))
    for (const { table, columns } of having)
      for (const column of name === '*' ? columns.values() : [columns.get(name) ?? name])
        if (table !== null) this.columns.get(table)?.add(column)
    return having.length > 0
  }
}

/** A name, or `*`. */
function textOf(field: Node): string {
  return 'String' in field ? (field.String.sval ?? '') : '*'
}

/** Empty where it is no bare name: no output is called so, but one may be called `*`. */
function bareName(sort: Node): string {
  const node = 'SortBy' in sort ? sort.SortBy.node : undefined
  const fields = node !== undefined && 'ColumnRef' in node ? (node.ColumnRef.fields ?? []) : []
  return fields.length === 1 ? fields.map(textOf).join('') : ''
}
