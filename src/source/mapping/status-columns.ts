// Owns where a table says how far its rows are, or who may see them: in a column, or in a row of another table. Pure.
import { tableText, type CatalogTable } from '../database/catalog.ts'
import { written } from '../sql/names.ts'
import { COLUMN_NAMES, plainName } from './likely-columns.ts'

export interface StatusColumn {
  /** Of the table. */
  readonly column: string
  /** Where its values are: in the table itself, or in the one to which the column refers. */
  readonly source: CatalogTable
  readonly of: string
}

const INTEGERS = ['smallint', 'integer', 'bigint']

const isStatus = (name: string): boolean => COLUMN_NAMES.status.test(plainName(name))

/** Columns of a status, and of what else decides who sees a row. */
export function statusColumns(table: CatalogTable, catalog: readonly CatalogTable[]): StatusColumn[] {
  return table.columns.flatMap(({ name, type }) => {
    const key = table.foreignKeys.find(({ column }) => column === name)
    if (key !== undefined) {
      if (!isStatus(plainName(name).replace(/^id_|_id$/g, ''))) return []
      const source = catalog.find((one) => one.schema === key.schema && one.name === key.table)
      const of = source?.columns.find((column) => COLUMN_NAMES.title.test(plainName(column.name)))
      return source === undefined || of === undefined ? [] : [{ column: name, source, of: of.name }]
    }
    const plain = plainName(name)
    const isWeight = COLUMN_NAMES.weight.test(plain) && INTEGERS.includes(type)
    return isStatus(name) || COLUMN_NAMES.kind.test(plain) || isWeight
      ? [{ column: name, source: table, of: name }]
      : []
  })
}

/** The column that may say which ideas are launched. */
export function statusOf(ideas: CatalogTable, catalog: readonly CatalogTable[]): StatusColumn | null {
  const found = statusColumns(ideas, catalog)
  return found.find(({ source, of }) => source !== ideas || isStatus(of)) ?? null
}

/** As text, in a SELECT from the table. */
export function statusSql(table: CatalogTable, { column, source, of }: StatusColumn): string {
  if (source === table) return `${written(column)}::text`
  const from = `${tableText(source)} AS given`
  return `(SELECT given.${written(of)}::text FROM ${from} WHERE given.id = ${tableText(table)}.${written(column)})`
}
