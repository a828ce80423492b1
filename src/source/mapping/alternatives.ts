// Owns which of a section's texts a database gets: the one for versions that have certain tables, or the other. Pure.
import { columnNames, findTable, type CatalogTable } from '../database/catalog.ts'
import { folded, tableName } from '../sql/names.ts'
import type { Alternative, MappingFile } from './mapping-file.ts'
import type { MappingRequires } from './requires-line.ts'
import { namesOf, withFilledNeeds } from './identifiers.ts'
import type { ParamValue } from './parameters.ts'
import { namedIn } from './shared-sql.ts'

/** The lines `where present` that a section is about: it names the table, and one of the columns. */
export function needsOf<R extends MappingRequires>(sql: string, requires: readonly R[]): R[] {
  return requires.filter(
    ({ optional, table, columns }) =>
      optional && namedIn(sql, [tableName(table).name]).length > 0 && namedIn(sql, columns.map(folded)).length > 0,
  )
}

/** With each alternative that fits the database in the place of its section. */
export function fitting<M extends Pick<MappingFile, 'sections' | 'alternatives'>>(
  mapping: M,
  catalog: readonly CatalogTable[],
): M {
  return { ...mapping, sections: new Map([...mapping.sections, ...fitted(mapping.alternatives, catalog)]) }
}

/** The file as a database of this version reads it, choices, too. */
export function fittingFile(
  file: MappingFile,
  values: readonly ParamValue[],
  catalog: readonly CatalogTable[],
): MappingFile {
  const [alternatives, choiceAlternatives] = [
    withFilledNeeds(file.alternatives, namesOf(values)),
    withFilledNeeds(file.choiceAlternatives, namesOf(values)),
  ]
  const choices = new Map([...file.choices, ...fitted(choiceAlternatives, catalog)])
  return { ...fitting({ ...file, alternatives }, catalog), choiceAlternatives, choices }
}

function fitted<K>(alternatives: ReadonlyMap<K, Alternative>, catalog: readonly CatalogTable[]): [K, string][] {
  return [...alternatives].flatMap(([key, { sql, needs }]) =>
    needs.every((line) => isThere(line, catalog)) ? [[key, sql]] : [],
  )
}

function isThere({ table, columns }: MappingRequires, catalog: readonly CatalogTable[]): boolean {
  const there = columnNames(findTable(table, catalog))
  return columns.every((column) => there.includes(folded(column)))
}
