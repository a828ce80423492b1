// Owns what every check of a source is given: the mapping as it fits the database, and what that lacks. Knows no check.
import type pg from 'pg'
import { readCatalog } from '../database/catalog.ts'
import type { Begun, ReadOptions } from '../database/transaction.ts'
import type { MappingSource } from '../mapping/mapping.ts'
import { fitting, withFilledNeeds } from '../mapping/mapping-file.ts'
import type { ParamValue } from '../mapping/parameters.ts'
import { parseSelects, proposeRequires, SelectReader } from '../mapping/referenced-columns.ts'
import { findMissing, requiredTables } from '../mapping/requirements.ts'
import { fillRequires, namesOf, withSchemaParams } from '../mapping/requires-line.ts'

export interface CheckRequest extends ReadOptions {
  readonly source: MappingSource
  readonly values: readonly ParamValue[]
}

export type CheckContext = Awaited<ReturnType<typeof contextOf>>

export async function contextOf(
  client: pg.Client,
  { source, values, rowSecurity, searchPath = null }: CheckRequest,
  begun: Begun,
) {
  const texts = source.file.selects.map(({ sql }) => sql)
  const requires = fillRequires(source.file.requires, namesOf(values))
  const selects = await parseSelects(texts, values)
  const names = [...requiredTables(source.file.requires), ...requiredTables(requires)]
  const catalog = await readCatalog(client, [...names, ...source.file.parts, ...new SelectReader(selects).tables])
  const filled = withFilledNeeds(source.file.selects, namesOf(values))
  const visible = { catalog, role: begun.role, rowSecurity, searchPath }
  const proposed = proposeRequires(selects, catalog, requires)
  const missing = findMissing(source.name, requires, visible)
  const required = [
    ...missing,
    // Columns that no `requires` line names must be readable all the same.
    ...findMissing(source.name, proposed, visible).filter(
      ({ problem }) => !missing.some((one) => one.problem === problem),
    ),
  ]
  return {
    ...visible,
    client,
    begun,
    source,
    /** The SELECTs of the mapping that fit the database, with its parameters. */
    fitted: fitting({ ...source.file, selects: filled }, catalog),
    values,
    /** The parsed SELECTs, by their text in the mapping file. */
    parsed: new Map(texts.map((text, i) => [text, selects[i] ?? null])),
    /** All tables and columns that the SELECTs read, whether a `requires` line names them or not. */
    requires: [...requires, ...proposed],
    /** The `requires` lines to add: for what the SELECTs read and no line names. */
    proposedRequires: withSchemaParams(proposed, values),
    /** Which of all these tables and columns are missing or not readable, as findings. */
    required,
    /** What was found so far: each check adds to it. */
    findings: [...required],
  }
}
