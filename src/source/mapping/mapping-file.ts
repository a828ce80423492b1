// Owns the shape of a mapping file that was read, and which of its texts a database gets: those for versions that have certain tables,
// or the others. Pure; knows no text.
import type { DeclaredParams } from './parameters.ts'
import type { Relation } from './relations.ts'
import { type MappingRequires, fillRequires } from './requires-line.ts'
import { columnOf, findTable, type CatalogTable } from '../database/catalog.ts'
import { foldedName, tableName } from '../sql/names.ts'
import { namedIn } from './shared-sql.ts'

export interface MappingFile extends DeclaredParams {
  /** By parameter, a SELECT of `value` and `label` that lists what it may be in this database. Used by `check` only. */
  readonly choices: ReadonlyMap<string, string>
  readonly requires: readonly MappingRequires[]
  /** `categories` may be absent; every other relation is there. */
  readonly sections: ReadonlyMap<Relation, string>
  /** Sections and choices `where present`: each replaces the one above in a database that has what it needs. */
  readonly alternatives: readonly Alternative[]
  /** The names of the parts of section `with` that are put in front of SELECTs. */
  readonly parts: readonly string[]
  /** Tells whether the site is closed to visitors; null = no such section: the site is open. */
  readonly closed: string | null
  /** What the platform calls itself: used by `setup` only, which needs no `requires` line for it; null = no such section. */
  readonly page: string | null
}

/** A section, or choices, `where present`. */
export interface Alternative {
  readonly kind: 'section' | 'choices'
  /** A relation, or the parameter of the choices. */
  readonly name: string
  readonly sql: string
  /** It is used where all of these are there. */
  readonly needs: readonly MappingRequires[]
}

/** The lines `where present` that a SELECT depends on: it names their table and at least one of their columns. */
export function needsOf<R extends MappingRequires>(sql: string, requires: readonly R[]): R[] {
  return requires.filter(
    ({ optional, table, columns }) =>
      optional && namedIn(sql, [tableName(table).name]).length > 0 && namedIn(sql, columns.map(foldedName)).length > 0,
  )
}

/** The alternatives whose `requires` lines can be filled in: a parameter without a value leaves no name for them. */
export function withFilledNeeds(
  alternatives: readonly Alternative[],
  nameOf: (param: string) => string | null,
): Alternative[] {
  return alternatives.flatMap((one) => {
    const needs = fillRequires(one.needs, nameOf)
    return needs.length < one.needs.length ? [] : [{ ...one, needs }]
  })
}

/** The mapping with each alternative that fits the database in the place of its section or choices. */
export function fitting<M extends Pick<MappingFile, 'sections' | 'alternatives'> & Partial<MappingFile>>(
  mapping: M,
  catalog: readonly CatalogTable[],
): M {
  const there = mapping.alternatives.filter(({ needs }) =>
    needs.every(({ table, columns }) => columns.every((name) => columnOf(findTable(table, catalog), name))),
  )
  const fitted = <Name extends string>(kind: Alternative['kind'], texts: Iterable<[Name, string]> = []) =>
    new Map([
      ...texts,
      ...there.flatMap((one): [Name, string][] => (one.kind === kind ? [[one.name as Name, one.sql]] : [])),
    ])
  return { ...mapping, sections: fitted('section', mapping.sections), choices: fitted('choices', mapping.choices) }
}
