// Owns the facts stream: COPY rows into IdeaFacts, with what was skipped and why. Knows no documents and no files.
import type pg from 'pg'
import { to as copyTo } from 'pg-copy-streams'
import {
  isAskable,
  MAX_CATEGORY_CODE_POINTS,
  meansUncategorized,
  normalizeCategory,
} from '../../contract/category-name.ts'
import { compareCodePoints } from '../../model/code-point-order.ts'
import type { DaySlices } from '../../model/day-slices.ts'
import type { IdeaFacts } from '../../model/facts.ts'
import { EARLIEST_DATE_MS, UNDATED } from '../../contract/windows.ts'
import { copyRows, type CopyRow } from './copy-decoder.ts'
import { EventCounter } from './event-counter.ts'
import type { SkippedRowTally, NoteKind } from './skipped-rows.ts'
import { SourceError } from '../database/source-error.ts'

/** More names than this are titles returned as categories: a mistake of the mapping. */
export const MAX_CATEGORIES = 20_000

/** A longer title is cut; a longer url or status is dropped, because a part of it would mean something else. */
export const MAX_TEXT_CODE_POINTS = 10_000

export interface FactsTotals {
  /** Earliest dated idea, vote or comment that counts, epoch ms; of votes and comments the day. */
  earliestMs: number | null
  /** Earliest dated launch, epoch ms. */
  earliestLaunchMs: number | null
  /** Votes above zero and comments on ideas that do not count (hidden, left out, or dated at or after dataAsOf), and such ideas. */
  eventsOfOtherIdeas: number
}

/** Streams the ideas, newest first, one batch per network chunk, so that the consumer can wait between batches. */
export async function* readFacts(
  client: pg.Client,
  sql: string,
  slices: DaySlices,
  skipped: SkippedRowTally,
  totals: FactsTotals,
): AsyncGenerator<IdeaFacts[]> {
  const reader = new FactsReader(slices, skipped, totals)
  for await (const rows of copyRows(client.query(copyTo(`COPY (${sql}) TO STDOUT`)))) {
    const ideas: IdeaFacts[] = []
    for (const row of rows) {
      const idea = reader.read(row)
      if (idea !== null) ideas.push(idea)
    }
    if (ideas.length > 0) yield ideas
  }
}

/** Of one idea: idea-aggregates.sql keeps two counts in one sum. */
const MAX_EVENTS = 2 ** 30 - 1

// The places of the columns of idea-aggregates.sql, which has the same numbers in comments.
const IDEA = {
  present: 0,
  id: 1,
  title: 2,
  created: 3,
  launched: 4,
  launchedAt: 5,
  url: 6,
  status: 7,
  names: 8,
} as const
const VOTES = { noIdea: 9, total: 10, noValue: 11, up: 12, future: 13, slices: 14 } as const
const COMMENTS = { noIdea: 15, total: 16, future: 17, slices: 18 } as const
const CATEGORIES = { noIdea: 19, total: 20 } as const

export const LAUNCHED_IS_NULL = 'launched is NULL: not launched'
const FUTURE_IDEA = 'the idea is dated at or after dataAsOf'

/** Reads rows one by one. A row that breaks a rule is left out, or counts without what is wrong, and is noted. */
class FactsReader {
  readonly #asOfMs: number
  readonly #skipped: SkippedRowTally
  readonly #totals: FactsTotals
  readonly #names: CategoryReader
  readonly #events: EventCounter

  constructor(slices: DaySlices, skipped: SkippedRowTally, totals: FactsTotals) {
    this.#asOfMs = slices.asOfMs
    this.#events = new EventCounter(slices)
    this.#skipped = skipped
    this.#totals = totals
    this.#names = new CategoryReader(skipped)
  }

  /** null = the row is not an idea that counts. */
  read(row: CopyRow): IdeaFacts | null {
    const votes = row.number(VOTES.up)
    const comments = row.number(COMMENTS.total)
    if (row.number(VOTES.total) > MAX_EVENTS || comments > MAX_EVENTS) throw tooManyEvents(row.text(IDEA.id))
    const noValue = row.number(VOTES.noValue)
    this.#skipped.add('votes', 'value is NULL', noValue, 'fault')
    this.#skipped.add('votes', 'value is not above zero', row.number(VOTES.total) - votes - noValue)
    if (row.text(IDEA.present) !== 't') return this.#ofNoIdea(row)
    const id = row.text(IDEA.id)
    const createdAtMs = timeAt(row, IDEA.created)
    const why = unpublishable(id, createdAtMs)
    if (id === null || createdAtMs === null || why !== null) {
      this.#skipped.add('ideas', why ?? '', 1, 'fault')
      // It does not make its author active.
      this.#totals.eventsOfOtherIdeas += 1
      return this.#ofOtherIdea(row, 'the idea is left out', 'fault')
    }
    if (createdAtMs >= this.#asOfMs) {
      this.#skipped.add('ideas', 'dated at or after dataAsOf', 1)
      return this.#ofOtherIdea(row, FUTURE_IDEA, 'ordinary')
    }
    return this.#idea(row, id, createdAtMs)
  }

