// Owns what a category is called: normalising, matching, and its key in a path.
import { hash } from 'node:crypto'

/** The reserved name: ideas without a category are published under it. */
export const UNCATEGORIZED = 'Uncategorized'

export const MAX_CATEGORY_CODE_POINTS = 200

// The look-behind lets only the first of a run start a match: without it a name with 4,000 spaces inside, which fits a
// request target, costs 17 ms of CPU (with it 0.02).
const EDGE_WHITE_SPACE = /^\p{White_Space}+|(?<!\p{White_Space})\p{White_Space}+$/gu

/** Trims Unicode white space and composes (NFC): two spellings that look alike are one category. */
export function normalizeCategory(text: string): string {
  return text.replace(EDGE_WHITE_SPACE, '').normalize('NFC')
}

/** Whether a request may name a normalised name. Only such names are published. */
export function isAskable(name: string): boolean {
  // A code point is one or two UTF-16 units.
  return name.length <= MAX_CATEGORY_CODE_POINTS || Array.from(name).length <= MAX_CATEGORY_CODE_POINTS
}

/** Whether a normalised source name means "no category". */
export function meansUncategorized(name: string): boolean {
  return name.toLowerCase() === 'uncategorized'
}

/**
 * The path component of a category: a slug for people, then 12 hex digits of sha256 for uniqueness. The same name has
 * the same key in every release. 48 bits: among 20,000 names two collide with probability 7e-7, and then the build
 * stops (a snapshot is opened with `wx`) instead of publishing one under the other's name.
 */
export function categoryKey(name: string): string {
  return `${slugOf(name)}-${hash('sha256', name).slice(0, 12)}`
}

function slugOf(name: string): string {
  return name
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+/, '')
    .slice(0, 40)
    .replace(/-+$/, '')
}

/**
 * Finds the published name that a client means by a normalised one: equal code points, or else the first in name order
 * that is equal in lower case; null = there is none, which is an ordinary empty answer, not an error.
 * @param names published names in name order
 */
export function categoryFinder(names: readonly string[]): (asked: string) => string | null {
  const byName = new Set(names)
  // Where several names have one key, a Map keeps the last one.
  const byLowerCase = new Map(names.toReversed().map((name) => [name.toLowerCase(), name]))
  return (asked) => (byName.has(asked) ? asked : (byLowerCase.get(asked.toLowerCase()) ?? null))
}
