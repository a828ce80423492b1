// Owns which of a section's texts a database gets: the one for versions that have certain tables, or the other. Pure.
import { columnNames, findTable, type CatalogTable } from '../database/catalog.ts'
import { folded, tableName } from '../sql/names.ts'
import type { Alternative, MappingFile } from './mapping-file.ts'
import { fillRequires, type MappingRequires } from './requires-line.ts'
import { namedIn } from './shared-sql.ts'

/** The lines `where present` that a section is about: it names the table, and one of the columns. */
export function needsOf<R extends MappingRequires>(sql: string, requires: readonly R[]): R[] {
  return requires.filter(
    ({ optional, table, columns }) =>
      optional && namedIn(sql, [tableName(table).name]).length > 0 && namedIn(sql, columns.map(folded)).length > 0,
  )
}

/** Those whose lines have names: a parameter without a value has none. */
export function withFilledNeeds(
  alternatives: readonly Alternative[],
  nameOf: (param: string) => string | null,
): Alternative[] {
  return alternatives.flatMap((one) => {
    const needs = fillRequires(one.needs, nameOf)
    return needs.length < one.needs.length ? [] : [{ ...one, needs }]
  })
}

/** With each alternative that fits the database in the place of its section or choices. */
export function fitting<M extends Pick<MappingFile, 'sections' | 'alternatives'> & Partial<MappingFile>>(
  mapping: M,
  catalog: readonly CatalogTable[],
): M {
  const there = mapping.alternatives.filter(({ needs }) => needs.every((line) => isThere(line, catalog)))
  const fitted = <Name extends string>(kind: Alternative['kind'], texts: Iterable<[Name, string]> = []) =>
    new Map([
      ...texts,
      ...there.flatMap((one): [Name, string][] => (one.kind === kind ? [[one.name as Name, one.sql]] : [])),
    ])
  return { ...mapping, sections: fitted('section', mapping.sections), choices: fitted('choices', mapping.choices) }
}

function isThere({ table, columns }: MappingRequires, catalog: readonly CatalogTable[]): boolean {
  const there = columnNames(findTable(table, catalog))
  return columns.every((column) => there.includes(folded(column)))
}