  #idea(row: CopyRow, id: string, createdAtMs: number): IdeaFacts {
    const votesFuture = row.number(VOTES.future)
    const commentsFuture = row.number(COMMENTS.future)
    const votes = this.#events.read(row, row.number(VOTES.up) - votesFuture, VOTES.slices)
    const comments = this.#events.read(row, row.number(COMMENTS.total) - commentsFuture, COMMENTS.slices)
    const launch = this.#launch(row, createdAtMs)
    this.#skipped.add('votes', 'dated at or after dataAsOf', votesFuture)
    this.#skipped.add('comments', 'dated at or after dataAsOf', commentsFuture)
    this.#skipped.add('votes', UNDATED, votes.total - votes.slices.length)
    this.#skipped.add('comments', UNDATED, comments.total - comments.slices.length, 'fault')
    if (createdAtMs < EARLIEST_DATE_MS) this.#skipped.add('ideas', UNDATED, 1, 'fault')
    for (const at of [createdAtMs, this.#events.earliestMs])
      if (at !== null && at >= EARLIEST_DATE_MS) this.#totals.earliestMs = earlier(this.#totals.earliestMs, at)
    this.#totals.earliestLaunchMs = earlier(this.#totals.earliestLaunchMs, launch.launchedAtMs)
    return {
      id,
      title: this.#title(row.text(IDEA.title) ?? ''),
      createdAtMs,
      ...launch,
      url: this.#shortText(row, 'url'),
      status: this.#shortText(row, 'status'),
      categories: this.#names.read(row.text(IDEA.names)),
      votes,
      comments,
    }
  }

  #launch(row: CopyRow, createdAtMs: number): Pick<IdeaFacts, 'launched' | 'launchedAtMs'> {
    if (row.isNull(IDEA.launched)) this.#skipped.add('ideas', LAUNCHED_IS_NULL, 1, 'fault')
    if (row.text(IDEA.launched) !== 't') return { launched: false, launchedAtMs: null }
    const atMs = timeAt(row, IDEA.launchedAt)
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

  #shortText(row: CopyRow, column: 'url' | 'status'): string | null {
    const text = row.text(IDEA[column])
    if (text === null || !isLong(text)) return text
    this.#skipped.add('ideas', `${column} over ${LONGEST}: none`, 1, 'fault')
    return null
  }

  /** Rows of an idea that the mapping does not return, or without an idea. */
  #ofNoIdea(row: CopyRow): null {
    const isNull = [VOTES, COMMENTS, CATEGORIES].some(({ noIdea }) => row.text(noIdea) === 't')
    return isNull
      ? this.#ofOtherIdea(row, 'idea_id is NULL', 'fault')
      : this.#ofOtherIdea(row, 'the idea is not among the ideas', 'ordinary')
  }

  #ofOtherIdea(row: CopyRow, reason: string, kind: NoteKind): null {
    const votes = row.number(VOTES.up)
    const comments = row.number(COMMENTS.total)
    this.#totals.eventsOfOtherIdeas += votes + comments
    this.#skipped.add('votes', reason, votes, kind)
    this.#skipped.add('comments', reason, comments, kind)
    // The categories of a future idea are reported once it counts.
    if (reason !== FUTURE_IDEA) this.#skipped.add('idea_categories', reason, row.number(CATEGORIES.total), kind)
    return null
  }
}

/** Why an idea cannot be published at all; null = it can. */
function unpublishable(id: string | null, createdAtMs: number | null): string | null {
  if (id === null) return 'id is NULL'
  if (isLong(id)) return `id over ${LONGEST}`
  return createdAtMs === null ? 'created_at is NULL, or before the year 1' : null
}

function timeAt(row: CopyRow, field: number): number | null {
  return row.isNull(field) ? null : row.number(field)
}

const LONGEST = `${MAX_TEXT_CODE_POINTS.toLocaleString('en')} characters`

function isLong(text: string): boolean {
  return text.length > MAX_TEXT_CODE_POINTS && Array.from(text).length > MAX_TEXT_CODE_POINTS
}

function tooManyEvents(id: string | null): SourceError {
  return new SourceError(
    'source',
    `more than ${MAX_EVENTS} votes or comments are of one idea (${id ?? 'that is not among the ideas'}); sections votes and comments must return a row for each of them once`,
  )
}

/** Longer raw names are few, and not worth the memory. */
const MAX_KNOWN_LENGTH = 1000

/** Turns the JSON list of an idea's raw names into published ones: the same raw text is normalised once. */
class CategoryReader {
  readonly #skipped: SkippedRowTally
  readonly #known = new Map<string, PublishedName>()

  constructor(skipped: SkippedRowTally) {
    this.#skipped = skipped
  }

  read(json: string | null): readonly string[] {
    if (json === null) return []
    const names = new Set<string>()
    for (const raw of JSON.parse(json) as (string | null)[]) {
      const { name, why } = this.#publish(raw)
      if (name === null) noteName(this.#skipped, 'idea_categories', why, 1)
      else names.add(name)
    }
    return [...names].sort(compareCodePoints)
  }

  #publish(raw: string | null): PublishedName {
    if (raw === null || raw.length > MAX_KNOWN_LENGTH) return publishedName(raw)
    const known = this.#known.get(raw)
    if (known !== undefined) return known
    if (this.#known.size >= 2 * MAX_CATEGORIES) throw tooManyCategories()
    const published = publishedName(raw)
    this.#known.set(raw, published)
    return published
  }
}

/** The published name of a category of the source, or why it has none. */
export type PublishedName =
  | { readonly name: string; readonly why: null }
  | { readonly name: null; readonly why: 'is NULL' | 'too long' | 'no category' }

/** A name is at most as long as a request may hold: others could not be requested. */
export function publishedName(raw: string | null): PublishedName {
  if (raw === null) return { name: null, why: 'is NULL' }
  // Of a longer text the database has sent the beginning only.
  const name = isLong(raw) ? null : normalizeCategory(raw)
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

/** The earlier of two instants, of which each may be unknown. */
export function earlier(one: number | null, other: number | null): number | null {
  return one === null || other === null ? (one ?? other) : Math.min(one, other)
}
