// Owns which of a section's texts a database gets: the one for versions that have certain tables, or the other. Pure.
import { findTable, type CatalogTable } from '../database/catalog.ts'
import { folded, tableName } from '../sql/names.ts'
import type { MappingRequires } from './file-format.ts'
import type { Relation } from './relations.ts'
import { namedIn } from './shared-sql.ts'

/** A section `where present`. */
export interface Alternative {
  readonly sql: string
  /** It is used where all of these are there. */
  readonly needs: readonly MappingRequires[]
}

/** By section that has one. */
export type Alternatives = ReadonlyMap<Relation | 'closed', Alternative>

interface Sections {
  readonly sections: ReadonlyMap<Relation, string>
  readonly closed: string | null
  readonly alternatives: Alternatives
}

/** The lines `where present` that a section is about: it names the table, and one of the columns. */
export function needsOf<R extends MappingRequires>(sql: string, requires: readonly R[]): R[] {
  return requires.filter(
    ({ optional, table, columns }) =>
      optional && namedIn(sql, [tableName(table).name]).length > 0 && namedIn(sql, columns.map(folded)).length > 0,
  )
}

/** With each alternative that fits the database in the place of its section. */
export function fitting<M extends Sections>(mapping: M, catalog: readonly CatalogTable[]): M {
  const { closed: closedThere, ...relations } = Object.fromEntries(
    [...mapping.alternatives].filter(([, { needs }]) => needs.every((line) => isThere(line, catalog))),
  )
  const sections = new Map(mapping.sections)
  for (const [relation, { sql }] of Object.entries(relations)) sections.set(relation as Relation, sql)
  return { ...mapping, sections, closed: closedThere?.sql ?? mapping.closed }
}

function isThere({ table, columns }: MappingRequires, catalog: readonly CatalogTable[]): boolean {
  const found = findTable(table, catalog)?.columns.map(({ name }) => name) ?? []
  return columns.every((column) => found.includes(folded(column)))
}
