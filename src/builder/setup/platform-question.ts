// Owns which mapping a set-up is about: given, or as the database looks, and why. Pure but for what it says.
import { findTable, type CatalogTable } from '../../source/database/catalog.ts'
import type { MappingFile } from '../../source/mapping/mapping-file.ts'
import { isGone } from '../../source/mapping/requirements.ts'
import { openMapping } from '../../source/mapping/mapping.ts'
import { templateByTables, type MappingTemplate } from '../../source/mapping/template.ts'
import { folded, tableName } from '../../source/sql/names.ts'
import { some } from '../../process/printable.ts'
import type { Ask } from './ask.ts'
import type { Source } from './look.ts'

/** A template where it looks like no platform that is built in, or like another version of one: a mapping must be written. */
export function platformOf(ask: Ask, catalog: readonly CatalogTable[], given: string | null): Source | MappingTemplate {
  if (given !== null) {
    const mapping = openMapping(given)
    ask.say(`platform: ${mapping.file.name}, as given`, versionLines(mapping.file, catalog))
    return { mapping, name: given }
  }
  const template = templateByTables(catalog)
  const { name, why, edit, missing } = template
  if (edit || missing.length > 0) {
    ask.say(`platform: ${edit ? 'none that is built in' : `${name}, an older or newer version`}`, why)
    return template
  }
  const mapping = openMapping(name)
  ask.say(`platform: ${name}`, [...why, ...versionLines(mapping.file, catalog)])
  return { mapping, name }
}

/** What is there, and not, of what single versions of the platform added. */
export function versionLines({ requires }: MappingFile, catalog: readonly CatalogTable[]): string[] {
  const present: string[] = []
  const absent: string[] = []
  for (const { table, columns, since, optional } of requires)
    if (since !== '' && !(optional && isGone(since)))
      (hasColumns(catalog, table, columns) ? present : absent).push(since)
  const versions = (list: readonly string[]): string => some([...new Set(list)], 3)
  return [
    ...(present.length > 0 ? [`version: has what came with ${versions(present)}`] : []),
    ...(absent.length > 0 ? [`version: lacks what came with ${versions(absent)}`] : []),
  ]
}

/** A table of a schema that a parameter names may be in any schema. */
function hasColumns(catalog: readonly CatalogTable[], table: string, columns: readonly string[]): boolean {
  const tables = table.startsWith(':')
    ? catalog.filter(({ name }) => name === tableName(table.replace(/^:\w+\./, '')).name)
    : [findTable(table, catalog)]
  return tables.some((one) => columns.every((name) => one?.columns.some((column) => column.name === folded(name))))
}
