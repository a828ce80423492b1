// Owns the two passes over the ideas: which of them count, who submitted them, and the first dates; then, from their rows and what
// was counted before, the facts of those that count. Knows no query and no documents.
import type { DaySlices } from '../../model/day-slices.ts'
import { NO_SLICE, SKIPPED } from '../../model/time-cells.ts'
import { EARLIEST_DATE_MS, EARLY, FUTURE } from '../../contract/windows.ts'
import { SUBMITTED, type ActivePeople } from './active-people.ts'
import type { CopiedRows } from './copy-decoder.ts'
import type { KnownIdeas } from './known-ideas.ts'
import { FIRST_YEAR_MS, IDEA, LONGEST, FACTS, MAX_TEXT_CODE_POINTS } from './raw-rows.ts'
import { IDEA_LEFT_OUT, IDEA_TO_COME, type SkippedRowTally } from './skipped-rows.ts'
import type { IdeaFacts } from '../../model/facts.ts'
import type { EventCounter } from './counted-events.ts'
import { mixed, UNKNOWN } from './key-table.ts'

export class IdeaKeys {
  readonly #ideas: KnownIdeas
  readonly #slices: DaySlices
  readonly #skipped: SkippedRowTally
  /** Whether some idea is returned twice. */
  isTwice = false
  /** The earliest dates of the ideas that count, and of their launches, epoch ms; Infinity = none has a date. */
  earliestMs = Number.POSITIVE_INFINITY
  earliestLaunchMs = Number.POSITIVE_INFINITY
  /** The sum of dateWord() over the ideas that count, in each of the passes. */
  #dates = 0
  #datesAgain = 0

  constructor(ideas: KnownIdeas, slices: DaySlices, skipped: SkippedRowTally) {
    this.#ideas = ideas
    this.#slices = slices
    this.#skipped = skipped
  }

