// Owns the lines `requires`, which name a table and columns of it: their syntax, the names that parameters of type identifier put into
// them, and the schemas that one may name. Pure.
import { columnOf, type CatalogTable } from '../database/catalog.ts'
import { tableName, sqlName } from '../sql/names.ts'
import type { ParamValue } from './parameters.ts'

/** Columns that the sections read. Names are written as in SQL: `"createdAt"`, `polis.votes`, `:tenant.ideas`. */
export interface MappingRequires {
  readonly table: string
  readonly columns: readonly string[]
  /** The version that added the columns; empty = always there. It is in `check --json` and in the hash of a mapping. */
  readonly since: string
  /** Whether it says `where present`: the columns are read where they are there, and not reported as missing where they are not. */
  readonly optional: boolean
}

const EXPECTED = 'expected: -- requires TABLE(column, column, …) [where present] [-- since when]'
const NAME = String.raw`(?:[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|"(?:[^"]|"")+"|:[A-Za-z_]\w*)`
/** Finds the parts of a table's name: its schema, if any, and the name itself. */
const NAME_PARTS = new RegExp(NAME, 'g')
const REQUIRES = new RegExp(
  String.raw`^(${NAME}(?:\.${NAME})?)\s*\((\s*${NAME}\s*(?:,\s*${NAME}\s*)*)\)(\s+where present)?(?:\s*--\s*(.*))?$`,
)

/** Reads a line `requires`; where a text is returned, it says what is wrong. */
export function parseRequires(text: string): MappingRequires | string {
  const found = REQUIRES.exec(text)
  if (found === null) return EXPECTED
  const [, table = '', columns = '', present, since = ''] = found
  return { table, columns: columns.match(NAME_PARTS) ?? [], since: since.trim(), optional: present !== undefined }
}

export function requiresLine({ table, columns }: Pick<MappingRequires, 'table' | 'columns'>): string {
  return `-- requires ${table}(${columns.join(', ')})`
}

/** The lines with names in place of `:name`. One with a parameter that has no value is left out. */
export function fillRequires(
  requires: readonly MappingRequires[],
  nameOf: (param: string) => string | null,
): MappingRequires[] {
  const filled = (text: string): string | null => {
    const parts = (text.match(NAME_PARTS) ?? []).map((part) => {
      if (!part.startsWith(':')) return part
      const name = nameOf(part.slice(1))
      return name === null ? null : sqlName(name)
    })
    return parts.includes(null) ? null : parts.join('.')
  }
  return requires.flatMap((line) => {
    const table = filled(line.table)
    const columns = line.columns.flatMap((column) => filled(column) ?? [])
    if (table === null || columns.length < line.columns.length) return []
    return [{ ...line, table, columns }]
  })
}

/** Looks up the name that a parameter of type identifier stands for, as given or by default. */
export function namesOf(values: readonly ParamValue[]): (param: string) => string | null {
  return (name) => values.find(({ param }) => param.name === name && param.type === 'identifier')?.text ?? null
}

/** The parameter before the dot: `tenant` of `:tenant.ideas`. */
function schemaParamOf({ table }: MappingRequires): string | null {
  return /^:(\w+)\./.exec(table)?.[1] ?? null
}

export function schemaParams(requires: readonly MappingRequires[]): string[] {
  return [...new Set(requires.flatMap((line) => schemaParamOf(line) ?? []))]
}

/** The schemas that a parameter may name, the likeliest first; those that lack one of the tables of its lines come last. */
export function nearSchemas(requires: readonly MappingRequires[], param: string, catalog: readonly CatalogTable[]) {
  const lines = requires.filter((line) => schemaParamOf(line) === param && !line.optional)
  const names = new Set(lines.map(({ table }) => tableName(table).name))
  const bySchema = new Map<string, CatalogTable[]>()
  for (const table of catalog)
    if (names.has(table.name)) bySchema.set(table.schema, [...(bySchema.get(table.schema) ?? []), table])
  return [...bySchema]
    .map(([name, tables]) => ({
      name,
      whole: tables.length === names.size,
      columns: lines.flatMap(({ table, columns }) => {
        const near = tables.find((one) => one.name === tableName(table).name)
        return columns.filter((column) => columnOf(near, column))
      }).length,
      rows: tables.reduce((sum, { rows }) => sum + rows, 0),
    }))
    .sort(
      (a, b) =>
        Number(b.whole) - Number(a.whole) || b.columns - a.columns || b.rows - a.rows || (a.name < b.name ? -1 : 1),
    )
}

/** Puts the parameter in place of the schema that it names, in lines that were found in a database. */
export function withSchemaParams(
  requires: readonly MappingRequires[],
  values: readonly ParamValue[],
): MappingRequires[] {
  return requires.map((line) => {
    const { schema, name } = tableName(line.table)
    const value = values.find(({ param, text }) => param.type === 'identifier' && text === (schema ?? 'public'))
    return value === undefined ? line : { ...line, table: `:${value.param.name}.${sqlName(name)}` }
  })
}
