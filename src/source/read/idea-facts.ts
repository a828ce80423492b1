// Owns the facts of the ideas that count, from their rows and what was counted before. Knows no query and no documents.
import type { IdeaFacts } from '../../model/facts.ts'
import { EARLIEST_DATE_MS } from '../../contract/windows.ts'
import { SourceError } from '../database/source-error.ts'
import type { CopiedRows } from './copy-decoder.ts'
import type { EventCounter } from './counted-events.ts'
import { UNKNOWN } from './key-table.ts'
import { COUNTS, type KnownIdeas } from './known-ideas.ts'
import { FACTS, LONGEST, MAX_TEXT_CODE_POINTS } from './raw-rows.ts'
import type { SkippedRowTally } from './skipped-rows.ts'

/** What facts are made with. */
export interface Known {
  readonly ideas: KnownIdeas
  readonly votes: EventCounter
  readonly comments: EventCounter
  /** Where the fields after the key begin. */
  readonly first: number
  readonly asOfMs: number
  readonly skipped: SkippedRowTally
}

/** An idea whose row breaks a rule counts without what is wrong, which is noted. */
export function factsOf(rows: CopiedRows, known: Known): IdeaFacts[] {
  const { ideas } = known
  const facts: IdeaFacts[] = []
  for (let row = 0; row < rows.count; row++) {
    const idea = ideas.find(rows, row)
    if (ideas.stateOf(idea) === COUNTS) facts.push(factsIn(rows, row, idea, known))
    else if (idea === UNKNOWN)
      throw new SourceError(
        'source',
        'the section returns an idea that it did not return before, of the same rows; what it returns must depend on nothing but them (no random(), no clock)',
      )
  }
  return facts
}

function factsIn(rows: CopiedRows, row: number, idea: number, known: Known): IdeaFacts {
  const { ideas, votes, comments, first, skipped } = known
  const createdAtMs = rows.millis(row, first + FACTS.createdAt)
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
  if (!isLong(title)) return title
  skipped.add('ideas', `title cut to ${LONGEST}`, 1, 'fault')
  return Array.from(title).slice(0, MAX_TEXT_CODE_POINTS).join('')
}

function shortText(text: string | null, column: 'url' | 'status', skipped: SkippedRowTally): string | null {
  if (text === null || !isLong(text)) return text
  skipped.add('ideas', `${column} over ${LONGEST}: none`, 1, 'fault')
  return null
}

function isLong(text: string): boolean {
  return text.length > MAX_TEXT_CODE_POINTS && Array.from(text).length > MAX_TEXT_CODE_POINTS
}
