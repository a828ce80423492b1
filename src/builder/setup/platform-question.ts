// Owns which mapping a set-up is about: given, or as the database looks, and why. Pure but for what it says.
import type { CatalogTable } from '../../source/database/catalog.ts'
import { openMapping } from '../../source/mapping/mapping.ts'
import { templateByTables, type MappingTemplate } from '../../source/mapping/template.ts'
import type { Ask } from './ask.ts'
import type { Source } from './look.ts'

/** A template where it looks like no platform that is built in, or like another version of one: a mapping must be written. */
export function platformOf(ask: Ask, catalog: readonly CatalogTable[], given: string | null): Source | MappingTemplate {
  if (given !== null) {
    const mapping = openMapping(given)
    ask.say(`platform: ${mapping.file.name}, as given`)
    return { mapping, name: given }
  }
  const template = templateByTables(catalog)
  const { name, why, edit, missing } = template
  if (edit || missing.length > 0) {
    ask.say(`platform: ${edit ? 'none that is built in' : `${name}, an older or newer version`}`, why)
    return template
  }
  const mapping = openMapping(name)
  ask.say(`platform: ${name}`, why)
  return { mapping, name }
}
