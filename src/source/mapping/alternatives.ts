// Owns which of a section's texts a database gets: the one for versions that have certain tables, or the other. Pure.
import { findTable, type CatalogTable } from '../database/catalog.ts'
import { folded, tableName } from '../sql/names.ts'
import type { Alternative, Alternatives, MappingFile } from './mapping-file.ts'
import type { MappingRequires } from './requires-line.ts'
import type { Relation } from './relations.ts'
import { namesOf, withFilledNeeds } from './identifiers.ts'
import type { ParamValue } from './parameters.ts'
import { namedIn } from './shared-sql.ts'

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
  const { closed: closedThere, ...relations } = Object.fromEntries(fitted(mapping.alternatives, catalog))
  const sections = new Map(mapping.sections)
  for (const [relation, sql] of Object.entries(relations)) sections.set(relation as Relation, sql)
  return { ...mapping, sections, closed: closedThere ?? mapping.closed }
}

/** The file as a database of this version reads it, choices and section `page`, too. */
export function fittingFile(
  file: MappingFile,
  values: readonly ParamValue[],
  catalog: readonly CatalogTable[],
): MappingFile {
  const alternatives = withFilledNeeds(file.alternatives, namesOf(values))
  const choiceAlternatives = withFilledNeeds(file.choiceAlternatives, namesOf(values))
  const choices = new Map([...file.choices, ...fitted(choiceAlternatives, catalog)])
  const pageAlternatives = withFilledNeeds(file.pageAlternatives, namesOf(values))
  const [[, page] = [null, file.page]] = fitted(pageAlternatives, catalog)
  return { ...fitting({ ...file, alternatives }, catalog), choiceAlternatives, choices, pageAlternatives, page }
}

function fitted<K>(alternatives: ReadonlyMap<K, Alternative>, catalog: readonly CatalogTable[]): [K, string][] {
  return [...alternatives].flatMap(([key, { sql, needs }]) =>
    needs.every((line) => isThere(line, catalog)) ? [[key, sql]] : [],
  )
}

/** What is not there of two versions, of which a database must have the one or the other. */
export interface Neither {
  readonly newer: readonly string[]
  readonly older: readonly string[]
}

/** @param alternatives whose lines have names in place of parameters */
export function neitherOf(alternatives: Iterable<Alternative>, catalog: readonly CatalogTable[]): Neither[] {
  const absent = (lines: readonly MappingRequires[]): string[] => lines.flatMap((line) => absentOf(line, catalog))
  const found = [...alternatives].map(({ needs, otherNeeds }) => ({ newer: absent(needs), older: absent(otherNeeds) }))
  const neither = found.filter(({ newer, older }) => newer.length > 0 && older.length > 0)
  return [...new Map(neither.map((one) => [JSON.stringify(one), one])).values()]
}

function absentOf({ table, columns }: MappingRequires, catalog: readonly CatalogTable[]): string[] {
  const found = findTable(table, catalog)?.columns.map(({ name }) => name)
  if (found === undefined) return [table]
  return columns.filter((column) => !found.includes(folded(column))).map((column) => `${table}.${column}`)
}

const isThere = (line: MappingRequires, catalog: readonly CatalogTable[]): boolean =>
  absentOf(line, catalog).length === 0
