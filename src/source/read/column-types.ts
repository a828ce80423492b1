// Owns the columns and types that the server returns for a mapping's sections, and the types of the keys they join on.
import type pg from 'pg'
import { short } from '../../process/printable.ts'
import { asTable, fillTemplate } from '../sql/template.ts'
import { checkColumns, commonKeyType, type ReturnedColumn, type Relation } from '../mapping/relations.ts'
import type { FittedMapping } from '../mapping/mapping-file.ts'
import { explain, SourceError } from '../database/source-error.ts'

export type ColumnTypes = ReadonlyMap<Relation, readonly ReturnedColumn[]>

/**
 * Sends a SELECT alone, by the extended protocol, which takes one statement only: a section with a second one (which could
 * end the read-only transaction) is rejected here, before it is part of another query.
 */
export async function columnTypesOf(client: pg.Client, sql: string): Promise<ReturnedColumn[]> {
  const query = { text: selectOf(sql), queryMode: 'extended' }
  const { fields } = await client.query(query)
  const { rows } = await client.query<Omit<ReturnedColumn, 'name'>>(fillTemplate('read/column-types'), [
    fields.map((field) => field.dataTypeID),
    fields.map((field) => field.dataTypeModifier),
    fields.map((field) => field.tableID),
    fields.map((field) => field.columnID),
  ])
  return rows.map((row, i) => ({ name: fields[i]?.name ?? '', ...row }))
}

/** The line in which the server found its error: `, in "FROM users u"`; empty if unknown, or where there is only one. */
export function lineOf(error: unknown, sql: string): string {
  const position = Number((error as { position?: unknown } | null)?.position)
  if (!(position > 0) || !sql.includes('\n')) return ''
  // Positions count characters, not UTF-16 units, in the text that was sent; the section begins on its second line.
  const before = Array.from(selectOf(sql)).slice(0, position - 1)
  const lines = sql.split('\n')
  const line = Math.min(before.filter((character) => character === '\n').length, lines.length)
  return `, in "${short(lines[line - 1] ?? '', 80)}"`
}

function selectOf(sql: string): string {
  return `SELECT * FROM ${asTable(sql)} LIMIT 0`
}

/**
 * The columns of each section, and what to say of those that can be taken as what they must be.
 * @throws SourceError naming mapping and section
 */
export async function readColumnTypes(client: pg.Client, { name, sections }: Pick<FittedMapping, 'name' | 'sections'>) {
  const columnTypes = new Map<Relation, readonly ReturnedColumn[]>()
  const warnings: string[] = []
  for (const [relation, sql] of sections) {
    const where = `mapping ${name}, section ${relation}`
    const columns = await columnTypesOf(client, sql).catch((error: unknown) => {
      throw explain(error, `${where}${lineOf(error, sql)}`)
    })
    const found = checkColumns(relation, columns)
    if (found.errors.length > 0) throw new SourceError(`${where}: ${found.errors.join('; ')}`)
    columnTypes.set(relation, columns)
    warnings.push(...found.warnings.map((text) => `${where}: ${text}`))
  }
  return { columnTypes, warnings }
}

/**
 * The types by which ideas are joined with their votes, comments and categories, and by which the events of one user
 * are found; and the table and column that the ids of ideas come from.
 */
export function keyTypes(columnTypes: ColumnTypes): Readonly<Record<string, string>> {
  const column = (relation: Relation, of: string): ReturnedColumn | undefined =>
    columnTypes.get(relation)?.find(({ name }) => name === of)
  const type = (relation: Relation, of: string): string => column(relation, of)?.type ?? 'text'
  const { table, column: id } = column('ideas', 'id')?.from ?? {
    table: '(SELECT NULL AS id WHERE false)',
    column: 'id',
  }
  return {
    ideas_table: table,
    ideas_column: id,
    idea_key: commonKeyType([
      type('ideas', 'id'),
      type('votes', 'idea_id'),
      type('comments', 'idea_id'),
      type('idea_categories', 'idea_id'),
    ]),
    comment_key: commonKeyType([type('comments', 'id')]),
    user_key: commonKeyType([type('ideas', 'author_id'), type('votes', 'user_id'), type('comments', 'user_id')]),
  }
}
