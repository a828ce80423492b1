// Owns the facts of the ideas that count, from their rows and what was counted before. Knows no query and no documents.
import type { IdeaFacts } from '../../model/facts.ts'
import { EARLIEST_DATE_MS } from '../../contract/windows.ts'
import { SourceError } from '../database/source-error.ts'
import type { CopiedRows } from './copy-decoder.ts'
import type { EventCounter } from './counted-events.ts'
import { UNKNOWN } from './key-table.ts'
import { COUNTS, type KnownIdeas } from './known-ideas.ts'
import { LONGEST, MAX_TEXT_CODE_POINTS } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

export const LAUNCHED_IS_NULL = 'launched is NULL: not launched'

// The fields of a row after its key (raw-rows.ts).
const ID = 0
const TITLE = 1
const CREATED = 2
const LAUNCHED = 3
const LAUNCHED_AT = 4
const URL = 5
const STATUS = 6

interface Known {
  readonly ideas: KnownIdeas
  readonly votes: EventCounter
  readonly comments: EventCounter
}

/** Reads rows one by one. An idea whose row breaks a rule counts without what is wrong, which is noted. */
export class FactsReader {
  readonly #known: Known
  readonly #first: number
  readonly #asOfMs: number
  readonly #skipped: SkippedRowTally

  /** @param first where the fields after the key begin */
  constructor(known: Known, first: number, asOfMs: number, skipped: SkippedRowTally) {
    this.#known = known
    this.#first = first
    this.#asOfMs = asOfMs
    this.#skipped = skipped
  }

  read(rows: CopiedRows): IdeaFacts[] {
    const facts: IdeaFacts[] = []
    for (let row = 0; row < rows.count; row++) {
      const { ideas } = this.#known
      const idea = ideas.find(rows, row)
      if (ideas.stateOf(idea) === COUNTS) facts.push(this.#facts(rows, row, idea))
      else if (idea === UNKNOWN)
        throw new SourceError(
          'source',
          'the section returns an idea that it did not return before, of the same rows; what it returns must depend on nothing but them (no random(), no clock)',
        )
    }
    return facts
  }

  #facts(rows: CopiedRows, row: number, idea: number): IdeaFacts {
    const { ideas, votes, comments } = this.#known
    const first = this.#first
    const createdAtMs = rows.millis(row, first + CREATED)
    return {
      id: rows.text(row, first + ID) ?? '',
      title: this.#title(rows.text(row, first + TITLE) ?? ''),
      createdAtMs,
      ...this.#launch(rows, row, createdAtMs),
      url: this.#shortText(rows.text(row, first + URL), 'url'),
      status: this.#shortText(rows.text(row, first + STATUS), 'status'),
      categories: ideas.categoriesOf(idea),
      votes: votes.ofIdea(idea),
      comments: comments.ofIdea(idea),
    }
  }

  #launch(rows: CopiedRows, row: number, createdAtMs: number): Pick<IdeaFacts, 'launched' | 'launchedAtMs'> {
    const [launched, launchedAt] = [this.#first + LAUNCHED, this.#first + LAUNCHED_AT]
    if (rows.isNull(row, launched)) this.#skipped.add('ideas', LAUNCHED_IS_NULL, 1, 'fault')
    if (!rows.isTrue(row, launched)) return { launched: false, launchedAtMs: null }
    const atMs = rows.isNull(row, launchedAt) ? null : rows.millis(row, launchedAt)
    if (atMs !== null && atMs >= EARLIEST_DATE_MS && atMs < this.#asOfMs) {
      if (atMs < createdAtMs) this.#skipped.add('ideas', 'launched before it was created: after 0 days', 1)
      return { launched: true, launchedAtMs: atMs }
    }
    if (atMs === null) this.#skipped.add('ideas', 'launched without a date', 1)
    else if (atMs < EARLIEST_DATE_MS) this.#skipped.add('ideas', 'launched before 1990-01-01: undated', 1, 'fault')
    else this.#skipped.add('ideas', 'launched at or after dataAsOf: undated', 1)
    return { launched: true, launchedAtMs: null }
  }

  #title(title: string): string {
    if (!isLong(title)) return title
    this.#skipped.add('ideas', `title cut to ${LONGEST}`, 1, 'fault')
    return Array.from(title).slice(0, MAX_TEXT_CODE_POINTS).join('')
  }

  #shortText(text: string | null, column: 'url' | 'status'): string | null {
    if (text === null || !isLong(text)) return text
    this.#skipped.add('ideas', `${column} over ${LONGEST}: none`, 1, 'fault')
    return null
  }
}

function isLong(text: string): boolean {
  return text.length > MAX_TEXT_CODE_POINTS && Array.from(text).length > MAX_TEXT_CODE_POINTS
}
