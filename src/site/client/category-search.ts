/// <reference lib="dom" />
// Owns the field that searches a category where there are more than a page can carry: their names are fetched when it is used.
import { keyWith } from '../../contract/category-slug.ts'
import type { CategoriesDocument } from '../../contract/kinds/categories.ts'
import { categoryName } from '../drawing.ts'
import { fetchAnswers } from './answers.ts'
import type { Scene } from './sections.ts'
import { sha256 } from './sha256.ts'

const ALL = 'analytics/categories/all.json'
/** A list that a reader can look through: whoever types more finds the others. */
const OFFERED = 50

export type Names = Record<string, string>

/** @throws as `fetchAnswers` */
export async function loadNames(names: Names, root: string, dataAsOf: string, signal: AbortSignal): Promise<void> {
  if (Object.keys(names).length > 0) return
  const answers = await fetchAnswers([ALL], root, dataAsOf, signal)
  const { categories } = answers.get(ALL) as CategoriesDocument
  for (const { category } of categories) names[keyWith(category, sha256(category))] = category
}

/** @param text as typed; not a name: as it is, which is no key */
export function keyOf(scene: Scene, names: Names, text: string): string {
  const [asked, of] = [folded(text), Object.entries(names)]
  return of.find(([, name]) => folded(categoryName(scene, name)) === asked)?.[0] ?? text
}

/** In the list of the field: names that have what was typed. */
export function offer(scene: Scene, names: Names, field: HTMLInputElement): void {
  const found = Object.values(names)
    .map((name) => categoryName(scene, name))
    .filter((name) => folded(name).includes(folded(field.value)))
  const options = found.sort((a, b) => a.localeCompare(b, document.documentElement.lang)).slice(0, OFFERED)
  field.list?.replaceChildren(...options.map((value) => Object.assign(document.createElement('option'), { value })))
}

function folded(text: string): string {
  return text.trim().toLowerCase()
}
