// Owns what becomes of the raw names of categories: which are published, and why others are not; and the names that
// section `categories` lists. Knows no ideas.
import {
  isAskable,
  MAX_CATEGORY_CODE_POINTS,
  meansUncategorized,
  normalizeCategory,
} from '../../contract/category-name.ts'
import { compareCodePoints } from '../../model/code-point-order.ts'
import { count, harmless } from '../../process/printable.ts'
import type { OneInstant } from '../database/one-instant.ts'
import { failedIn, SourceError } from '../database/source-error.ts'
import type { FittedMapping } from '../mapping/mapping-file.ts'
import { NAME_CUT } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

/** More names than this mean that titles are returned as categories: a mistake of the mapping. */
export const MAX_CATEGORIES = 20_000

/** The published name of a category of the source, or why it has none. */
export type PublishedName =
  | { readonly name: string; readonly why: null }
  | { readonly name: null; readonly why: 'is NULL' | 'too long' | 'no category' }

/** A published name is at most as long as a request may hold: a longer one could not be requested. */
export function publishedName(raw: string | null): PublishedName {
  if (raw === null) return { name: null, why: 'is NULL' }
  // The database has sent only the beginning of a longer text.
  const isCut = raw.length >= NAME_CUT && Array.from(raw).length >= NAME_CUT
  const name = isCut ? null : normalizeCategory(raw)
  if (name === null || !isAskable(name)) return { name: null, why: 'too long' }
  return name === '' || meansUncategorized(name) ? { name: null, why: 'no category' } : { name, why: null }
}

export function noteName(
  skipped: SkippedRowTally,
  relation: 'idea_categories' | 'categories',
  why: PublishedName['why'],
  rows: number,
): void {
  // A list may hold the name that means no category.
  if (why === 'no category' && relation === 'idea_categories')
    skipped.add(relation, 'blank, or the reserved name Uncategorized', rows)
  if (why === 'too long') skipped.add(relation, `over ${MAX_CATEGORY_CODE_POINTS} characters`, rows, 'fault')
  if (why === 'is NULL')
    skipped.add(relation, `${relation === 'categories' ? 'name' : 'category'} is NULL`, rows, 'fault')
}

export function tooManyCategories(): SourceError {
  return new SourceError(
    `the mapping returns more than ${MAX_CATEGORIES} categories; sections idea_categories and categories must return category names, not titles or ids`,
  )
}

/** The names that section `categories` lists: published ones, in order. */
export async function readCategories(
  instant: OneInstant,
  mapping: Pick<FittedMapping, 'name' | 'sections'>,
  skipped: SkippedRowTally,
): Promise<string[]> {
  const section = mapping.sections.get('categories')
  if (section === undefined) return []
  // The limit is twice the bound, because several spellings may be one published name.
  const { rows } = await instant.client
    .query<{ name: string | null; rows: number }>(
      instant.select(
        `left(btrim(name::text), ${NAME_CUT}) AS name, count(*)::float8 AS rows`,
        section,
        `GROUP BY 1 LIMIT ${2 * MAX_CATEGORIES + 1}`,
      ),
    )
    .catch(failedIn(`mapping ${mapping.name}, section categories`))
  const names = new Set<string>()
  for (const row of rows) {
    const { name, why } = publishedName(row.name)
    if (name === null) noteName(skipped, 'categories', why, row.rows)
    else names.add(name)
  }
  if (rows.length > 2 * MAX_CATEGORIES || names.size > MAX_CATEGORIES) throw tooManyCategories()
  return [...names].sort(compareCodePoints)
}

// A longer text is no address; the limits keep a search linear.
const ADDRESS = /[^\s@]{1,64}@[^\s@.]{1,63}\.[^\s@]/

/** A sentence for an operator; null = no name looks like an e-mail address. */
export function categoriesOfPeople(names: readonly string[]): string | null {
  // NFKC turns a full-width @ into an ordinary one.
  const found = names.filter((name) => ADDRESS.test(name.normalize('NFKC')))
  if (found[0] === undefined) return null
  return `${count(found.length)} of ${count(names.length)} categories look like e-mail addresses, such as ${harmless(found[0])}: everybody can read their names`
}
