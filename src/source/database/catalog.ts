// Owns reading the server's catalogue of the platform's tables: columns, types, privileges. Draws no conclusions.
import { escapeLiteral } from 'pg'
import type pg from 'pg'
import { fillTemplate } from '../sql/template.ts'
import { foldedName, tableName, sqlName } from '../sql/names.ts'

export interface CatalogColumn {
  readonly name: string
  readonly type: string
  /** Whether the session's role may read it. */
  readonly readable: boolean
}

export interface CatalogTable {
  readonly schema: string
  readonly name: string
  /** Found without its schema: the search_path leads to it. */
  readonly visible: boolean
  /** The role has USAGE on the schema. */
  readonly usable: boolean
  /** Row-level security hides some of the rows from the role. */
  readonly rowSecurity: boolean
  /** The number of rows as of the last VACUUM or ANALYZE; 0 = none, or never counted. */
  readonly rows: number
  readonly columns: readonly CatalogColumn[]
  readonly isPartition: boolean
}

/** @param names of the tables, whatever their schema; null = all, none = nothing is asked */
export async function readCatalog(client: pg.Client, names: readonly string[] | null): Promise<CatalogTable[]> {
  // A mapping without requires lines needs nothing of the catalogue, whose functions a role may be denied.
  if (names?.length === 0) return []
  const list = names === null ? 'NULL::text[]' : `ARRAY[${names.map(escapeLiteral).join(', ')}]::text[]`
  const { rows } = await client.query<CatalogTable>(fillTemplate('database/catalog', { values: { names: list } }))
  return rows
}

/** The table that a name refers to in the session. */
export function findTable(text: string, catalog: readonly CatalogTable[]): CatalogTable | undefined {
  const { schema, name } = tableName(text)
  return catalog.find((table) => table.name === name && (schema === null ? table.visible : table.schema === schema))
}

/** The column that a name refers to. A table that is not there has none. */
export function columnOf(table: CatalogTable | undefined, text: string): CatalogColumn | undefined {
  return table?.columns.find(({ name }) => name === foldedName(text))
}

/** A table's name as it must be written in the session. */
export function tableText(table: CatalogTable): string {
  return table.visible ? sqlName(table.name) : fullName(table)
}

/** A table's name as it must be written in a GRANT, whatever the search_path of the session. */
export function grantName(table: CatalogTable): string {
  return table.schema === 'public' ? sqlName(table.name) : fullName(table)
}

function fullName({ schema, name }: CatalogTable): string {
  return `${sqlName(schema)}.${sqlName(name)}`
}
