// Owns the categories of ideas, from the rows of section idea_categories. Knows no query.
import { createHash } from 'node:crypto'
import { MAX_CATEGORIES, noteName, publishedName, tooManyCategories, type PublishedName } from './category-names.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { grown } from './key-table.ts'
import { noteOfOther, type KnownIdeas } from './known-ideas.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

/** Longer raw names are few, and not worth the memory: only a hash of each is kept. */
const MAX_KNOWN_LENGTH = 1000
const NONE = -1

/** Each name of an idea counts once, however it is spelt; so does each raw name that cannot be published. */
export class IdeaCategories {
  readonly #ideas: KnownIdeas
  readonly #skipped: SkippedRowTally
  /** Numbers by raw name: above 0 that of a published name; below 0 that of a raw name which cannot be published. */
  readonly #byRawName = new Map<string | null, number>()
  readonly #byName = new Map<string, number>()
  readonly #whyNone: PublishedName['why'][] = []
  /** The latest entry of each idea; and for each entry its category, and the entry before it. */
  readonly #latest: Int32Array
  #entries: Int32Array = new Int32Array(1024)
  #used = 0

  constructor(ideas: KnownIdeas, skipped: SkippedRowTally) {
    this.#ideas = ideas
    this.#skipped = skipped
    this.#latest = new Int32Array(ideas.count).fill(NONE)
  }

  read(rows: CopiedRows): void {
    const name = rows.fields - 1
    for (let row = 0; row < rows.count; row++) {
      const idea = this.#ideas.find(rows, row)
      const whyNot = this.#ideas.whyNot(idea)
      if (whyNot === null) this.#add(idea, this.#numberOf(rows.text(row, name)))
      else noteOfOther(this.#skipped, 'idea_categories', whyNot)
    }
  }

  end(): void {
    const offsets = new Int32Array(this.#latest.length + 1)
    const categories = new Int32Array(this.#used / 2 + this.#latest.length)
    let end = 0
    for (let idea = 0; idea < this.#latest.length; idea++) {
      const from = end
      for (let at = this.#latest[idea] ?? NONE; at !== NONE; at = this.#entries[at + 1] ?? NONE) {
        const category = this.#entries[at] ?? 0
        if (category > 0) categories[end++] = category
        else noteName(this.#skipped, 'idea_categories', this.#whyNone[-category - 1] ?? null, 1)
      }
      // An idea without a category is counted in category 0, Uncategorized.
      if (end === from && this.#ideas.whyNot(idea) === null) categories[end++] = 0
      offsets[idea + 1] = end
    }
    this.#ideas.setCategories(offsets, categories.slice(0, end))
  }

  #add(idea: number, category: number): void {
    const entries = this.#entries
    for (let at = this.#latest[idea] ?? NONE; at !== NONE; at = entries[at + 1] ?? NONE)
      if (entries[at] === category) return
    if (this.#used === entries.length) this.#entries = grown(entries, 2 * entries.length)
    this.#entries[this.#used] = category
    this.#entries[this.#used + 1] = this.#latest[idea] ?? NONE
    this.#latest[idea] = this.#used
    this.#used += 2
  }

  #numberOf(raw: string | null): number {
    const isLong = raw !== null && raw.length > MAX_KNOWN_LENGTH
    const key = isLong ? createHash('sha256').update(raw).digest('base64') : raw
    const known = this.#byRawName.get(key)
    if (known !== undefined) return known
    if (!isLong && this.#byRawName.size >= 2 * MAX_CATEGORIES) throw tooManyCategories()
    const { name, why } = publishedName(raw)
    const number =
      name === null ? -this.#whyNone.push(why) : (this.#byName.get(name) ?? this.#ideas.names.push(name) - 1)
    this.#byRawName.set(key, number)
    if (name !== null) this.#byName.set(name, number)
    return number
  }
}
