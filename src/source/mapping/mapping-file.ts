// Owns the shape of a mapping file that was read, and which of its SELECTs a database gets: those for versions that have certain tables,
// or the others. Pure; knows no text.
import type { DeclaredParams } from './parameters.ts'
import type { Relation } from './relations.ts'
import { type MappingRequires, fillRequires } from './requires-line.ts'
import { columnOf, findTable, type CatalogTable } from '../database/catalog.ts'
import { foldedName, tableName } from '../sql/names.ts'
import { namedIn } from './shared-sql.ts'

export interface MappingFile extends DeclaredParams {
  readonly requires: readonly MappingRequires[]
  /** The relations in their order, choices in the order of the parameters, then `closed`, then all that is `where present`. */
  readonly selects: readonly MappingSelect[]
  /** The names of the parts of section `with` that are put in front of SELECTs. */
  readonly parts: readonly string[]
  /** What the platform calls itself: used by `setup` only, which needs no `requires` line for it; null = no such section. */
  readonly page: string | null
}

/** A section, or the choices of a parameter. */
export interface MappingSelect {
  readonly kind: 'section' | 'choices'
  /** A relation or `closed`; or the parameter of the choices. */
  readonly name: string
  /** What messages call it: `section votes where present`. */
  readonly about: string
  readonly sql: string
  /** `where present`: where all of these are there, it replaces the SELECT of the same name that has none. */
  readonly needs: readonly MappingRequires[]
}

/** The lines `where present` that a SELECT depends on: it names their table and at least one of their columns. */
export function needsOf(sql: string, requires: readonly MappingRequires[]): MappingRequires[] {
  return requires.filter(
    ({ optional, table, columns }) =>
      optional && namedIn(sql, [tableName(table).name]).length > 0 && namedIn(sql, columns.map(foldedName)).length > 0,
  )
}

/** The SELECTs whose `requires` lines can be filled in: a parameter without a value leaves no name for them. */
export function withFilledNeeds(
  selects: readonly MappingSelect[],
  nameOf: (param: string) => string | null,
): MappingSelect[] {
  return selects.flatMap((one) => {
    const needs = fillRequires(one.needs, nameOf)
    return needs.length < one.needs.length ? [] : [{ ...one, needs }]
  })
}

/** The SELECTs of a mapping that fit a database. */
export type FittedMapping = ReturnType<typeof fitting>

export function fitting({ name, selects }: Pick<MappingFile, 'name' | 'selects'>, catalog: readonly CatalogTable[]) {
  const isThere = ({ table, columns }: MappingRequires): boolean =>
    columns.every((column) => columnOf(findTable(table, catalog), column))
  const fitted = { section: new Map<string, string>(), choices: new Map<string, string>() }
  for (const one of selects) if (one.needs.every(isThere)) fitted[one.kind].set(one.name, one.sql)
  const closed = fitted.section.get('closed') ?? null
  fitted.section.delete('closed')
  return {
    name,
    /** `categories` may be absent; every other relation is there. */
    sections: fitted.section as ReadonlyMap<Relation, string>,
    /** By parameter, a SELECT of `value` and `label` that lists what it may be. Used by `check` only. */
    choices: fitted.choices,
    /** Tells whether the site is closed to visitors; null = no such section: the site is open. */
    closed,
  }
}
