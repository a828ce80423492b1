// Owns what becomes of the raw names of categories: published ones, and why others are none. Knows no connection.
import {
  isAskable,
  MAX_CATEGORY_CODE_POINTS,
  meansUncategorized,
  normalizeCategory,
} from '../../contract/category-name.ts'
import { SourceError } from '../database/source-error.ts'
import { NAME_CUT } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

/** More names than this are titles returned as categories: a mistake of the mapping. */
export const MAX_CATEGORIES = 20_000

/** The published name of a category of the source, or why it has none. */
export type PublishedName =
  | { readonly name: string; readonly why: null }
  | { readonly name: null; readonly why: 'is NULL' | 'too long' | 'no category' }

/** A name is at most as long as a request may hold: others could not be requested. */
export function publishedName(raw: string | null): PublishedName {
  if (raw === null) return { name: null, why: 'is NULL' }
  // Of a longer text the database has sent the beginning only.
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
    'source',
    `the mapping returns more than ${MAX_CATEGORIES} categories; sections idea_categories and categories must return category names, not titles or ids`,
  )
}
