// Owns the names that section `categories` lists: published ones, in order. Knows no ideas.
import type pg from 'pg'
import { compareCodePoints } from '../../model/code-point-order.ts'
import type { Mapping } from '../mapping/mapping.ts'
import { asTable } from '../sql/template.ts'
import { explain } from '../database/source-error.ts'
import { MAX_CATEGORIES, noteName, publishedName, tooManyCategories } from './category-names.ts'
import { NAME_CUT } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

export async function readCategories(
  client: pg.Client,
  mapping: Pick<Mapping, 'name' | 'sections'>,
  skipped: SkippedRowTally,
): Promise<string[]> {
  const section = mapping.sections.get('categories')
  if (section === undefined) return []
  // Twice the bound: several spellings may be one published name.
  const { rows } = await client
    .query<{ name: string | null; rows: number }>(
      `SELECT left(btrim(name::text), ${NAME_CUT}) AS name, count(*)::float8 AS rows FROM ${asTable(section)} GROUP BY 1 LIMIT ${2 * MAX_CATEGORIES + 1}`,
    )
    .catch((error: unknown) => {
      throw explain(error, `mapping ${mapping.name}, section categories`)
    })
  const names = new Set<string>()
  for (const row of rows) {
    const { name, why } = publishedName(row.name)
    if (name === null) noteName(skipped, 'categories', why, row.rows)
    else names.add(name)
  }
  if (rows.length > 2 * MAX_CATEGORIES || names.size > MAX_CATEGORIES) throw tooManyCategories()
  return [...names].sort(compareCodePoints)
}
