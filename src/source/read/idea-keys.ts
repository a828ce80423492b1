// Owns the two passes over the ideas: which of them count, who submitted them, and the first dates; then, from their rows and what
// was counted before, the facts of those that count. Knows no query and no documents.
import type { DaySlices } from '../../model/day-slices.ts'
import { NO_SLICE, SKIPPED } from '../../model/time-cells.ts'
import { EARLIEST_DATE_MS, EARLY, FUTURE } from '../../contract/windows.ts'
import { SUBMITTED, type ActivePeople } from './active-people.ts'
import type { CopiedRows } from './copy-decoder.ts'
import { COUNTS, FUTURE_IDEA, LEFT_OUT, type KnownIdeas } from './known-ideas.ts'
import { FIRST_YEAR_MS, IDEA, LONGEST, FACTS, MAX_TEXT_CODE_POINTS } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'
import type { IdeaFacts } from '../../model/facts.ts'
import type { EventCounter } from './counted-events.ts'
import { mixed, UNKNOWN } from './key-table.ts'

export class IdeaKeys {
  readonly #ideas: KnownIdeas
  readonly #slices: DaySlices
  readonly #skipped: SkippedRowTally
  readonly #people: ActivePeople | null
  /** Some idea is returned twice. */
  isTwice = false
  /** Of the ideas that count and have a date, and of their dated launches, epoch ms. */
  earliestMs = Number.POSITIVE_INFINITY
  earliestLaunchMs = Number.POSITIVE_INFINITY
  /** Of those that count. */
  readonly dates = new DateSum()

  constructor(ideas: KnownIdeas, slices: DaySlices, skipped: SkippedRowTally, people: ActivePeople | null) {
    this.#ideas = ideas
    this.#slices = slices
    this.#skipped = skipped
    this.#people = people
  }

  read(rows: CopiedRows, first: number): void {
    const { asOfMs } = this.#slices
    const slices = new Int32Array(rows.count).fill(SKIPPED)
    for (let row = 0; row < rows.count; row++) {
      const createdAtMs = rows.millis(row, first + IDEA.createdAt)
      const why = unpublishable(rows.isNull(row, 0), rows.isTrue(row, first + IDEA.isLong), createdAtMs)
      const state = why !== null ? LEFT_OUT : createdAtMs >= asOfMs ? FUTURE_IDEA : COUNTS
      if (!this.#ideas.add(rows, row, state) && !rows.isNull(row, 0)) this.isTwice = true
      if (why !== null) this.#skipped.add('ideas', why, 1, 'fault')
      else if (state === FUTURE_IDEA) this.#skipped.add('ideas', FUTURE, 1)
      else slices[row] = this.#note(rows, row, first, createdAtMs)
    }
    this.#people?.add(rows, SUBMITTED, slices)
  }

  /** When it was, or NO_SLICE. */
  #note(rows: CopiedRows, row: number, first: number, createdAtMs: number): number {
    const isDated = createdAtMs >= EARLIEST_DATE_MS
    if (isDated) this.earliestMs = Math.min(this.earliestMs, createdAtMs)
    else this.#skipped.add('ideas', EARLY, 1, 'fault')
    const launchMs = rows.millis(row, first + IDEA.launchedAt)
    this.dates.add(this.#ideas.find(rows, row), createdAtMs, launchMs)
    if (launchMs >= EARLIEST_DATE_MS && launchMs < this.#slices.asOfMs)
      this.earliestLaunchMs = Math.min(this.earliestLaunchMs, launchMs)
    return isDated ? this.#slices.at(createdAtMs) : NO_SLICE
  }
}

/** Tells the dates of ideas that are read twice from others, in any order: equal sums of other dates have a probability of 2^-32. */
export class DateSum {
  value = 0

  /** @param launchMs NaN = none */
  add(idea: number, createdAtMs: number, launchMs: number): void {
    let word = mixed(idea)
    for (const ms of [createdAtMs, launchMs]) word = mixed(mixed(word ^ (ms / 2 ** 32)) ^ (ms % 2 ** 32))
    this.value = (this.value + word) | 0
  }
}

/** Why an idea cannot be published at all; null = it can. */
function unpublishable(hasNoId: boolean, isLong: boolean, createdAtMs: number): string | null {
  if (hasNoId) return 'id is NULL'
  if (isLong) return `id over ${LONGEST}`
  return createdAtMs >= FIRST_YEAR_MS ? null : 'created_at is NULL, or before the year 1'
}

/** What facts are made with. */
export interface Known {
  readonly ideas: KnownIdeas
  readonly votes: EventCounter
  readonly comments: EventCounter
  /** Where the fields after the key begin. */
  readonly first: number
  readonly asOfMs: number
  readonly skipped: SkippedRowTally
  /** Of the second pass. */
  readonly dates: DateSum
}

/** An idea whose row breaks a rule counts without what is wrong, which is noted. */
export function factsOf(rows: CopiedRows, known: Known): IdeaFacts[] {
  const { ideas } = known
  const facts: IdeaFacts[] = []
  for (let row = 0; row < rows.count; row++) {
    const idea = ideas.find(rows, row)
    if (ideas.stateOf(idea) === COUNTS) facts.push(factsIn(rows, row, idea, known))
    // It was not returned before: the sums differ.
    else if (idea === UNKNOWN) known.dates.add(idea, 0, 0)
  }
  return facts
}

function factsIn(rows: CopiedRows, row: number, idea: number, known: Known): IdeaFacts {
  const { ideas, votes, comments, first, skipped, dates } = known
  const createdAtMs = rows.millis(row, first + FACTS.createdAt)
  const launchMs = rows.isTrue(row, first + FACTS.launched) ? rows.millis(row, first + FACTS.launchedAt) : Number.NaN
  dates.add(idea, createdAtMs, launchMs)
  return {
    id: rows.text(row, first + FACTS.id) ?? '',
    title: titleOf(rows.text(row, first + FACTS.title) ?? '', skipped),
    createdAtMs,
    ...launchIn(rows, row, createdAtMs, known),
    url: shortText(rows.text(row, first + FACTS.url), 'url', skipped),
    status: shortText(rows.text(row, first + FACTS.status), 'status', skipped),
    categories: ideas.categoriesOf(idea),
    votes: votes.ofIdea(idea),
    comments: comments.ofIdea(idea),
  }
}

function launchIn(
  rows: CopiedRows,
  row: number,
  createdAtMs: number,
  { first, asOfMs, skipped }: Known,
): Pick<IdeaFacts, 'launched' | 'launchedAtMs'> {
  const launched = first + FACTS.launched
  if (rows.isNull(row, launched)) skipped.add('ideas', 'launched is NULL: not launched', 1, 'fault')
  if (!rows.isTrue(row, launched)) return { launched: false, launchedAtMs: null }
  const atMs = rows.millis(row, first + FACTS.launchedAt)
  if (atMs >= EARLIEST_DATE_MS && atMs < asOfMs) {
    if (atMs < createdAtMs) skipped.add('ideas', 'launched before it was created: after 0 days', 1)
    return { launched: true, launchedAtMs: atMs }
  }
  if (Number.isNaN(atMs)) skipped.add('ideas', 'launched without a date', 1)
  else if (atMs < EARLIEST_DATE_MS) skipped.add('ideas', 'launched before 1990-01-01: undated', 1, 'fault')
  else skipped.add('ideas', 'launched at or after dataAsOf: undated', 1)
  return { launched: true, launchedAtMs: null }
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