  read(rows: CopiedRows, people: ActivePeople | null): void {
    const { asOfMs } = this.#slices
    const slices = new Int32Array(rows.count).fill(SKIPPED)
    for (let row = 0; row < rows.count; row++) {
      const createdAtMs = rows.millis(row, IDEA.createdAt)
      const why = unpublishable(rows.isNull(row, 0), rows.isTrue(row, IDEA.isLong), createdAtMs)
      const isToCome = why === null && createdAtMs >= asOfMs
      const ofOthers = why !== null ? IDEA_LEFT_OUT : isToCome ? IDEA_TO_COME : null
      if (!this.#ideas.add(rows, row, ofOthers) && !rows.isNull(row, 0)) this.isTwice = true
      if (why !== null) this.#skipped.add('ideas', why, 1, 'fault')
      else if (isToCome) this.#skipped.add('ideas', FUTURE, 1)
      else slices[row] = this.#note(rows, row, createdAtMs)
    }
    people?.add(rows, SUBMITTED, slices)
  }

  /** Notes the dates of an idea that counts; returns the slice in which it was created, or NO_SLICE. */
  #note(rows: CopiedRows, row: number, createdAtMs: number): number {
    const isDated = createdAtMs >= EARLIEST_DATE_MS
    if (isDated) this.earliestMs = Math.min(this.earliestMs, createdAtMs)
    else this.#skipped.add('ideas', EARLY, 1, 'fault')
    const launchMs = rows.millis(row, IDEA.launchedAt)
    this.#dates = (this.#dates + dateWord(this.#ideas.find(rows, row), createdAtMs, launchMs)) | 0
    if (launchMs >= EARLIEST_DATE_MS && launchMs < this.#slices.asOfMs)
      this.earliestLaunchMs = Math.min(this.earliestLaunchMs, launchMs)
    return isDated ? this.#slices.at(createdAtMs) : NO_SLICE
  }

  /** Makes the facts in the second pass. An idea whose row breaks a rule counts without what is wrong, which is noted. */
  facts(rows: CopiedRows, votes: EventCounter, comments: EventCounter): IdeaFacts[] {
    const facts: IdeaFacts[] = []
    for (let row = 0; row < rows.count; row++) {
      const idea = this.#ideas.find(rows, row)
      if (this.#ideas.whyNot(idea) === null) facts.push(this.#factsIn(rows, row, idea, votes, comments))
      // The first pass did not return this idea: adding it makes the sums differ.
      else if (idea === UNKNOWN) this.#datesAgain = (this.#datesAgain + dateWord(idea, 0, 0)) | 0
    }
    return facts
  }

  /** Whether, after both passes, the second one has returned other ideas, or other dates. */
  get areOthers(): boolean {
    return this.#dates !== this.#datesAgain
  }

  #factsIn(rows: CopiedRows, row: number, idea: number, votes: EventCounter, comments: EventCounter): IdeaFacts {
    const createdAtMs = rows.millis(row, FACTS.createdAt)
    const launchMs = rows.isTrue(row, FACTS.launched) ? rows.millis(row, FACTS.launchedAt) : Number.NaN
    this.#datesAgain = (this.#datesAgain + dateWord(idea, createdAtMs, launchMs)) | 0
    return {
      id: rows.text(row, FACTS.id) ?? '',
      title: titleOf(rows.text(row, FACTS.title) ?? '', this.#skipped),
      createdAtMs,
      ...this.#launchIn(rows, row, createdAtMs),
      url: shortText(rows.text(row, FACTS.url), 'url', this.#skipped),
      status: shortText(rows.text(row, FACTS.status), 'status', this.#skipped),
      categories: this.#ideas.categoriesOf(idea),
      votes: votes.ofIdea(idea),
      comments: comments.ofIdea(idea),
    }
  }

  #launchIn(rows: CopiedRows, row: number, createdAtMs: number): Pick<IdeaFacts, 'launched' | 'launchedAtMs'> {
    const skipped = this.#skipped
    if (rows.isNull(row, FACTS.launched)) skipped.add('ideas', 'launched is NULL: not launched', 1, 'fault')
    if (!rows.isTrue(row, FACTS.launched)) return { launched: false, launchedAtMs: null }
    const atMs = rows.millis(row, FACTS.launchedAt)
    if (atMs >= EARLIEST_DATE_MS && atMs < this.#slices.asOfMs) {
      if (atMs < createdAtMs) skipped.add('ideas', 'launched before it was created: after 0 days', 1)
      return { launched: true, launchedAtMs: atMs }
    }
    if (Number.isNaN(atMs)) skipped.add('ideas', 'launched without a date', 1)
    else if (atMs < EARLIEST_DATE_MS) skipped.add('ideas', 'launched before 1990-01-01: undated', 1, 'fault')
    else skipped.add('ideas', 'launched at or after dataAsOf: undated', 1)
    return { launched: true, launchedAtMs: null }
  }
}

/**
 * A word whose sum over ideas, in any order, tells their dates in one pass from those in another: equal sums of other
 * dates have a probability of 2^-32.
 * @param launchMs NaN = none
 */
function dateWord(idea: number, createdAtMs: number, launchMs: number): number {
  let word = mixed(idea)
  for (const ms of [createdAtMs, launchMs]) word = mixed(mixed(word ^ (ms / 2 ** 32)) ^ (ms % 2 ** 32))
  return word
}

/** Why an idea cannot be published at all; null = it can. */
function unpublishable(hasNoId: boolean, isLong: boolean, createdAtMs: number): string | null {
  if (hasNoId) return 'id is NULL'
  if (isLong) return `id over ${LONGEST}`
  return createdAtMs >= FIRST_YEAR_MS ? null : 'created_at is NULL, or before the year 1'
}

function titleOf(title: string, skipped: SkippedRowTally): string {
  if (!isTooLong(title)) return title
  skipped.add('ideas', `title cut to ${LONGEST}`, 1, 'fault')
  return Array.from(title).slice(0, MAX_TEXT_CODE_POINTS).join('')
}

function shortText(text: string | null, column: 'url' | 'status', skipped: SkippedRowTally): string | null {
  if (text === null || !isTooLong(text)) return text
  skipped.add('ideas', `${column} over ${LONGEST}: none`, 1, 'fault')
  return null
}

function isTooLong(text: string): boolean {
  return text.length > MAX_TEXT_CODE_POINTS && Array.from(text).length > MAX_TEXT_CODE_POINTS
}
