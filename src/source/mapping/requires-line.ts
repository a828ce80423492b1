// Owns the syntax of a line `requires`, which names a table and columns of it. Pure text.

/** Columns that the sections read. Names are written as in SQL: `"createdAt"`, `polis.votes`, `:tenant.ideas`. */
export interface MappingRequires {
  readonly table: string
  readonly columns: readonly string[]
  /** The version that added the columns, such as `Fider 0.22`; empty = they were always there. */
  readonly since: string
  /** `where present`: read if the version of the platform has them; not reported as missing if it does not. */
  readonly optional: boolean
  /** The parameter that named the schema of `table`, which then has the name. */
  readonly schemaParam?: string
}

export const REQUIRES_EXPECTED = 'expected: -- requires TABLE(column, column, …) [where present] [-- since when]'
const NAME = String.raw`(?:[A-Za-z_\u0080-\uffff][\w$\u0080-\uffff]*|"(?:[^"]|"")+"|:[A-Za-z_]\w*)`
/** Of a table's name: its schema, if any, and itself. */
export const NAME_PARTS = new RegExp(NAME, 'g')
const REQUIRES = new RegExp(
  String.raw`^(${NAME}(?:\.${NAME})?)\s*\((\s*${NAME}\s*(?:,\s*${NAME}\s*)*)\)(\s+where present)?(?:\s*--\s*(.*))?$`,
)

/** null = it is no such line. */
export function parseRequires(text: string): MappingRequires | null {
  const found = REQUIRES.exec(text)
  if (found === null) return null
  const columns = (found[2] ?? '').match(NAME_PARTS) ?? []
  return { table: found[1] ?? '', columns, since: (found[4] ?? '').trim(), optional: found[3] !== undefined }
}
