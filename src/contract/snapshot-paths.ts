// Owns the bijection between combinations and snapshot paths inside a release, from the register of kinds, and the paths of the exports
// that a site has once more, in other formats. Knows no format and no file system.
import { categoryKey } from './category-name.ts'
import type { KeyOf, Listing } from './kinds/kind.ts'
import { KINDS, type Combination, type Query } from './kinds/register.ts'

/**
 * @param query `category` must be a published name or null
 * @param keyOf gives the keys of a manifest where there is one: another Node.js may compute another key
 */
export function snapshotPath(query: Combination | Query, keyOf: KeyOf = categoryKey): string {
  return KINDS[query.endpoint].path(query, keyOf)
}

/** Every combination of a platform with these published categories, in a fixed order. */
export function* combinations(categories: readonly string[]): Generator<Combination> {
  for (const kind of Object.values(KINDS)) yield* kind.combinations(categories)
}

/** The path of every combination, from the keys of the categories: nothing is hashed. */
export function* snapshotPaths(keys: readonly string[]): Generator<string> {
  for (const combination of combinations(keys)) yield snapshotPath(combination, (key) => key)
}

/** Stands in place of a category, and of its key; no path of a release has it. */
const ANY = '*'
const AT: ReadonlyMap<string, Combination> = new Map(
  [...combinations([ANY])].map((combination) => [snapshotPath(combination, () => ANY), combination]),
)
const KEY = /(?<=\/category\/)[a-z0-9-]*-[0-9a-f]{12}(?=\.json$)/

/**
 * The combination whose snapshot has this path, or null.
 * @param categoryOfKey resolves a key to the published name (the manifest has the table)
 */
export function combinationAt(path: string, categoryOfKey: (key: string) => string | undefined): Combination | null {
  const [key] = KEY.exec(path) ?? []
  const found = AT.get(path.replace(KEY, ANY)) ?? null
  if (key === undefined || found === null) return found
  const category = categoryOfKey(key)
  return category === undefined ? null : ({ ...found, category } as Combination)
}

/** What the rows of a file list; undefined = it answers no combination. */
export function listing(path: string): Listing | undefined {
  const combination = combinationAt(path, (key) => key)
  return combination === null ? undefined : KINDS[combination.endpoint].lists(combination)
}

/** Whether the archive of a month has a file: titles that are taken down must not stay for years. */
export function isArchived(path: string): boolean {
  const listed = listing(path)
  return listed !== undefined && listed !== 'ideas'
}

/** The archive of all CSV of the release. */
export const BULK_PATH = 'bulk.zip'

/** Whether a file is in the archive because it is a CSV. */
export function isTable(path: string): boolean {
  const combination = combinationAt(path, (key) => key)
  return combination?.endpoint === 'export' && combination.format === 'csv'
}

/** The workbooks of a site: the ideas of all time, and the other tables of it. */
export const IDEAS_WORKBOOK = 'ideas.xlsx'
export const TABLES_WORKBOOK = 'tables.xlsx'

export const isWorkbook = (path: string): boolean => path === IDEAS_WORKBOOK || path === TABLES_WORKBOOK
