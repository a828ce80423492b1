// Owns the ideas of a read by their keys, while rows of other relations pass: whether each counts, and its categories. Knows
// no query.
import { UNCATEGORIZED } from '../../contract/category-name.ts'
import { compareCodePoints } from '../../model/code-point-order.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { KeyTable } from './key-table.ts'
import type { IdeaKey } from './raw-rows.ts'
import type { Relation } from '../mapping/relations.ts'
import { IDEA_LEFT_OUT, IDEA_TO_COME, NO_IDEA, NO_IDEA_ID, type SkippedRowTally } from './skipped-rows.ts'

/** Stands in place of the number of an idea where the key is NULL. */
const NO_KEY = -2

/** Notes a row of another relation whose idea does not count. */
export function noteOfOther(skipped: SkippedRowTally, relation: Relation, why: string): void {
  // The categories of a future idea are reported once it counts.
  if (why === IDEA_TO_COME && relation === 'idea_categories') return
  skipped.add(relation, why, 1, why === NO_IDEA_ID || why === IDEA_LEFT_OUT ? 'fault' : 'ordinary')
}

/** Memory: 24 to 40 bytes an idea, and 4 to 12 for each of its categories. */
export class KnownIdeas {
  readonly #table: KeyTable
  /** Why the rows of each idea do not count; null = they do. */
  readonly #whyNot: (string | null)[] = []
  /** Set once all categories are known: those of an idea are from its offset up to that of the next. */
  #offsets: Int32Array = new Int32Array(0)
  #categories: Int32Array = new Int32Array(0)
  /** The names of categories by number; the first means that an idea has no category. */
  readonly names: string[] = [UNCATEGORIZED]

  constructor(key: IdeaKey) {
    this.#table = new KeyTable(key === 'int8' ? 2 : 4)
  }

  get count(): number {
    return this.#table.count
  }

  /** The number of the idea whose key a row begins with; NO_KEY, or UNKNOWN. */
  find(rows: CopiedRows, row: number): number {
    if (rows.isNull(row, 0)) return NO_KEY
    const a = rows.int32(row, 0)
    const b = rows.int32(row, 0, 4)
    // For a key of 64 bits the table uses a and b only.
    return this.#table.find(a, b, rows.int32(row, 0, 8), rows.int32(row, 0, 12))
  }

  /**
   * @param whyNot why rows of this idea do not count; null = they do
   * @returns false where the idea is known already, or has no key
   */
  add(rows: CopiedRows, row: number, whyNot: string | null): boolean {
    if (rows.isNull(row, 0)) return false
    const a = rows.int32(row, 0)
    const b = rows.int32(row, 0, 4)
    const before = this.count
    this.#table.add(a, b, rows.int32(row, 0, 8), rows.int32(row, 0, 12))
    if (this.count === before) return false
    this.#whyNot.push(whyNot)
    return true
  }

  /** Why the rows of an idea, or of no idea, do not count; null = they do. */
  whyNot(idea: number): string | null {
    if (idea < 0) return idea === NO_KEY ? NO_IDEA_ID : NO_IDEA
    return this.#whyNot[idea] ?? null
  }

  /** Where the categories of an idea begin; those of the next one are after its last. */
  firstCategory(idea: number): number {
    return this.#offsets[idea] ?? 0
  }

  /** The number of a category, by its place. */
  categoryAt(place: number): number {
    return this.#categories[place] ?? 0
  }

  /** The published names of an idea, in name order; empty = no category. */
  categoriesOf(idea: number): readonly string[] {
    const names: string[] = []
    for (let place = this.firstCategory(idea); place < this.firstCategory(idea + 1); place++) {
      const category = this.categoryAt(place)
      if (category > 0) names.push(this.names[category] ?? '')
    }
    return names.length < 2 ? names : names.sort(compareCodePoints)
  }

  /** The published names of the categories with most ideas, the largest first. */
  largestCategories(most: number): string[] {
    const ideas = new Uint32Array(this.names.length)
    for (const category of this.#categories) ideas[category] = (ideas[category] ?? 0) + 1
    return this.names
      .map((name, category) => ({ name, count: ideas[category] ?? 0 }))
      .filter(({ count }) => count > 0)
      .sort((a, b) => b.count - a.count || compareCodePoints(a.name, b.name))
      .slice(0, most)
      .map(({ name }) => name)
  }

  setCategories(offsets: Int32Array, categories: Int32Array): void {
    this.#offsets = offsets
    this.#categories = categories
  }
}
