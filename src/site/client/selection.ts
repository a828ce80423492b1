// Owns what can be chosen, how it is written in the address of the page, and which files of the release show it. Pure.
import { PERIODS, type BoundedPeriod, type Period } from '../../contract/windows.ts'

/** Null = as the page was built. */
export interface Selection {
  readonly period: Period | null
  /** The key of a category. */
  readonly category: string | null
}

export const AS_BUILT: Selection = { period: null, category: null }

/** What is not known is not chosen. */
export function selectionOf(search: string, isKnown: (key: string) => boolean): Selection {
  const given = new URLSearchParams(search)
  const category = given.get('category')
  return {
    period: PERIODS.find((period) => period === given.get('period')) ?? null,
    category: category !== null && isKnown(category) ? category : null,
  }
}

/** The query of an address with a selection; what others wrote there stays. */
export function searchWith(search: string, selection: Selection): string {
  const given = new URLSearchParams(search)
  for (const [name, value] of Object.entries(selection))
    if (value === null) given.delete(name)
    else given.set(name, String(value))
  return given.size === 0 ? '' : `?${given.toString()}`
}

/** The period of each section as the page was built. */
export interface Usual {
  readonly activity: Period
  readonly trending: Period
  readonly categories: Period
}

/** A section that shows something else than the page was built with, and the files with its numbers. */
export type Part =
  | { readonly section: 'activity'; readonly period: Period; readonly key: string | null; readonly files: [string] }
  | { readonly section: 'trending'; readonly key: string | null; readonly files: [string] }
  | { readonly section: 'categories'; readonly files: [string] }
  | { readonly section: 'outcomes'; readonly key: string; readonly files: [category: string, all: string] }

export function partsOf({ period, category: key }: Selection, usual: Usual): Part[] {
  const ofCategory = `analytics/category/${key}.json`
  const parts: Part[] = []
  const during = period ?? usual.activity
  if (key !== null || during !== usual.activity) {
    const file = key === null ? `analytics/timeline/${during}.json` : ofCategory
    parts.push({ section: 'activity', period: during, key, files: [file] })
  }
  const trend = bounded(period ?? usual.trending)
  if (key !== null || trend !== usual.trending) {
    const file = key === null ? 'all' : `category/${key}`
    parts.push({ section: 'trending', key, files: [`analytics/trending/${trend}/${file}.json`] })
  }
  const counted = period ?? usual.categories
  if (counted !== usual.categories)
    parts.push({ section: 'categories', files: [`analytics/categories/${counted}.json`] })
  if (key !== null) parts.push({ section: 'outcomes', key, files: [ofCategory, 'analytics/categories/all.json'] })
  return parts
}

/** There are no trends of all time. */
function bounded(period: Period): BoundedPeriod {
  return period === 'all' ? '90d' : period
}
